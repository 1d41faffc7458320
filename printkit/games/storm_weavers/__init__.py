"""What is printed of Storm Weavers."""
