"""What is printed of Woven."""
