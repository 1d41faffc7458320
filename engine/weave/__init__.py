"""Weave: seasons of episodes, told with Story cards, Challenge cards and suit dice."""
