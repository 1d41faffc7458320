"""What is printed of Spellwoven."""
