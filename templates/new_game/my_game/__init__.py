"""My Game, for Loomtable."""
