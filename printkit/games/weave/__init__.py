"""What is printed of Weave."""
