"""Joining and running the table: codes, devices, sessions to begin, to rename, to take out and to bring in."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Match

from loomtable.engine.kernel.serialization import to_builtins
from loomtable.printkit.import_sum import ImportSum
from loomtable.table.hosting.arguments import object_in
from loomtable.table.hosting.devices import CODE_SECONDS, FORGOTTEN_AFTER, GUESTS, Device, NotJoined, Role, alike
from loomtable.table.hosting.errors import BadForm, NotThere, TooOften
from loomtable.table.hosting.forms import MOST_UPLOAD, Form
from loomtable.table.hosting.guard import ANYBODY, EVERYBODY, HOST, Body, cookie_name, route
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.responses import Json, done, local, wants_json
from loomtable.table.store.packing import SUFFIX

COOKIE_SECONDS = FORGOTTEN_AFTER
RESERVED = 25.0
"""How many of all guesses at once are kept for addresses that have hardly tried: a phone of the house gets in
while others try one code after another."""


def host_of(request: Request) -> TableHost:
    """The host whose application this is."""
    host: TableHost = request.app.state.host
    return host


def pair(request: Request) -> Response:
    """A code for one more host; answers ``{code, path, seconds}``."""
    made = host_of(request).devices.pair()
    sentence = f"The code is {made.code}; it works once, for {CODE_SECONDS // 60} minutes."
    return done(request, sentence, code=made.code, path=join_path(made.code), seconds=CODE_SECONDS)


def join_path(code: str) -> str:
    """The page on which a code is used, to put behind one of our addresses."""
    return f"/join?code={quote(code)}"


def join(request: Request) -> Response:
    """Join with a ``code``, and say who one is: ``role`` and ``person``. The token goes into a cookie.

    A guest's device that has joined needs no code to be somebody else; without a ``person`` it gives its name up.

    Raises:
        NotJoined: the code does not work, too many have joined, another device has this name, or it looks the same
            as that of somebody who plays.
        BadForm: there is no such role.
    """
    form, host, known = request.state.form, host_of(request), request.state.device
    code, role, person = form.one("code", ""), form.one("role", Role.PLAYER), form.one("person", "")
    if role not in GUESTS:
        raise BadForm(f"there is no role {role[:20]!r}; there are {', '.join(sorted(GUESTS))}")
    if code:
        count_guess(request, code)
    device, token = known, ""
    guest = known is not None and known.role is not Role.HOST
    if code and not host.lets_in(code):
        if known is None or not host.devices.already_joined(code, known):
            device, token = host.devices.join(code)
    elif guest and not (code and role == known.role and not person):
        _looks_like_nobody_else(host, person)
        device = host.devices.become(known.id, Role(role), person, host.opened)
    elif known is None:
        if not code:
            raise NotJoined("type the code that the table shows")
        _looks_like_nobody_else(host, person)
        device, token = host.devices.admit(Role(role), person, host.opened)
    way_on = form.one("next", "")
    way_on = way_on if local(way_on) else "/"
    if not wants_json(request):
        answer: Response = RedirectResponse(way_on, 303)
    else:
        # A browser gets the token in its cookie, where no script reads it; programs ask for it.
        kept = {"token": token} if token and form.yes("token") else {}
        sentence = "This device has joined already, as" if device is known else "Joined as"
        answer = Json({"says": f"{sentence} {device.name}.", "device": _about(device), **kept})
    if token:
        keep_token(request, answer, token)
    return answer


def _looks_like_nobody_else(host: TableHost, person: str) -> None:
    typed = " ".join(person.split())
    for name in host.people():
        if typed != name and alike(typed) == alike(name):
            raise NotJoined(
                f"{name} plays here already: if that is you, choose {name}; if not, add something to your name, "
                "such as an initial"
            )


def keep_token(request: Request, answer: Response, token: str) -> None:
    """Let the browser keep a device's token, from now on for as long as a device is remembered."""
    answer.set_cookie(
        cookie_name(request.scope),
        token,
        COOKIE_SECONDS,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def count_guess(request: Request, code: str) -> None:
    """Count a code that was given, for its address and for all addresses together, before it is looked at.

    This machine's own addresses are one, and are not held up by what others in the network try; nor are devices
    that have joined. An address that has hardly tried is held up less than one that goes on trying. The table's
    own code is no guess, and free: a household may share one address, and joins in one minute.

    Raises:
        TooOften: it was one too many.
    """
    client = request.client.host if request.client else ""
    own, state = is_this_machine(request), request.app.state
    free = host_of(request).devices.is_the_tables(code)
    state.guesses.acquire("this machine" if own else client, free=free)
    if own or request.state.device is not None:
        return
    reserve = 0.0
    try:
        state.first_guesses.acquire(client, free=free)
    except TooOften:
        reserve = RESERVED
    state.all_guesses.acquire("the network", reserve=reserve, free=free)


def is_this_machine(request: Request) -> bool:
    """Whether the browser runs on this machine itself."""
    return request.client is not None and request.client.host.startswith("127.")


def leave(request: Request) -> Response:
    """This device leaves the table."""
    device: Device = request.state.device
    host_of(request).devices.revoke(device.id)
    answer = Json({"says": "Left."}) if wants_json(request) else RedirectResponse("/join", 303)
    secure = request.url.scheme == "https"
    answer.delete_cookie(cookie_name(request.scope), path="/", secure=secure, httponly=True, samesite="strict")
    return answer


def devices(request: Request) -> Response:
    """Every device that has joined."""
    return Json([_about(device) for device in host_of(request).devices.all()])


def revoke(request: Request) -> Response:
    """Let a device go: ``device`` is its id."""
    gone = host_of(request).devices.revoke(request.state.form.one("device"))
    return done(request, f"{gone.name} may do nothing here any more.")


def free(request: Request) -> Response:
    """Take a name from its device (``device`` is its id), so that another can have it."""
    host = host_of(request)
    device = host.devices.become(request.state.form.one("device"), Role.PLAYER, "", host.opened)
    return done(request, f"Its name is free; that phone is {device.name} now.")


def show_code(request: Request) -> Response:
    """Show the table's code on every screen (``shown``, ``large``), or fold it away; answers ``{code, path}``."""
    host, form = host_of(request), request.state.form
    host.show_code(shown := form.yes("shown"), form.yes("large"))
    sentence = "" if shown else "The code is folded away and works no more."
    return done(request, sentence, code=host.devices.code, path=join_path(host.devices.code))


def sessions(request: Request) -> Response:
    """Every session in the store, the last played first."""
    return Json([to_builtins(session) for session in host_of(request).sessions()])


def begin(request: Request) -> Response:
    """Begin a session: ``system``, ``session``, ``ruling.ID`` for each ruling, ``setup`` (JSON).

    ``seed`` is another session's name or a word, to deal the same cards as there.
    """
    form: Form = request.state.form
    rulings = {
        field.removeprefix("ruling."): form.one(field) for field in form.fields if field.startswith("ruling.")
    }
    live = host_of(request).begin(
        form.one("system"),
        form.one("session").strip(),
        seed=form.one("seed", "").strip(),
        rulings={**object_in(form, "rulings"), **rulings},
        setup=object_in(form, "setup"),
    )
    return done(
        request,
        f"{live.session.system.title} begins.",
        way_on=form.one("next", "") if local(form.one("next", "")) else table_path(live.name, request.app.routes),
        session=live.name,
        path=table_path(live.name, request.app.routes),
    )


def ready(request: Request) -> Response:
    """Begin a session that is set up already: ``system``, its ``title``; ``cards`` from one's own cards."""
    form: Form = request.state.form
    live = host_of(request).begin_ready(
        form.one("system"), from_cards=form.yes("cards"), title=form.one("title", "")
    )
    path = table_path(live.name, request.app.routes)
    return done(request, f"{live.name} begins.", way_on=path, session=live.name, path=path)


def table_path(session: str, routes: Sequence[BaseRoute]) -> str:
    """The page on which a session is played; the start page, where it can be renamed, if it can have none."""
    return f"/table/{quote(session)}" if has_page(session, routes) else "/"


def has_page(session: str, routes: Sequence[BaseRoute]) -> bool:
    """Whether one of the ``routes`` opens the page of a session; old names may lead to that of another.

    ``a/journal`` does, to the journal of ``a``; and browsers take ``.`` and ``..`` out of every address.
    """
    if {"", ".", ".."} & set(session.split("/")):
        return False
    asked = {"type": "http", "method": "GET", "path": f"/table/{session}"}
    for known in routes:
        match, found = known.matches(asked)
        if match is Match.FULL:
            return bool(found["path_params"] == {"session": session})
    return False


def open_session(request: Request) -> Response:
    """Open a session for everybody: ``session``."""
    live = host_of(request).open(request.state.form.one("session"))
    path = table_path(live.name, request.app.routes)
    return done(request, f"{live.name} is open.", way_on=path, session=live.name, path=path)


def rename(request: Request) -> Response:
    """Give a session another name: ``session``, ``name``."""
    form: Form = request.state.form
    live = host_of(request).rename(form.one("session"), form.one("name").strip())
    return done(request, f"The session is called {live.name} now.", session=live.name)


def take_out(request: Request) -> Response:
    """A session as one file."""
    name = request.path_params["session"]
    packed = host_of(request).export(name)
    plain = "".join(c if c.isascii() and (c.isalnum() or c in " -_.") else "-" for c in name)
    disposition = f"attachment; filename=\"{plain}{SUFFIX}\"; filename*=UTF-8''{quote(name + SUFFIX)}"
    return Response(
        packed, media_type="application/x-loomtable-session", headers={"content-disposition": disposition}
    )


def bring_in(request: Request) -> Response:
    """Keep a session from a file, under its own name or the one in ``name``."""
    form: Form = request.state.form
    if form.file is None:
        raise BadForm(f"choose a session's file ({SUFFIX}), {MOST_UPLOAD // 1_000_000} MB at most")
    name = form.one("name", "").strip() or request.query_params.get("name", "").strip()
    live = host_of(request).bring_in(form.file, name or None)
    lines, way_on = len(live.session.lines()), table_path(live.name, request.app.routes)
    counted = ImportSum(live.name, lost=["notes, lines and veils, and pictures, which no file holds"])
    counted.count(lines, lines, "line", "lines")  # one that is damaged has been refused
    return done(request, f"{live.name} is here now. {counted.sums()[0]}.", way_on=way_on, session=live.name)


def certificate(request: Request) -> Response:
    """The authority behind this table's certificate, for phones whose owners want no warning."""
    made = getattr(request.app.state, "certificate", None)
    if made is None:
        raise NotThere("this table is open on this machine only, so it has no certificate")
    return Response(made.authority.read_bytes(), media_type="application/x-x509-ca-cert")


def _about(device: Device) -> dict[str, object]:
    return {
        "id": device.id,
        "name": device.name,
        "role": device.role,
        "person": device.person,
        "session": device.session,
        "joined": device.joined,
        "seen": round(device.seen),
    }


ROUTES = (
    route("/certificate.crt", certificate, roles=ANYBODY),
    route("/join", join, methods=["POST"], roles=ANYBODY),
    route("/leave", leave, methods=["POST"], roles=EVERYBODY),
    route("/api/pairing", pair, methods=["POST"], roles=HOST),
    route("/api/code", show_code, methods=["POST"], roles=HOST),
    route("/api/devices", devices, roles=HOST),
    route("/api/devices/revoke", revoke, methods=["POST"], roles=HOST),
    route("/api/devices/free", free, methods=["POST"], roles=HOST),
    route("/api/sessions", sessions, roles=HOST),
    route("/api/sessions/begin", begin, methods=["POST"], roles=HOST),
    route("/api/sessions/ready", ready, methods=["POST"], roles=HOST),
    route("/api/sessions/open", open_session, methods=["POST"], roles=HOST),
    route("/api/sessions/rename", rename, methods=["POST"], roles=HOST),
    route("/api/sessions/bring-in", bring_in, methods=["POST"], roles=HOST, body=Body.UPLOAD),
    route("/api/play/{session:path}/export", take_out, roles=HOST),
)
