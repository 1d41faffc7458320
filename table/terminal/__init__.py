"""``loom play``: a game at a terminal, a second view of what the pages show."""
