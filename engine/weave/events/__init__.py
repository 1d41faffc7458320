"""Everything that can change a season, as events that know how."""
