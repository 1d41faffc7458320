"""What cards offer and do: decks, playsets, mechanics as data, and the effects that are applied."""
