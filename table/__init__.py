"""Where people meet Loomtable: the command line, sessions, the demo evening."""
