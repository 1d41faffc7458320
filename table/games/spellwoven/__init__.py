"""What people see and type of Spellwoven."""
