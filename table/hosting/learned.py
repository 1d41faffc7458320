"""Dice that were learned from confirmed rolls: looked at, forgotten, switched off, for all sessions at once."""

from __future__ import annotations

import cv2
from starlette.requests import Request
from starlette.responses import Response

from loomtable.table.hosting.errors import NotThere
from loomtable.table.hosting.guard import HOST, GuardedRoute, route
from loomtable.table.hosting.responses import done
from loomtable.vision.dice.enrolment.rolls import confirmed_rolls, forget_rolls
from loomtable.vision.dice.enrolment.storage import learn_from_rolls


def crops(request: Request) -> Response:
    """The pictures of one kind of dice as a PNG, a row for each face."""
    for learned in confirmed_rolls():
        if learned.kind.value == request.path_params["kind"]:
            return Response(cv2.imencode(".png", learned.sheet())[1].tobytes(), media_type="image/png")
    raise NotThere("no dice of this kind have been learned from rolls")


def switch(request: Request) -> Response:
    """Whether confirmed rolls are learned from: ``learns``."""
    learns: bool = request.state.form.yes("learns")
    learn_from_rolls(learns)
    return done(request, f"Learning from your rolls is {'on' if learns else 'off'} now.")


def forget(request: Request) -> Response:
    """Forget all confirmed rolls."""
    forget_rolls()
    return done(request, "What was learned from rolls is forgotten.")


ROUTES: tuple[GuardedRoute, ...] = (
    route("/api/dice/{kind}.png", crops, roles=HOST),
    route("/api/dice/learning", switch, methods=["POST"], roles=HOST),
    route("/api/dice/forget", forget, methods=["POST"], roles=HOST),
)
