"""Seasons, scenes, characters, enticements, and ideas from the cards."""
