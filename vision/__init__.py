"""Pictures -> readings: cards and dice, seen on a real table."""
