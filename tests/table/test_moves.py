"""What can be begun stands first; choices say what they do; a name leads to its sheet: without a browser."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from loomtable.engine.kernel.arguments import fields_in, names_in
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import RULING_ACTION
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.cards.effect_words import quality_does
from loomtable.engine.weave.cards.playset import WITH_MECHANIC, QualityKind, playset, playset_names
from loomtable.table.choices.fields import Field, arguments_from, fields_of, filled_in
from loomtable.table.choices.groups import moves_of
from loomtable.table.choices.offers import Offers
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.rights import actions_of, check_action
from loomtable.table.pages.pressing import linked
from loomtable.table.screens.blocks import Button, Buttons, Drawing, Facts, Foldout, Press, Shape, Strong, Text
from loomtable.table.screens.panel import Panel
from loomtable.testing import random_session
from tests.table.panels_shown import html_of
from tests.tiers import thorough

HOST = Device("1", "the host", Role.HOST)
ADA = Device("2", "Ada's phone", Role.PLAYER, "Ada", "tonight")


class AtTheForm:
    """Somebody who fills forms with what they offer, one field after the other, without knowing the rules."""

    def __init__(self, session: Session[Any], seed: int, device: Device = HOST) -> None:
        self.session, self.source, self.names, self.device = session, random.Random(seed), 0, device

    def begin(self, name: str) -> str:
        """Fill the form of an action and send it; how it was refused, if it was."""
        rule, given = self.session.system.actions[name], dict[str, list[str]]()
        if not self.session.system.possible_values(self.session.game, self.device.viewer, name).filling:
            return ""  # it may want a card of which only people know that they hold it
        while to_do := [one for one in self.asked(name, given) if one.path not in given]:
            given[to_do[0].path] = self.choice(to_do[0])
        arguments = arguments_from(rule, given)
        try:
            check_action(self.session, Action(name, arguments), self.device)
            self.session.perform(name, **arguments)
        except LoomtableError as refused:
            return f"{name} {arguments}: {refused}"
        return ""

    def asked(self, name: str, given: dict[str, list[str]]) -> list[Field]:
        """What has to be filled, and what stands filled already, as the form is now."""
        system, rule = self.session.system, self.session.system.actions[name]
        plain = arguments_from(rule, given)
        possible = system.possible_values(self.session.game, self.device.viewer, name, plain)
        return [*self.needed(filled_in(fields_of(rule, Offers(self.session, self.device), possible), given))]

    def needed(self, fields: tuple[Field, ...]) -> Iterator[Field]:
        for field in fields:
            if field.parts and (field.required or field.wanted):
                yield from self.needed(field.parts)
            elif not field.parts and (field.required or field.wanted or field.chosen):
                yield field

    def choice(self, field: Field) -> list[str]:
        self.names += 1
        if field.chosen:
            return list(field.chosen)
        if field.kind == "several":
            return [one.value for one in self.source.sample(field.choices, field.at_least)]
        if field.choices:
            return [self.source.choice(field.choices).value]
        return [str(self.source.randint(1, 3)) if field.kind == "number" else f"Somebody {self.names}"]


@pytest.mark.parametrize("steps", [8, pytest.param(60, marks=thorough)])
@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_nothing_that_a_form_offers_is_refused(key: str, steps: int) -> None:
    person = AtTheForm(begun(key), seed=steps)
    for _ in range(steps):
        assert not act_at(person)


@pytest.mark.parametrize("steps", [8, pytest.param(60, marks=thorough)])
@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_nothing_that_a_form_on_a_players_phone_offers_is_refused(key: str, steps: int) -> None:
    host = AtTheForm(begun(key), seed=steps)
    session = host.session
    players = [person for person in session.system.people(session.game) if not session.system.solo] or ["Ada"]
    phones = [
        AtTheForm(session, at, Device(str(at), f"{person}'s phone", Role.PLAYER, person, "tonight"))
        for at, person in enumerate(players, start=2)
    ]
    begun_there = 0
    for _ in range(steps):
        for phone in phones:
            before = len(session.played)
            assert not act_at(phone)
            begun_there += len(session.played) > before
        assert not act_at(host)
    assert begun_there, "nobody could do anything on a phone"


def act_at(person: AtTheForm) -> str:
    """Answer what is asked, then begin one thing that is offered there; how it was refused, if it was."""
    session = person.session
    while session.pending is not None:
        session.answer(random_answer(session.pending, person.source))
    moves = moves_of(session, person.device.viewer, actions_of(session, person.device))
    can = [action.name for group in moves.groups for action in group.actions]
    often = moves.likely and person.source.random() < 0.5
    return person.begin(moves.likely if often else person.source.choice(can)) if can else ""


def test_a_choice_narrows_what_else_can_be_chosen() -> None:
    def offered(**given: str) -> dict[str, list[str]]:
        rule, session = SYSTEMS["weave"].actions["use-talent"], begun("weave")
        possible = session.system.possible_values(session.game, HOST.viewer, rule.name, given)
        fields = fields_of(rule, Offers(session, HOST), possible)
        return {one.path: [choice.value for choice in one.choices] for one in fields}

    assert offered()["arg.talent"] == ["Bird at the Window", "A Breath Before"]
    assert offered(who="Odo")["arg.talent"] == ["A Breath Before"]
    assert offered(who="Odo")["arg.who"] == ["Ilse", "Odo"], "they may still think better of it"


def begun(key: str) -> Session[Any]:
    return begun_ready(SYSTEMS[key], "tonight", random.Random(1))


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_what_is_listed_can_be_begun_and_the_rest_says_why_not(key: str) -> None:
    for seed in range(3):
        session = random_session(SYSTEMS[key], seed, 30)
        if session.pending is not None:
            continue
        moves = moves_of(session, HOST.viewer, set(session.system.actions))
        can = {action.name for group in moves.groups for action in group.actions}
        cannot = {one.action.name for one in moves.refused}
        found = {action.name for action in session.system.legal_actions(session.game, HOST.viewer, each=1)}
        assert found <= can
        # Only with what nobody can name before it is shown, as a card of the deck on the table, may more begin.
        view = session.system.view(session.game, HOST.viewer)
        for name in can - found:
            named = [names_in(field.type) for field in fields_in(session.system.actions[name].arguments)]
            assert any(names and not names.closed and not [*names.among(view)] for names in named), name
        assert not can & cannot and can | cannot == set(session.system.actions) - {RULING_ACTION}
        assert all(one.why.endswith((".", "?", ")")) and one.why[0].isupper() for one in moves.refused)
        assert moves.likely in can | {""}


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_the_likely_actions_of_a_game_are_actions_of_it_and_one_begins_an_evening(key: str) -> None:
    system = SYSTEMS[key]
    assert set(system.presentation.likely) <= set(system.actions)
    fresh: Session[Any] = Session.open(system, seed="tonight")
    assert moves_of(fresh, HOST.viewer, set(system.actions)).likely


def test_a_phone_offers_the_own_figures_only() -> None:
    session = begun("weave")
    rule = session.system.actions["use-talent"]
    [who] = [one for one in fields_of(rule, Offers(session, ADA)) if one.path == "arg.who"]
    assert [choice.value for choice in who.choices] == ["Ilse"]


def test_playsets_and_adventures_are_called_by_their_titles() -> None:
    fresh: Session[Any] = Session.open(SYSTEMS["weave"], seed="tonight")
    [field, *_] = fields_of(fresh.system.actions["new-season"], Offers(fresh, HOST))
    assert [(one.value, one.label) for one in field.choices] == [
        (name, playset(name).title) for name in playset_names()
    ]
    assert all("-" not in one.label for one in field.choices)


@pytest.mark.parametrize("name", playset_names())
def test_every_quality_with_a_mechanic_says_what_it_does(name: str) -> None:
    for number in playset(name).cards:
        for kind in WITH_MECHANIC:
            for quality in playset(name).options(number, kind):
                assert quality.mechanic is None or quality.mechanic.says.strip() in quality_does(quality)
        for backstory in playset(name).options(number, QualityKind.BACKSTORY):
            assert backstory.suit is None or backstory.suit.label in quality_does(backstory)


def test_a_form_says_what_talents_do() -> None:
    session = begun("weave")
    rule = session.system.actions["use-talent"]
    [talent] = [one for one in fields_of(rule, Offers(session, HOST)) if one.path == "arg.talent"]
    assert all(choice.does.startswith(("Standard, ", "Lucky, ", "Passive: ")) for choice in talent.choices)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Ilse rolls.", '<a href="#i">Ilse</a> rolls.'),
        ("Ilsebill rolls.", "Ilsebill rolls."),
        ("Ilse of Quay & Odo", '<a href="#q">Ilse of Quay</a> &amp; Odo'),
        ("<script>", "&lt;script&gt;"),
    ],
)
def test_a_name_is_a_link_and_everything_else_stays_words(words: str, shown: str) -> None:
    assert linked(words, {"Ilse": "i", "Ilse of Quay": "q"}) == shown


def test_no_link_is_within_a_picture_a_button_or_what_opens() -> None:
    press = Press(Action("go-on"), "Ilse")
    panel = Panel(
        "p",
        "Ilse",
        (
            Text(("Ilse ", Strong("Odo"))),
            Drawing("map", (0, 0, 9, 9), (Shape("<text>Ilse</text>", label="Ilse", press=press),), "Ilse"),
            Buttons((Button("Ilse", press),)),
            Foldout(("Ilse ", Strong("Ilse")), (Facts({"Ilse": "Odo"}),)),
        ),
    )
    shown = html_of(panel, sheets={"Ilse": "i", "Odo": "o"})
    assert re.findall(r'<a href="#(.)">', shown) == ["i", "o", "o"]
    assert shown.index("#i") < shown.index("#o") < shown.index("<svg") < shown.index("</details>")
