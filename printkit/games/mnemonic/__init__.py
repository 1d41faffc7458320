"""What is printed of Mnemonic."""
