"""How each game is played by the small player of ``loomtable.testing``: what it prefers, and what it plays."""
