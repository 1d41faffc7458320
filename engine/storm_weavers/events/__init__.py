"""Everything that can change a tale, as events that know how."""
