"""What people see and type of Storm Weavers."""
