"""The camera of a live session: what lies on the table is kept as a scene, and what answers the open question is
offered.

No picture is ever kept. Of dice that somebody confirmed their crops are, on this machine, unless that is switched
off.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.requests import Flip, Request, Roll, ShowCard
from loomtable.table.hosting.camera_words import seen_so_far, waiting_for
from loomtable.table.hosting.card_row import as_row
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.hosting.event_bus import Change, Topic
from loomtable.table.hosting.proposal import Proposal
from loomtable.table.hosting.proposals import Proposals, Watched
from loomtable.table.hosting.rights import whose
from loomtable.table.hosting.sources import open_camera
from loomtable.table.hosting.watcher import Watcher
from loomtable.table.reading.answers import answer_of_cards, answer_of_tray, cards_meant, look_at, wanted_for
from loomtable.table.reading.scene import Scene, SceneReader
from loomtable.vision.camera import FrameSource
from loomtable.vision.dice import warm_up
from loomtable.vision.pictures import BgrImage


class TableWatch:
    """Watches for one live session: ``camera`` has the frames, ``proposals`` what is offered of them.

    Args:
        live: the session whose open question is answered.
        opens: opens a camera by what people call it.
    """

    def __init__(self, live: Watched, opens: Callable[[str], FrameSource] = open_camera) -> None:
        self._live = live
        self._lock = threading.RLock()
        self._reader = SceneReader()
        self._asked: tuple[int, Request | None] = (-1, None)
        self._cards: tuple[ComponentId, ...] = ()
        """The cards that were offered, or asked about, last."""
        self.thrown: BgrImage | None = None
        """The latest frame, where something was thrown for the open question and nothing moves now."""
        self._sees = ""
        self.camera = Watcher(self, opens)
        self.proposals = Proposals(live, self._say)

    @property
    def busy(self) -> bool:
        """Whether a camera is on, or something is offered."""
        return self.camera.on or self.proposals.current is not None

    @property
    def says(self) -> str:
        """What it is waiting for or sees, in words."""
        return self.camera.status or self._sees

    @property
    def public_says(self) -> str:
        """The same without what was read of a card."""
        if self.camera.trouble:
            return self.camera.trouble
        return "looking for a card" if isinstance(self._asked[1], ShowCard) else self.says

    def picture(self, *, close: bool = False) -> bytes | None:
        """The latest frame as a JPEG; while a proposal stands, what was read, drawn on it or ``close`` by."""
        proposal = self.proposals.current
        if proposal is None:
            return self.camera.jpeg()
        return proposal.close_up_jpeg if close else proposal.jpeg

    def stop(self) -> None:
        """Give the camera back, and offer nothing any more."""
        if self.busy:
            self.camera.stop()
            self.thrown = None
            self.proposals.withdraw()

    def look_again(self) -> None:
        """Forget what was read, and read what lies there now.

        Raises:
            CameraGone: no camera is on.
        """
        if not self.camera.on:
            raise CameraGone("no camera is on; choose one, or type what you rolled")
        self.begin_anew()

    def wanted(self) -> tuple[int, Request]:
        """What is asked that a photograph can answer, and the journal's length.

        Raises:
            ReadingMisfit: nothing is asked, or nothing that can be photographed.
        """
        revision, request = self._pending()
        if request is None:
            raise ReadingMisfit("nothing is asked for at the moment, so there is nothing to photograph")
        if not isinstance(request, Roll | Flip | ShowCard):
            raise ReadingMisfit("only dice, coins and cards can be photographed; type the answer")
        return revision, request

    def show(self, picture: BgrImage, asked: Request | None = None) -> Proposal:
        """Read one photograph that somebody took of what is asked, or of the part of it that they are ``asked``.

        Raises:
            ReadingMisfit: nothing is asked, or nothing that can be photographed.
        """
        revision, request = self.wanted()
        request = asked or request
        seen = look_at(request, picture)
        with self._live.held() as session:
            seen = as_row(session, seen)
        return self.proposals.show(request, revision, seen, picture)

    # For the camera

    def get_ready(self) -> None:
        """Load the networks before the first roll is waited for."""
        warm_up()

    def begin_anew(self) -> None:
        """Look as if for the first time: another camera, or the same one elsewhere."""
        with self._lock:
            self._reader, self._cards, self._asked, self._sees = SceneReader(), (), (-1, None), "looking"
        self.proposals.withdraw()

    def look(self, frame: BgrImage) -> bool:
        """Bring the scene up to date, and offer what of it answers the open question."""
        revision, request = self._pending()
        with self._lock:
            reader, asked_anew = self._reader, self._asked[0] != revision
            if asked_anew:
                self._asked, self._cards = (revision, request), ()
                reader.look_for(wanted_for(request))
        if asked_anew:
            self._say(waiting_for(request))
        before, scene = reader.scene, reader.read(frame)
        self.thrown = frame if scene.thrown and not scene.disturbed else None
        if isinstance(request, ShowCard):
            self._offer_cards(request, revision, scene, frame)
        elif isinstance(request, Roll | Flip):
            self._offer_dice(request, revision, before, scene, frame)
        return scene.read

    def _offer_dice(
        self, request: Roll | Flip, revision: int, before: Scene, scene: Scene, frame: BgrImage
    ) -> None:
        if scene.disturbed:
            self.proposals.hide()
            self._say(scene.disturbed)
            return
        if scene.dice is not None and scene.dice is not before.dice:
            self._say(seen_so_far(request, scene.dice, frame))
        if scene.roll is not None and scene.roll is not before.roll:
            seen = answer_of_tray(request, scene.roll)
            by = self._name if scene.thrown else ""
            self.proposals.offer(request, revision, seen, frame, roll=scene.roll, taken_by=by)

    def _offer_cards(self, request: ShowCard, revision: int, scene: Scene, frame: BgrImage) -> None:
        meant = cards_meant(request, scene)
        if meant and meant == self._cards:
            return
        self._cards = meant
        seen = answer_of_cards(meant, scene)
        if len(meant) > 1 and len(scene.sure_cards) == len(scene.cards):
            with self._live.held() as session:
                seen = as_row(session, seen)
        if seen.answer is None:
            self._say(seen.says)
            return
        by = self._name if set(meant) <= scene.laid else ""
        self.proposals.offer(request, revision, seen, frame, taken_by=by)

    @property
    def _name(self) -> str:
        return f"the camera ({self.camera.name})"

    def _pending(self) -> tuple[int, Request | None]:
        """What is asked: of dice that several roll those of the first; a picture does not say whose they are."""
        with self._live.held() as session:
            asked = session.pending
            return self._live.revision, asked.first if isinstance(asked, Roll) else asked

    @property
    def reads_for(self) -> str:
        """Whose dice are read, where several roll."""
        asked = self._pending()[1]
        return "" if asked is None else ", ".join(whose(asked))

    def _say(self, sees: str) -> None:
        with self._lock:
            changed, self._sees = sees != self._sees, sees
        if changed:
            self.changed()

    def changed(self) -> None:
        """Tell whoever listens."""
        self._live.bus.publish(Change(Topic.CAMERA, self._live.revision))
