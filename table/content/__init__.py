"""Content that people write, checked before anybody plays it: whether it holds together, and how it reads."""
