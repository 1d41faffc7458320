"""Everything that can change a game of Woven, as events that know how."""
