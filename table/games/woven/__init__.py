"""What people see and type of Woven."""
