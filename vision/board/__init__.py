"""What lies on a board: printed maps with the figures on them, and tapestry cards on their grid.

Everything here is found by its tags (``loomtable.vision.tags``). How large the printed things are and where
their tags stand is given by whoever asks, so that nothing of a game has to be known.
"""
