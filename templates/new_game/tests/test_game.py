"""My Game keeps the laws of every game."""

from my_game.game import GAME

from loomtable.testing import check_game


def test_my_game_keeps_the_laws() -> None:
    check_game(GAME)
