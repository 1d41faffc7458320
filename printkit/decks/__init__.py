"""Decks that people make themselves, from a table of cards and a template."""
