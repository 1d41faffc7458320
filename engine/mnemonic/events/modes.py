"""Play modes: how they begin and end, what is told in them, and Game Face (MN-14)."""

from __future__ import annotations

from loomtable.engine.kernel.play import changed
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.mnemonic.events.base import CharacterEvent, ChronicleEvent
from loomtable.engine.mnemonic.state import Cards, Chronicle, GameFace, Mark, Sitting


class ModeBegun(ChronicleEvent, frozen=True, kw_only=True):
    """A play mode begins; the cards are shuffled, and dealt where it deals them (MN-14)."""

    sitting: Sitting
    cards: Cards
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        return changed(state, sitting=self.sitting, cards=self.cards, modes=state.modes + 1)


class ModeEnded(ChronicleEvent, frozen=True, kw_only=True):
    """A play mode is over (MN-14)."""

    because: str
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        return changed(state, sitting=None, cards=None)


def _acted(state: Chronicle, who: str) -> Chronicle:
    assert state.sitting is not None, "a ritual outside its mode"
    return changed(state, "sitting", acted=(*state.sitting.acted, who))


class Introduced(CharacterEvent, frozen=True, kw_only=True):
    """Somebody said who their character is (First Gathering, MN-14)."""

    suit: CardSuit
    prompt: str
    text: str
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        return _acted(state, self.who).noted(self.who, Mark.TOLD, suit=self.suit, text=self.text)


class Met(CharacterEvent, frozen=True, kw_only=True):
    """Somebody said what their character sees in another (First Gathering, MN-14)."""

    other: str
    prompt: str
    text: str
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.sitting is not None, "a meeting outside the First Gathering"
        state = changed(state, sitting=changed(state.sitting, met=(*state.sitting.met, self.who)))
        return state.noted(self.who, Mark.MET, skill=self.other, text=self.text)


class Gathered(ChronicleEvent, frozen=True, kw_only=True):
    """The group said why they stay together (First Gathering, MN-14)."""

    text: str
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.sitting is not None, "a gathering outside its mode"
        for name in state.sitting.order:
            state = state.noted(name, Mark.TOLD, text=self.text)
        return state


class Remembered(CharacterEvent, frozen=True, kw_only=True):
    """Somebody told a memory of whom, or what, is laid to rest (MN-14)."""

    suit: CardSuit
    prompt: str
    text: str
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.sitting is not None, "a memory outside its mode"
        subject = state.sitting.subject
        return _acted(state, self.who).noted(self.who, Mark.MOURNED, skill=subject, suit=self.suit, text=self.text)


class LaidToRest(ChronicleEvent, frozen=True, kw_only=True):
    """A character, or with an empty ``subject`` the story, is laid to rest (MN-14)."""

    subject: str
    text: str
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        if self.subject:
            return state.noted(self.subject, Mark.AT_REST, text=self.text).with_character(
                self.subject, at_rest=True
            )
        for name in state.active:
            state = state.noted(name, Mark.AT_REST, text=self.text)
        return changed(state, ended=self.text)


# Game Face


class GameFaceBegun(ChronicleEvent, frozen=True, kw_only=True):
    """Two characters settle something between them (MN-14)."""

    players: tuple[str, str]
    about: str
    secret: bool
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        begun = GameFace(
            self.players,
            self.about,
            self.secret,
            used=dict.fromkeys(self.players, ()),
            score=dict.fromkeys(self.players, 0),
        )
        return changed(state, game_face=begun)


class DieChosen(CharacterEvent, frozen=True, kw_only=True):
    """Somebody chose the die of this round (MN-14)."""

    die: str
    secret: bool
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.game_face is not None, "a die without a game"
        chosen = {**state.game_face.chosen, self.who: self.die}
        return changed(state, "game_face", chosen=chosen)


class FaceRoundPlayed(ChronicleEvent, frozen=True, kw_only=True):
    """A round of Game Face: both dice as they lie, and who scored (MN-14)."""

    dice: dict[str, str]
    faces: dict[str, int]
    winner: str
    again: bool = False
    """A tie that is rolled again."""
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        game = state.game_face
        assert game is not None, "a round without a game"
        if self.again:
            return state
        score = {name: n + (name == self.winner) for name, n in game.score.items()}
        used = {name: (*game.used[name], die) for name, die in self.dice.items()}
        done: GameFace = changed(game, round=game.round + 1, used=used, score=score, chosen={})
        return changed(state, game_face=done)


class GameFaceEnded(ChronicleEvent, frozen=True, kw_only=True):
    """Who kept their face; nobody after a draw (MN-14)."""

    winner: str
    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        game = state.game_face
        assert game is not None, "an end without a game"
        for name in game.players:
            other = next(p for p in game.players if p != name)
            won = "drew" if not self.winner else "won" if self.winner == name else "lost"
            state = state.noted(name, Mark.GAME_FACE, skill=other, rating=game.score[name], text=won)
        return changed(state, game_face=None)
