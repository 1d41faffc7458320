"""Actions and answers from the fields of a form, or of JSON: each read by the type that the rules want."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from loomtable.engine.kernel.arguments import fields_in
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import DiceReading, ReadDie, Reading, Source
from loomtable.engine.kernel.requests import Choose, EnterText, Request, Roll
from loomtable.engine.kernel.system import System
from loomtable.table.choices.fields import PREFIX, arguments_from
from loomtable.table.hosting.errors import BadForm
from loomtable.table.hosting.forms import Form, as_json
from loomtable.table.reading.typed import reading_of, typed_reading

MOST_DICE = 40
"""How many rows of faces a form can have."""
_LONGEST_NAME = 40
"""Characters of what is looked up among the names of actions; none is as long."""


def action_from(form: Form, system: System[object]) -> Action:
    """The action in the fields ``action``, ``args`` (JSON) and ``arg.PATH`` (``choices/fields.py``).

    Of several texts in one field the first counts that is not empty, but for lists.

    Raises:
        BadForm: the form cannot be read.
        UnknownAction: there is no such action, or an argument cannot be read. The rest is for the rules to say.
    """
    rule = system.named(form.one("action")[:_LONGEST_NAME])
    said = said_in(form)
    known = {f.encode_name for f in fields_in(rule.arguments)}
    unknown = {key: text for name, (text, *_) in said.items() if (key := name.split(".")[1]) not in known}
    return Action(rule.name, {**unknown, **arguments_from(rule, said), **object_in(form, "args")})


def said_in(form: Form) -> dict[str, list[str]]:
    """What stands in the fields of an action's form, by their paths; nothing of those that are empty."""
    fields = (name for name in form.fields if name.startswith(f"{PREFIX}."))
    return {name: texts for name in fields if (texts := list(filter(str.strip, form.many(name))))}


def object_in(form: Form, name: str) -> dict[str, Any]:
    """The JSON object in a field; an empty one where the field is missing or empty.

    Raises:
        BadForm: the field holds something else.
    """
    given = _json_in(form, name, {})
    if not isinstance(given, dict):
        raise BadForm(f"the field {name!r} is to be a JSON object")
    return given


def answer_from(form: Form, asked: Request, chance: random.Random) -> Reading:
    """The answer in the fields that ``words_in`` reads, or by chance, where ``random`` says so.

    Raises:
        BadForm: there is none.
        ReadingMisfit, UnknownComponent: it cannot be read as an answer to what is asked.
    """
    if form.yes("random"):
        return random_answer(asked, chance)
    words = words_in(form)
    if not words and not isinstance(asked, Choose):
        raise BadForm("the form holds no answer")
    return reading_in(asked, words, chance)


def words_in(form: Form, name: str = "answer") -> list[str]:
    """An answer, a word for each die or choice: the field ``name``, repeated; or ``name0``, ``name1`` for dice."""
    rows = (f"{name}{at}" for at in range(MOST_DICE))
    return [w for w in form.many(name) if w.strip()] or [w for row in rows for w in form.many(row) if w]


def reading_in(asked: Request, words: Sequence[str], chance: random.Random) -> Reading:
    """One word as it is typed in a line, or one for each die or choice.

    Of a text's words the first counts: a suggestion that was pressed comes before what is in the field beside it.
    """
    if isinstance(asked, EnterText):
        return reading_of(asked, words[:1])
    return typed_reading(asked, words[0], chance) if len(words) == 1 else reading_of(asked, words)


def answers_in(form: Form, name: str) -> list[list[str]]:
    """Answers to several questions in one field: a JSON list of lists of words.

    Raises:
        BadForm: the field holds something else.
    """
    given = _json_in(form, name, [])
    if not isinstance(given, list) or not all(isinstance(chosen, list) for chosen in given):
        raise BadForm(f"the field {name!r} is to be a list of answers, each a list of words")
    return [[str(word) for word in chosen] for chosen in given]


def _json_in(form: Form, name: str, empty: Any) -> Any:
    if form.plain.get(name) is not None or not form.fields.get(name):
        return form.plain.get(name, empty)
    return as_json(form.one(name)) if form.one(name).strip() else empty


def put_right(asked: Request, old: Reading | None, new: Reading) -> Reading:
    """``new`` with each die that the camera had read otherwise marked as put right, the others as they were."""
    if not isinstance(asked, Roll) or not isinstance(new, DiceReading) or not isinstance(old, DiceReading):
        return new
    meant = zip(asked.check(old).faces, asked.check(new).faces, strict=True)
    dice = zip(old.dice, new.dice, meant, strict=True)
    return DiceReading(
        tuple(was if index == other else _die_put_right(was, now) for was, now, (index, other) in dice)
    )


def _die_put_right(was: ReadDie, now: ReadDie) -> ReadDie:
    by_camera = was.how is Source.CAMERA or was.misread is not None
    misread = was.misread if was.misread is not None else was.face
    if not by_camera:
        return now
    return ReadDie(now.die, now.face, Source.CORRECTED, 1.0, None if misread == now.face else misread)
