"""One folder for each game: all that is printed of it."""
