"""Every event of Storm Weavers as a sentence: the one place to translate."""

from __future__ import annotations

from engine.kernel.play import Event
from engine.storm_weavers import state as s


def tell(event: Event, tale: s.Tale) -> str:
    """The event as a sentence for people."""
    match event:
        case s.SheetMade(sheet=sheet):
            return f"Thymin sets out with Dexterity {sheet.dexterity} and Wisdom {sheet.wisdom}."
        case s.AttributeChanged(attribute=attribute, by=by, reason=reason):
            return f"{attribute.label} {by:+d} ({reason})."
        case s.ItemGained(item=item):
            return f"Thymin takes: {item}."
        case s.Tested(attribute=attribute, total=total, modifier=modifier, value=value, passed=passed):
            sum_ = f"{total}{modifier:+d} = {total + modifier}" if modifier else str(total)
            return f"Test of {attribute.label}: {sum_} against {value}, {'passed' if passed else 'failed'}."
        case s.CoinTested(called=called, side=side, passed=passed):
            return f"Thymin calls {called}; the coin shows {side}: {'passed' if passed else 'failed'}."
        case s.FightBegun(enemy=enemy):
            return f"{enemy.name} bars the way (Dexterity {enemy.dexterity}, Health {enemy.health})."
        case s.Exchanged(attacker=attacker, attack=attack, defence=defence, winner=winner, injuries=injuries):
            outcome = f"{winner} wins, {_injuries(injuries)}" if winner else "nobody wins"
            return f"{attacker} attacks: {attack} against {defence}; {outcome}."
        case s.CunningStrikeMade(passed=passed):
            return f"Cunning Strike: {'it lands' if passed else 'it is seen through'}."
        case s.Injured(who=who, injuries=injuries):
            return f"{who} loses {injuries} Health."
        case s.FightEnded(enemy=enemy, won=won):
            return f"{enemy} falls." if won else f"Thymin falls to {enemy}."
        case s.ParagraphReached(paragraph=paragraph):
            return f"Go to paragraph {paragraph}."
    raise AssertionError(f"no sentence for {type(event).__name__}")


def _injuries(count: int) -> str:
    return "no injuries" if count == 0 else f"{count} injur{'y' if count == 1 else 'ies'}"
