"""How an evening of Spellwoven is told afterwards: tests, blows that landed, wounds, and how each encounter ended.

Of figures that the storyteller plays, a player is told what anybody at the table can see.
"""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import Decisive, Ending, Lead, Mark, Passage, RollMark, Scene, Sentence
from loomtable.engine.kernel.play import Action, Event
from loomtable.engine.kernel.wording import ended, how_many, listed
from loomtable.engine.spellwoven.events import fight as f
from loomtable.engine.spellwoven.events import healing as h
from loomtable.engine.spellwoven.events import order as o
from loomtable.engine.spellwoven.events import people as p
from loomtable.engine.spellwoven.events import wounds as w
from loomtable.engine.spellwoven.state import Adventure, Left
from loomtable.engine.spellwoven.system import SPELLWOVEN

_LEFT = {Left.FLED: "flees", Left.SURRENDERED: "gives up", Left.STOOD_DOWN: "stands down"}


@SPELLWOVEN.chronicle
def spellwoven_chronicle(event: Event, adventure: Adventure, viewer: str, action: Action) -> Iterator[Mark]:
    """Encounters as scenes; of a conflict its rounds, hits and wounds, and who left it how."""
    yield from _encounters(event, action)
    yield from _conflicts(event)
    yield from _wounds(event, adventure, viewer)


def _encounters(event: Event, action: Action) -> Iterator[Mark]:
    match event:
        case p.CharacterAdded(character=c) if c.player:
            arms = listed([weapon.name for weapon in c.weapons]) or "bare hands"
            yield Sentence(f"{c.player} plays {c.name}: {arms}.")
        case p.EncounterOpened(encounter=encounter):
            yield Scene(encounter.title)
            yield Passage(encounter.opening.strip())
        case p.EncounterClosed(follows=follows):
            yield Passage(follows.strip())
            yield Ending(follows.strip())
            yield Scene()
        case p.Tested(faces=(_, *_), who=who, difficulty=int()) if action.args.get("doing"):
            says = f"{who} {ended(str(action.args['doing']))}"
            yield RollMark(says, _odds(event), missed=not event.passed, word="pass" if event.passed else "fail")
        case p.Opposed(who=who, opposer=opposer, winner=winner):
            yield RollMark(f"{who} against {opposer}: {winner or 'nobody'} wins.")
        case h.TimePassed(hours=hours) if hours >= _DAY:
            yield Sentence(f"{how_many(hours // _DAY, 'day passes', 'days pass')}.", apart=True)
        case h.AidGiven(who=who, patient=patient, successes=successes) if who != patient:
            yield RollMark(f"{who} tends {patient}{'' if successes else ', and can do nothing'}.")


_DAY = 24


def _odds(tested: p.Tested) -> tuple[str, ...]:
    """The lines of the odds that say how likely it was to pass, with what was spent on it if that is known."""
    return (f"pass, with up to {tested.bonus} Effort", "pass") if tested.bonus > 0 else ("pass",)


def _conflicts(event: Event) -> Iterator[Mark]:
    match event:
        case o.ConflictBegun():
            yield Sentence("It comes to a fight.", apart=True)
        case o.RoundBegun(round=number) if number > 1:
            yield Lead(f"Round {number}.")
        case o.TurnTaken(who=who, doing=doing) if not doing.startswith(("attacks ", "talks to ", "moves ")):
            yield Sentence(f"{who} {ended(doing)}")
        case f.Attacked(who=who, target=target, weapon=weapon, hit=hit):
            says = f"{who} {'hits' if hit else 'misses'} {target} with the {weapon}."
            yield RollMark(says, ("pass",), missed=not hit, word="hit" if hit else "miss", minor=True)
        case f.Talked(who=who, target=target, succeeded=succeeded):
            says = f"{who} talks to {target}{'' if succeeded else ', in vain'}."
            yield RollMark(says, ("pass",), missed=not succeeded, word="pass" if succeeded else "fail")
        case o.LeftConflict(who=who, how=how):
            yield Sentence(f"{who} {_LEFT[how]}.")
        case o.ConflictEnded(outcome=outcome, standing=standing):
            says = outcome or (f"{standing[0]} hold the field" if standing else "nobody stands")
            yield Sentence(f"The fight is over: {ended(says)}", apart=True)
            yield Ending(ended(says[:1].upper() + says[1:]))


def _wounds(event: Event, adventure: Adventure, viewer: str) -> Iterator[Mark]:
    match event:
        case w.MenaceCounted(who=who, target=target, severity=severity, successes=successes):
            yield RollMark(
                f"{who} hits {target}: {severity.label}.", (f"{severity.label} or graver",), minor=not successes
            )
        case w.WoundMarked(who=who, level=level):
            known = viewer in (STORYTELLER, adventure.characters[who].player)
            yield Sentence(f"{who} is wounded{f': {level.label}' if known else ''}.")
        case w.ShieldDestroyed(who=who):
            yield Sentence(f"{who}'s shield is destroyed.")
        case w.Incapacitated(who=who):
            yield Decisive(f"{who} falls.")
        case w.Died(who=who):
            yield Decisive(f"{who} dies.")
        case w.LastStandBegun(who=who):
            yield Decisive(f"{who} will not fall before this is over.")
        case w.BlowPulled(who=who, target=target):
            yield Sentence(f"{who} pulls the blow, so that {target} lives.")
