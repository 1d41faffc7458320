"""Everything that can change an adventure, or that is worth telling."""
