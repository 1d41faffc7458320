"""Last Ferry keeps the laws of every game."""

from last_ferry.rules import FERRY

from loomtable.testing import check_game


def test_the_ferry_keeps_the_laws() -> None:
    check_game(FERRY)
