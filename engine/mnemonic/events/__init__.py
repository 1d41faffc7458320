"""Everything that can change a chronicle, or that is worth telling."""
