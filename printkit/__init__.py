"""Everything that is printed: components -> sheets -> PDF."""
