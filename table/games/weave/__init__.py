"""What people see and type of Weave."""
