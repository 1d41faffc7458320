"""One folder for each game: its screens, its reading of cards and boards, its commands."""
