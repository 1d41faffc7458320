"""What people see and type of Mnemonic."""
