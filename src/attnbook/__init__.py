"""Scaled dot-product attention, in NumPy, for reading."""
