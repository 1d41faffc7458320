"""How an evening of Storm Weavers is told afterwards: paragraphs that were read, tests, blows that told."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.chronicle import Decisive, Ending, Mark, Passage, RollMark, Scene, Sentence
from loomtable.engine.kernel.play import Action, Event
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.storm_weavers import events as e
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.plans import Outcome as Came
from loomtable.engine.storm_weavers.state import Ending as Ended
from loomtable.engine.storm_weavers.state import Tale
from loomtable.engine.storm_weavers.system import STORM_WEAVERS


@STORM_WEAVERS.chronicle
def storm_weavers_chronicle(event: Event, tale: Tale, viewer: str, action: Action) -> Iterator[Mark]:
    """The journey as it was read, with each fight as a scene on its ground."""
    yield from _journey(event)
    yield from _fights(event)


def _journey(event: Event) -> Iterator[Mark]:
    match event:
        case e.AdventureBegun(title=title):
            yield Scene(title)
        case e.ParagraphReached(text=text) if text:
            yield Passage(text)
        case e.ItemGained(item=item):
            yield Sentence(f"Thymin takes: {item}.")
        case e.Tested(attribute=attribute, passed=passed):
            says = f"Thymin tests {attribute.label}."
            yield RollMark(says, ("pass-highest",), missed=not passed, word="pass" if passed else "fail")
        case e.CoinTested(called=called, side=side, passed=passed):
            yield RollMark(f"Thymin calls {called}; the coin shows {side}.", word="pass" if passed else "fail")
        case e.AdventureEnded(ending=Ended.VICTORY):
            yield Ending("The adventure ends well.")
        case e.AdventureEnded():
            yield Ending("The adventure ends with Thymin's death.")


def _fights(event: Event) -> Iterator[Mark]:
    match event:
        case e.MapFightBegun(plan=plan, enemies=enemies):
            yield Scene(combat_map(plan.map).title, picture=f"ground/{plan.map}")
            yield Sentence(f"Thymin stands against {listed([enemy.name for enemy in enemies.values()])}.")
        case e.FightBegun(enemy=enemy):
            yield Scene(f"The fight with {enemy.name}")
        case e.Exchanged(attacker=attacker, winner=winner, injuries=injuries, attack=attack, defence=defence):
            came = f"{winner} wins, {how_many(injuries, 'injury', 'injuries')}" if winner else "nobody wins"
            yield RollMark(
                f"{attacker} attacks, {attack} against {defence}: {came}.", minor=not (winner and injuries)
            )
        case e.CunningStrikeMade(passed=passed):
            says = "A Cunning Strike."
            yield RollMark(
                says, ("cunning-lands",), missed=not passed, word="it lands" if passed else "seen through"
            )
        case e.FightEnded(outcome=outcome, enemy=enemy):
            match outcome:
                case Came.ALL_DEAD:
                    yield Decisive("The last enemy falls." if event.rule == "SW-5" else f"{enemy} falls.")
                case Came.THYMIN_DEAD:
                    yield Decisive(f"Thymin falls to {enemy}.")
                case _:
                    yield Sentence("The fight is over.")
            yield Scene()
