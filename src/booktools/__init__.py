"""What the maintainers of the book run; never imported by attnbook."""
