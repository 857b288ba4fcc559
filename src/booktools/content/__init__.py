"""What the pages say: notebooks, numbers in prose, the form of chapters, made pages."""
