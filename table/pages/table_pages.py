"""The pages of one session: the table itself, its rulings, and what their forms send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.action_rules import ActionRule
from loomtable.engine.kernel.errors import UnknownAction
from loomtable.engine.kernel.journal import Acted, Line
from loomtable.engine.kernel.legal import Possible
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.rulings import Ruling
from loomtable.engine.kernel.session import Session
from loomtable.table.choices.fields import (
    EARLY,
    PREFIX,
    Field,
    arguments_from,
    asleep,
    fields_of,
    filled_in,
    leaves_of,
    troubled,
)
from loomtable.table.choices.groups import ActionShown, Moves, action_shown, moves_of
from loomtable.table.choices.offers import Offers
from loomtable.table.hosting.api import live_session_of
from loomtable.table.hosting.arguments import action_from
from loomtable.table.hosting.devices import GUESTS, ROOM, Device, Role
from loomtable.table.hosting.errors import NotAllowed
from loomtable.table.hosting.guard import HOST, PLAYERS, GuardedRoute, route
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.responses import done
from loomtable.table.hosting.rights import actions_of, check_wish, may_ask
from loomtable.table.hosting.views import came_of_it
from loomtable.table.hosting.wishes import Wish
from loomtable.table.journal_words import line_in_words
from loomtable.table.pages.joining_pages import invitation
from loomtable.table.pages.rendering import page
from loomtable.table.pages.result_view import result_shown
from loomtable.table.pages.session_view import shown_to
from loomtable.table.pages.viewer import EVERYTHING, people_of, seen_as
from loomtable.table.screens import game_screen
from loomtable.table.screens.panel import Panel

LONGEST_LINE = 80


def address_of(live: LiveSession, *further: str) -> str:
    """The address of a page of a session."""
    return "/".join(["/table", quote(live.name), *further])


def table(request: Request) -> Response:
    """The table of a session, as the device that asks may see it."""
    live = live_session_of(request)
    live.bus.after_the_room()
    doing: Doing | None = None
    moves: Moves | None = None
    host: TableHost = request.app.state.host
    is_host, is_open = request.state.device.role is Role.HOST, live.name == host.opened
    elsewhere = is_host and not is_open and any(device.role in GUESTS for device in host.devices.all())
    joined = tuple(host.devices.holders(live.name))
    with live.held() as session:
        device = seen_as(request, session)
    with live.held(device.person) as session:
        people = people_of(session)
        shown = shown_to(live, device)
        result = result_shown(session, device)
        allowed = actions_of(session, device)
        if shown.asked is not None:
            for name in filter(live.can_draft, () if shown.asked.mine else allowed):
                if not session.system.refusal(session.game, device.viewer, name):
                    doing = _doing(session, device, name, (), joined, request.query_params)
        else:
            wanted = request.query_params.get("do", "")
            if wanted not in allowed:
                moves = moves_of(session, device.viewer, allowed)
                wanted = moves.likely
            if wanted:
                doing = _doing(session, device, wanted, shown.panels, joined, request.query_params)
        wishes = live.wishes.all() if is_host else filter(None, [live.wishes.of(device.person)])
        may_wish = [
            _doing(session, device, name, (), joined, request.query_params, wished=True)
            for name in may_ask(session, device)
            if shown.asked is None and not session.system.refusal(session.game, device.viewer, name)
        ]
    return page(
        request,
        "table.html",
        wishes=[_wish_shown(live, wish) for wish in wishes],
        may_ask=may_wish,
        live=live,
        revision=shown.revision,
        shown=shown,
        sheets=shown.sheets,
        result=result,
        maps=game_screen(live.session.system.key).board is not None,
        doing=doing,
        handouts=live.handouts.seen_by(device),
        moves=moves,
        people=people,
        followed=host.opened if elsewhere else "",
        invitation=invitation(host, request, small=shown.begun or bool(shown.asked))
        if is_host and is_open
        else None,
        room=ROOM,
        eyes=EVERYTHING if device.role is Role.HOST else ROOM if device.role is Role.SCREEN else device.person,
        **places(live),
    )


class Doing(msgspec.Struct, frozen=True):
    """One action with its form."""

    action: ActionShown
    fields: tuple[Field, ...]
    """What has to be said or usually is, and cards to choose from."""
    further: tuple[Field, ...]
    """What may stay empty."""
    sends: Field | None
    """The last thing to say, of what tables do most often: saying it begins the action."""
    asleep: Mapping[str, str]
    """Why it cannot be sent as it stands, for each way to send it: each value of ``sends``, or ``""``."""
    tapped: bool
    """Whether places on the page say what the form asks for, and take the action when they are tapped."""


def _wish_shown(live: LiveSession, wish: Wish) -> dict[str, Any]:
    """What a player asks for, in words, and where its form stands with what was said."""
    given = {f"{PREFIX}.{key}": value for key, value in wish.action.args.items()}
    form = f"{address_of(live)}?{urlencode({'do': wish.action.name, **given})}"
    says = line_in_words(Line(0, "", Acted(wish.action)), live.session.lines())
    return {"number": wish.number, "line": wish.line, "says": says, "form": form}


def _doing(
    session: Session[object],
    device: Device,
    name: str,
    panels: Sequence[Panel],
    joined: Sequence[str],
    asked: QueryParams,
    *,
    wished: bool = False,
) -> Doing:
    """The form of an action; what is ``asked`` for with the page stands in it, and narrows the rest. Of what is
    ``wished`` for only what has to be said is asked."""
    rule = session.system.actions[name]
    given = {path: asked.getlist(path) for path in asked if path.startswith(f"{PREFIX}.")}
    begun = bool(given)
    hosts = device.role is Role.HOST or session.system.solo
    fields, given = _filled(session, device, rule, given, joined)
    fields = tuple(part for part in fields if part.required or not wished)
    fields = tuple(part for part in fields if hosts or part.path.removeprefix(f"{PREFIX}.") not in rule.hosts_only)
    first = tuple(field for field in fields if field.required or field.wanted or field.usual)
    # What tables do most often begins by what is said last, also where something that was chosen says it already.
    last = [f for f in first if f.required and (not f.chosen or (begun and f.path not in given))]
    often = name in session.system.presentation.likely
    sends = last[0] if often and len(last) == 1 and last[0].few else None
    ways = {choice.value: {sends.path: [choice.value]} for choice in sends.choices} if sends else {"": {}}
    why = {way: "" if wished else asleep(session, rule, fields, **said) for way, said in ways.items()}
    further = tuple(part for part in fields if part not in first)
    early, told = EARLY in asked, min(why.values(), key=len)
    return Doing(
        action_shown(rule),
        troubled(first, told, early=early),
        troubled(further, told, early=early),
        sends,
        why,
        any(f.required and len(f.choices) != 1 for f in first) and any(panel.begins(name) for panel in panels),
    )


def _filled(
    session: Session[object], device: Device, rule: ActionRule, given: dict[str, list[str]], joined: Sequence[str]
) -> tuple[tuple[Field, ...], dict[str, list[str]]]:
    """The fields as they stand, and what is given of them: what other choices leave no room for is dropped."""
    for _ in range(2):
        given, possible = _with_last_actor(session, device, rule, given, joined)
        fields = filled_in(fields_of(rule, Offers(session, device, joined), possible), given)
        stands = {field.path: list(field.chosen) for field in leaves_of(fields)}
        still = {path: values for path, values in given.items() if stands.get(path, values) == values}
        if still == given:
            break
        given = still
    return fields, given


def _with_last_actor(
    session: Session[object], device: Device, rule: ActionRule, given: dict[str, list[str]], joined: Sequence[str]
) -> tuple[dict[str, list[str]], Possible]:
    """What is given, and what is possible with it; who did it last does it again, unless others are named."""
    path = f"{PREFIX}.{rule.actor}"
    done = (step.step.what for step in reversed(session.played) if isinstance(step.step.what, Action))
    last = next((action.args.get(rule.actor) for action in done if action.name == rule.name), None)
    if isinstance(last, str) and not any(given.get(path, ())):
        again = {**given, path: [last]}
        possible = _possible(session, device, rule, again, joined)
        if possible.filling.get(rule.actor) == last:
            return again, possible
    return given, _possible(session, device, rule, given, joined)


def _possible(
    session: Session[object],
    device: Device,
    rule: ActionRule,
    given: Mapping[str, list[str]],
    joined: Sequence[str],
) -> Possible:
    try:
        plain = arguments_from(rule, given)
    except UnknownAction:  # something that nobody can have chosen here
        plain = {}
    return session.system.possible_values(session.game, device.viewer, rule.name, plain, players=joined)


def places(live: LiveSession) -> dict[str, Any]:
    """Where the forms of a session's pages send what they hold."""
    return {"here": address_of(live), "api": f"/api/play/{quote(live.name)}"}


def ask(request: Request) -> Response:
    """Ask the host for an action from its form."""
    live, device, form = live_session_of(request), request.state.device, request.state.form
    with live.held() as session:
        action = action_from(form, session.system)
        check_wish(session, action, device)
    live.wishes.ask(device.person, action, form.one("line", "").strip()[:LONGEST_LINE])
    return done(request, "The storyteller is asked.", way_on=address_of(live), revision=live.revision)


def wish(request: Request) -> Response:
    """Begin what a player asks for, as the host; or decline it, or take it back as the one who asked."""
    live, device, form = live_session_of(request), request.state.device, request.state.form
    found, revision = live.wishes.numbered(form.number("number")), form.number("revision")
    if device.role is not Role.HOST and found.person != device.person:
        raise NotAllowed(f"{found.person} asked for this")
    if form.yes("begin"):
        if device.role is not Role.HOST:
            raise NotAllowed("the host begins it")
        live.take(found.action, by=device.name, revision=revision)
        says = came_of_it(live, device, revision)
    else:
        live.wishes.close(found)
        says = "Declined." if device.role is Role.HOST else "You no longer ask for it."
    return done(request, says, way_on=address_of(live), revision=live.revision)


def rulings(request: Request) -> Response:
    """Every ruling as a question with its choices, and how this table plays."""
    live = live_session_of(request)
    with live.held() as session:
        book: list[Ruling] = list(session.system.rulings.values())
        return page(
            request,
            "rulings.html",
            live=live,
            revision=live.revision,
            rulings=book,
            ruled=session.game.rulings,
            asked=session.pending,
            title=session.system.title,
            **places(live),
        )


def decide(request: Request) -> Response:
    """Decide the rulings that a form changes; each is a line of the journal."""
    live, device, form = live_session_of(request), request.state.device, request.state.form
    revision, changed = form.number("revision"), 0
    with live.held() as session:
        wanted = {name: form.one(f"ruling.{name}", session.game.rulings[name]) for name in session.system.rulings}
        for name, choice in wanted.items():
            if choice != session.game.rulings[name]:
                action = Action("ruling", {"ruling": name, "choice": choice})
                live.take(action, by=device.name, revision=revision + changed)
                changed += 1
    says = "Decided; it counts from now on." if changed else "Nothing was changed."
    return done(request, says, way_on=address_of(live, "rulings"), revision=live.revision)


ROUTES: tuple[GuardedRoute, ...] = (
    route("/table/{session:path}/rulings", rulings, roles=HOST),
    route("/table/{session:path}/rulings", decide, methods=["POST"], roles=HOST),
    route("/table/{session:path}/ask", ask, methods=["POST"], roles=frozenset({Role.PLAYER})),
    route("/table/{session:path}/wish", wish, methods=["POST"], roles=PLAYERS),
)
TABLE = route("/table/{session:path}", table, roles=PLAYERS)
"""Comes after all others: a session's name may hold strokes."""
