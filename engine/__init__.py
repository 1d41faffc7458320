"""The rules of the five games. Knows nothing of paper, pictures or screens."""
