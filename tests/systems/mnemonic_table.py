"""A small table for the tests of Mnemonic: two characters, a play mode, answers in a row."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, Reading, TextReading, rolled
from loomtable.engine.kernel.requests import EnterText, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.rules import MNEMONIC
from loomtable.engine.mnemonic.state import Character, Chronicle, Skill

ILSE = {"hearts": ["Climb", "Held Breath"], "diamonds": ["Old Songs"], "spades": ["Lockpicks"]}
ODO = {"spades": ["Ropes", "Lamp"], "diamonds": ["Numbers"], "clubs": ["Dockers"]}
Given = tuple[int, ...] | str


class Table:
    """Ilse (Ada; strong in Hearts, weak in Clubs), Odo (Ben; strong in Spades, weak in Hearts), in a play mode."""

    def __init__(self, mode: str = "deck-burner", *, alone: bool = False, **rulings: str) -> None:
        self.session: Session[Chronicle] = Session.open(
            MNEMONIC, seed="s", rulings={k.replace("_", "-"): v for k, v in rulings.items()}
        )
        self.do("add-character", player="Ada", name="Ilse", strong="hearts", weak="clubs", skills=ILSE)
        if not alone:
            self.do("add-character", player="Ben", name="Odo", strong="spades", weak="hearts", skills=ODO)
        if mode:
            self.do("begin-mode", mode=mode)

    def do(self, action: str, /, *given: Given, **args: Any) -> None:
        """An action, and the answers to what it asks."""
        self.session.perform(action, **args)
        self.answer(*given)

    def answer(self, *given: Given) -> None:
        """Answer what is asked, one after the other."""
        for one in given:
            self.session.answer(self.reading(one))

    def reading(self, given: Given) -> Reading:
        """Dice for a tuple; a card, a text or a choice for a word, as is asked."""
        asked = self.session.pending
        if isinstance(given, tuple):
            assert isinstance(asked, Roll), f"{asked} is no roll"
            return rolled(asked.die, *given)
        if isinstance(asked, ShowCard):
            return CardReading(ComponentId.parse(given))
        return TextReading(given) if isinstance(asked, EnterText) else ChoiceReading((given,))

    def scene(self, who: str, card: str, *given: Given) -> None:
        """An individual scene with a card that is shown."""
        self.do("scene", card, *given, who=who)

    def rule(self, ruling: str, choice: str) -> None:
        """Change a ruling."""
        self.session.perform("ruling", ruling=ruling, choice=choice)

    @property
    def state(self) -> Chronicle:
        """The chronicle now."""
        return self.session.state

    @property
    def asked(self) -> str:
        """What is asked now; empty for nothing."""
        return self.session.pending.purpose if self.session.pending else ""

    @property
    def options(self) -> list[str]:
        """The keys of what can be chosen now."""
        return [option.key for option in getattr(self.session.pending, "options", ())]

    def who(self, name: str) -> Character:
        """A character as it is now."""
        return self.state.characters[name]

    def skill(self, who: str, name: str) -> Skill:
        """A skill as it is now."""
        return self.who(who).skill(name)
