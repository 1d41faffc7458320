"""Game Face: two characters, four dice each, best of three (MN-14)."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option, Roll
from loomtable.engine.mnemonic.arguments import Who, Whom
from loomtable.engine.mnemonic.events.modes import DieChosen, FaceRoundPlayed, GameFaceBegun, GameFaceEnded
from loomtable.engine.mnemonic.state import Chronicle, GameFace
from loomtable.engine.mnemonic.system import MNEMONIC, active

DICE = (Die.D12, Die.D8, Die.D8, Die.D6)
"""What each of the two has: every die is used once (MN-14)."""
ROUNDS = 3
TO_WIN = 2
LONGEST_ABOUT = 120


def dice_left(used: tuple[str, ...]) -> tuple[Die, ...]:
    """The dice that somebody can still choose, each sort once, the biggest first."""
    left = list(DICE)
    for die in used:
        left.remove(Die(die))
    return tuple(dict.fromkeys(left))


@MNEMONIC.action("game-face", "MN-14", begun_by=PLAYER, group="Scenes")
def game_face(play: Play[Chronicle], *, who: Who, other: Whom, about: str = "") -> Steps[None]:
    """Settle something between two characters: three rounds, a d12, two d8 and a d6 each, every die once."""
    active(play, who)
    active(play, other)
    if who == other:
        raise IllegalAction(f"{who} cannot keep a straight face against {who}")
    if play.state.ended:
        raise IllegalAction("this story was laid to rest")
    if len(about) > LONGEST_ABOUT or not about.isprintable():
        raise IllegalAction(f"what it is about takes at most {LONGEST_ABOUT} characters")
    secret = play.ruled("game-face-choice") == "in-secret"
    yield GameFaceBegun(players=(who, other), about=about.strip(), secret=secret)
    while not decided(_game(play)):
        yield from _round(play)
    yield GameFaceEnded(winner=winner_of(_game(play)))


def _game(play: Play[Chronicle]) -> GameFace:
    assert play.state.game_face is not None, "no Game Face is being played"
    return play.state.game_face


def decided(game: GameFace) -> bool:
    """Whether somebody has two rounds, or all three are played."""
    return max(game.score.values()) >= TO_WIN or game.round > ROUNDS


def winner_of(game: GameFace) -> str:
    """Who has the higher score; nobody where both have the same."""
    first, second = game.players
    if game.score[first] == game.score[second]:
        return ""
    return max(game.players, key=lambda name: game.score[name])


def choosing_first(game: GameFace) -> tuple[str, str]:
    """Who chooses first in this round, and who second: they take turns."""
    first, second = game.players
    return (first, second) if game.round % 2 == 1 else (second, first)


def _round(play: Play[Chronicle]) -> Steps[None]:
    game = _game(play)
    order = choosing_first(game)
    for name in order:
        options = tuple(Option(die.value, die.label) for die in dice_left(game.used[name]))
        player = active(play, name).player
        purpose = f"Game Face, round {game.round}: the die of {name}"
        chosen = yield from ask(Choose(purpose, options, by=player, rule="MN-14"))
        yield DieChosen(who=name, die=chosen.key, secret=game.secret)
    dice = {name: _game(play).chosen[name] for name in game.players}
    while True:
        faces: dict[str, int] = {}
        for name in game.players:
            purpose = f"Game Face, round {game.round}: {dice[name]} of {name}"
            lying = yield from ask(Roll(Die(dice[name]), 1, purpose, by=active(play, name).player, rule="MN-14"))
            faces[name] = lying.pips[0]
        first, second = game.players
        tie = faces[first] == faces[second]
        again = tie and play.ruled("game-face-tie") == "re-rolled"
        winner = "" if tie else max(game.players, key=lambda name: faces[name])
        yield FaceRoundPlayed(dice=dice, faces=faces, winner=winner, again=again)
        if not again:
            return
