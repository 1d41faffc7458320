"""Region maps made from a seed: land, rivers, places and names, fair to every start."""
