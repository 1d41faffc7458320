"""The chronicle's own words, shared by its page and its PDF file."""

from __future__ import annotations

from datetime import date

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.requests import GROUP
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.table.chronicle.telling import Cast, Retelling, RollBeat

_WHO = {STORYTELLER: "The storyteller", GROUP: "Against them"}
LONGEST_ITALIC = 240
"""Letters above which what was read aloud is set upright: more slanted type than this tires the eye."""
AGAINST_THE_ODDS = "Against the odds"
"""The heading of a turning point that has no other."""


def closing(told: Retelling) -> str:
    """The words over the end: whether the evening goes on."""
    return "To be continued" if told.open_question or not told.ending else "The end"


def days(first_day: str, last_day: str) -> str:
    """``"23 November 2026"``, or ``"23 November to 4 December 2026"``, of days in ISO 8601."""
    first, last = date.fromisoformat(first_day), date.fromisoformat(last_day)
    if first == last:
        return _day(last)
    begun = f"{first.day} {first:%B}" if first.year == last.year else _day(first)
    return f"{begun} to {_day(last)}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def company(told: Retelling) -> tuple[str, ...]:
    """Who took part, a line each: ``"Ada as Ilse"``."""
    return tuple(
        f"{person} as {listed(figures)}" if figures and figures != (person,) else person
        for person, figures in told.people
    )


def who_cast(cast: Cast) -> str:
    """Whose dice they are, in front of them."""
    return "rolled again" if cast.again else _WHO.get(cast.who, cast.who)


def chance_words(throw: RollBeat) -> str:
    """How likely it was: ``"Before the roll, the chance of this was 14%."``; empty where nobody knew."""
    chance = throw.chance
    if chance is None:
        return ""
    hundredths = round(chance * 100)
    share = "less than 1%" if not hundredths else "more than 99%" if hundredths == 100 else f"{hundredths}%"
    return f"Before the roll, the chance of this was {share}."


def faces_words(cast: Cast) -> str:
    """The faces for somebody who cannot see them: ``"Flames, Flames and Strike"``."""
    return listed([str(face).capitalize() for _, face in cast.faces])


def colophon(told: Retelling) -> str:
    """The last line: how many dice were cast, and when."""
    cast = f"{how_many(told.dice, 'die was', 'dice were')} cast. " if told.dice else ""
    return f"{cast}{told.game}, {days(told.first_day, told.last_day)}."
