"""A player who keeps to a line of play at the engine's own table: the twin of ``loomtable.engine.odds.adventure``.

Nothing is reckoned here; every die is thrown, and the engine says what comes of it. Only the decisions are taken
from the line that is to be held against what happens.
"""

from __future__ import annotations

import random

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.play import Play
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose, Request
from loomtable.engine.kernel.session import Session
from loomtable.engine.odds.adventure import AdventurePlan
from loomtable.engine.odds.manners import Manner, every_ruling, move_of, prefers_cunning, target_of
from loomtable.engine.storm_weavers.paragraphs import page_of
from loomtable.engine.storm_weavers.plans import Terms
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.state import Tale
from tests.short import present


class Player:
    """Plays one adventure through, by a line of play."""

    def __init__(self, plan: AdventurePlan, adventure: str, seed: int) -> None:
        self.plan, self.source = plan, random.Random(seed)
        self.session: Session[Tale] = Session.open(STORM_WEAVERS, seed=str(seed))
        self.session.perform("create", dexterity_points=plan.dexterity_points)
        self.session.perform("begin-adventure", adventure=adventure)
        self.manner = Manner.PLAIN

    @property
    def tale(self) -> Tale:
        return self.session.state

    def played(self) -> int:
        """The paragraph where it ended."""
        while self.tale.ending is None:
            if self.session.pending is not None:
                self._answer(self.session.pending)
                continue
            page = page_of(self.tale)
            if page is not None and (page.fight is not None or page.map_fight is not None):
                self.manner = Manner(self.decided()[0])  # chosen as the fight begins, and kept to its end
            self.session.perform("go-on")
        return present(self.tale.paragraph)

    def decided(self) -> tuple[str, ...]:
        """What the line decides at the paragraph where Thymin is."""
        thymin = self.tale.thymin
        assert thymin is not None and self.tale.paragraph is not None
        stage = self.plan.stages.at(self.tale.paragraph, thymin, frozenset(self.tale.visited))
        way = self.plan.decision(stage, thymin.health)
        return present(way).key

    def _answer(self, request: Request) -> None:
        if isinstance(request, Choose):
            self.session.answer(ChoiceReading(self._chosen(request)))
        else:
            self.session.answer(random_answer(request, self.source))

    def _chosen(self, request: Choose) -> tuple[str, ...]:
        if request.rule == "SW-3" and (self.tale.fight or self.tale.map_fight):
            terms = self._terms()
            return tuple(o.key for o in request.options if terms.items[o.key] < 0)
        fighting = self.tale.fight is not None or self.tale.map_fight is not None
        if fighting and request.purpose.startswith("Thymin's move"):
            return (move_of(Play(self.session.game, "")),)
        if fighting:
            return (self._strike(request),)
        if request.purpose == "Call the coin":
            return ("heads",)
        return self.decided()

    def _terms(self) -> Terms:
        """What is added to the dice of a Cunning Strike here."""
        page = page_of(self.tale)
        plan = page.fight or page.map_fight if page is not None else None
        return present(plan).strike_test

    def _strike(self, request: Choose) -> str:
        tale = self.tale
        assert tale.thymin is not None
        page = page_of(tale)
        assert page is not None
        rulings = every_ruling(self.session.game.rulings)
        if page.fight is not None:
            enemy, modifiers, suffix = page.fight.enemy, page.fight.modifiers, ""
        else:
            assert page.map_fight is not None and tale.map_fight is not None
            target = target_of(
                [int(o.key.rsplit("-", 1)[1]) for o in request.options if o.key.startswith("attack-")]
            )
            enemy, modifiers = page.map_fight.enemies[target - 1], page.map_fight.modifiers_against(target)
            suffix = f"-{target}"
        cunning = prefers_cunning(self.manner, tale.thymin, enemy, modifiers, rulings, self._terms())
        return f"{'cunning-strike' if cunning else 'attack'}{suffix}"
