"""The camera of a live session: what lies on the table is kept as a scene, and what answers the open question is
offered. Where hands lead the table, what they have done is offered as well, whatever is asked.

No picture is ever kept. Of dice that somebody confirmed their crops are, on this machine, unless that is switched
off.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from loomtable.engine.kernel.answer_cards import AnswerCard, answer_of
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError, ReadingMisfit
from loomtable.engine.kernel.gestures import LETTERS, Offer, Table
from loomtable.engine.kernel.offered import offers, rolls_ahead
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import DiceReading
from loomtable.engine.kernel.requests import Choose, Flip, Request, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.table.hosting.camera_words import seen_so_far, waiting_for
from loomtable.table.hosting.card_row import as_row
from loomtable.table.hosting.differences import Difference, Differences
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.hosting.event_bus import Change, Topic
from loomtable.table.hosting.locks import Order, OrderedLock
from loomtable.table.hosting.phone_cameras import PhoneCameras
from loomtable.table.hosting.proposal import Proposal, as_jpeg, beside
from loomtable.table.hosting.proposals import Proposals, Watched
from loomtable.table.hosting.rights import whose
from loomtable.table.hosting.sources import open_camera
from loomtable.table.hosting.watcher import Watcher
from loomtable.table.reading.answers import answer_of_cards, answer_of_tray, cards_meant, look_at, wanted_for
from loomtable.table.reading.board import BoardLook, stand_on
from loomtable.table.reading.card_geometry import on_card
from loomtable.table.reading.hands import Hands
from loomtable.table.reading.kept_cameras import keep_camera, kept_prints
from loomtable.table.reading.pictures import card_marks, dice_marks
from loomtable.table.reading.scene import Scene, SceneReader, Wanted
from loomtable.table.screens import game_screen
from loomtable.vision.camera import FrameSource
from loomtable.vision.cards import CardScan
from loomtable.vision.dice import Pool, warm_up
from loomtable.vision.overlay import Mark, draw_marks
from loomtable.vision.pictures import BgrImage
from loomtable.vision.table_looks import TableLook
from loomtable.vision.tray import SeenDie, assess_tray

WATCHING = "watching the table"
SMALL_NUMERAL = 45
"""Pixels of an upper face below which a numeral is taken only when somebody agrees; set by hand."""
MIN_BY_ITSELF = 0.95
"""Confidence of a die from which it is taken without anybody where no layout is sure; set by hand: of 80 of them
thrown on drawn tables all but one had 0.96 and more, and that one was misread."""
LAY_FREE = "lay it flat, clear of other cards, or begin the scene and type it"


class TableWatch:
    """Watches for one live session: ``camera`` has the frames, ``proposals`` what is offered of them.

    A second camera may see a ``tray``: then dice are read there, and everything else before the first.

    Args:
        live: the session whose open question is answered.
        opens: opens a camera by what people call it.
        clock: seconds that run on, for countdowns and for how long nothing has changed. With another than the
            wall's a phone may take its time from frame to frame.
    """

    def __init__(
        self,
        live: Watched,
        opens: Callable[[str], FrameSource] = open_camera,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._live, self._clock = live, clock
        self.leads = False
        """Whether hands lead the table; ``lead`` sets it."""
        self._hands, self._ready, self._begun = Hands(), False, ""
        self._pools: tuple[Pool, ...] = ()
        self._judged: tuple[int, Table, tuple[str, ...]] | None = None
        """What the offers that are known now were made of."""
        self.remark: Offer | None = None
        """What hands have done that cannot be taken, and why."""
        self._differences = Differences(self._hands)
        self._looks = OrderedLock(Order.LOOK)
        self._reader = SceneReader()
        self._asked: tuple[int, Request | None] = (-1, None)
        self._cards: tuple[ComponentId, ...] = ()
        """The cards that were offered, or asked about, last."""
        self._sees = ""
        real_time = clock is time.monotonic
        self.camera = Watcher(self, opens, real_time=real_time)
        self.tray = Watcher(_Tray(self), opens, real_time=real_time)
        self.proposals = Proposals(live, self._say, lambda offer: self._hands.use(offer.things, offer.about))
        self.phones = PhoneCameras(lambda: live.bus.publish(Change(Topic.DEVICES, live.revision)))

    @property
    def on(self) -> bool:
        """Whether a camera is on, over the table or over the tray."""
        return self.camera.on or self.tray.on

    @property
    def busy(self) -> bool:
        """Whether a camera is on, or something is offered."""
        return self.on or self.proposals.current is not None

    @property
    def name(self) -> str:
        """What people call the camera, or both; empty where none is on."""
        return f"{self.camera.name}, with {self.tray.name} for the dice" if self.tray.name else self.camera.name

    @property
    def trouble(self) -> str:
        """What is wrong with a camera, in words; empty where all is well."""
        over_table, over_tray = self.camera.lease, self.tray.lease
        if over_tray.on and over_table.lost != over_tray.lost:
            where, goes_on = ("table", "one over the tray still reads dice")
            if over_tray.lost:
                where, goes_on = ("tray", "other one still reads the table, so tap or type what you roll")
            gone = over_tray if over_tray.lost else over_table
            return f"the camera over the {where} ({gone.name}) has stopped and is tried again; the {goes_on}"
        return over_table.trouble or over_tray.trouble

    @property
    def says(self) -> str:
        """What it is waiting for or sees, in words."""
        return self.camera.status or (self.tray.status if self.tray.name else "") or self._sees

    @property
    def stands(self) -> str:
        """From where the camera sees the table, in words; empty where that is not known."""
        pose = self._reader.dice.camera
        known = self.camera.on and pose is not None and pose.is_known
        return (
            f"The camera stands {pose.elevation:.0f} degrees above the table."
            if known and pose is not None
            else ""
        )

    @property
    def public_says(self) -> str:
        """The same without what was read of a card."""
        if self.trouble:
            return self.trouble
        return "looking for a card" if isinstance(self._asked[1], ShowCard) else self.says

    def picture(self, *, close: bool = False) -> bytes | None:
        """The latest frame as a JPEG; while a proposal stands, what was read, drawn on it or ``close`` by."""
        proposal, frame, tray = self.proposals.current, self.camera.frame, self.tray.frame
        if proposal is not None:
            return proposal.close_up_jpeg if close else proposal.jpeg
        if frame is None or not (self.leads or tray is not None):
            alone = tray if frame is None else frame
            return as_jpeg(alone) if alone is not None else None
        shown = draw_marks(frame, self._marks()) if self.leads else frame
        if tray is not None:
            dice = self._reader.scene.dice
            shown = beside(shown, draw_marks(tray, dice_marks(dice)) if self.leads and dice is not None else tray)
        return as_jpeg(shown)

    def _marks(self) -> list[Mark]:
        """What is known of the table, to be drawn on its picture."""
        scene = self._reader.scene
        figures = scene.board.standings if scene.board is not None else ()
        known = [Mark(piece.outline, piece.name, piece.verdict) for piece in figures if piece.outline is not None]
        with self._live.held() as session:
            marked = game_screen(session.system.key).marked
            whose = marked(session) if marked is not None else {}
        return [*card_marks(CardScan(scene.cards), whose=whose), *known]

    def stop(self) -> None:
        """Give both cameras back, and offer nothing any more; a phone begins again when its person says so."""
        self.phones.forget()
        self.camera.stop()
        self.tray.stop()
        if self.proposals.standing is not None:
            self.proposals.withdraw()

    def start(self, spec: str, *, tray: bool = False) -> None:
        """Watch with this camera; with ``tray``, for the dice alone, beside the one that is on.

        Raises:
            CameraGone: the camera that sees the rest is still to be chosen.
            CameraMissing, FileUnreadable: it cannot be opened.
        """
        if tray and not self.camera.name:
            raise CameraGone("choose the camera that sees the table first, then the one over the tray")
        (self.tray if tray else self.camera).start(spec)

    def stop_tray(self) -> None:
        """Give the second camera back; dice are looked for on the table again."""
        self.tray.stop()
        self.begin_dice_anew()

    def look_again(self) -> None:
        """Forget what was read, and read what lies there now.

        Raises:
            CameraGone: no camera is on.
        """
        if not self.on:
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

    # Hands

    def lead(self, on: bool) -> None:
        """Let hands lead the table, or only what is asked."""
        if self.leads != on:
            self.leads = on
            self.begin_anew()
            self.changed()

    def stop_proposal(self, number: int) -> None:
        """What is offered is not what was meant; what lies there for it means nothing any more.

        Raises:
            ReadingMisfit: it is not offered any more.
        """
        proposal = self.proposals.numbered(number)
        for offer in proposal.offers:
            self._hands.use(offer.things, offer.about)
        self.proposals.withdraw(keeps_roll=True)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Where the table and the record differ, and nobody has said what is right."""
        return self._differences.open

    def table_is_right(self, about: str, *, by: str, revision: int) -> None:
        """Where something is on the table counts.

        Raises:
            ReadingMisfit: table and record agree, or the rules do not allow it.
            StalePage, LoomtableError: as ``LiveSession.take``.
        """
        differs = self._differences.named(about)
        if differs.offer is None:
            raise ReadingMisfit(f"the rules do not allow that now; {differs.says}")
        self.proposals.play(differs.offer, by=by, revision=revision)

    def record_is_right(self, about: str) -> str:
        """Where the record has something counts: nothing is said of it until it moves. What to do, in words.

        Raises:
            ReadingMisfit: table and record agree.
        """
        says = self._differences.settle(about)
        self.changed()
        return says

    def played_on(self, *, goes_on: bool) -> None:
        """The session has changed; where it does not go on, as after an undo, nothing there means anything."""
        if goes_on:
            if self.remark is not None:  # what was refused is not kept for later
                self._hands.use(self.remark.things, self.remark.about)
            self._hands.play_on()
        else:
            self._hands.use_all()
            self._differences.put_back = {}
        self.proposals.asked_anew(goes_on=goes_on)

    def _by_hand(self, scene: Scene, revision: int, request: Request | None, frame: BgrImage, at: float) -> None:
        """Offer what hands have done, once they are away."""
        if not self._ready:
            if scene.rests:
                self._hands.see(scene)
                self._hands.use_all()
                self._ready = True
            return
        # A card that is asked for is read for that alone; it may be for one person's eyes.
        pose = self._reader.dice.camera
        flat = pose.flat if pose is not None and pose.is_measured and not self._reader.has_tray else None
        others = (request.kind,) if isinstance(request, ShowCard) else ()
        table = self._hands.see(scene, others, at=at, flat=flat)
        new = table.things(Kind.ANSWER)
        laid = [card for card in new if card not in scene.unsure]
        # Go on may come in the place of Pause, with no bare table between: it changes nothing but the screens.
        if AnswerCard.PAUSE.id in laid or (self._live.pause.on and AnswerCard.GO_ON.id in new):
            self._hands.use(new)
            self._live.pause.set(AnswerCard.PAUSE.id in laid)
            return
        if scene.disturbed or self._live.pause.on:
            return
        if len(laid) == 1 and self._decided(laid[0], at):
            self._hands.use(laid)
            return
        judged = (revision, table, scene.board.lines if scene.board is not None else ())
        if judged == self._judged:
            self.proposals.gesture_goes_on(at)
            return
        self._judged = judged
        placed = scene.board.offer if scene.board is not None else None
        with self._live.held() as session:
            found = offers(session, table)
            if placed is not None and self._hands.means(placed):
                found = (*found, placed)
            self._differences.compare(session, scene.board)
        legal = tuple(move for move in found if move.legal)
        before = [self.remark] if self.remark is not None else []
        illegal = [move for move in found if move.says and not move.legal]
        self.remark = illegal[0] if illegal and not legal else None
        # While figures are still being put where the record has them, a move is asked about.
        elsewhere = {figure.who for figure in table.figures} - self._differences.put_back.keys()
        moved = {move.about for move in legal} & elsewhere
        sure = (not moved or moved == elsewhere) and all(move.sure for move in legal) and not scene.under_way
        # What the rules refuse may be what is meant, or what is left of what they refused before.
        refused = {thing for move in (*before, *illegal) for thing in move.things}
        sure = sure and not any(move.things and refused.issuperset(move.things) for move in legal)
        in_doubt = scene.unsure | {lies.thing for lies in table.lying if not lies.sure}
        sure = sure and not any(in_doubt.intersection(move.things) for move in legal)
        if table.thrown is not None and scene.roll is not None:
            sure = sure and not self._has_to_be_confirmed(scene.roll.dice, scene)
        boxes = tuple(box for move in legal for box in self._hands.boxes(move.things, move.about))
        if scene.roll is not None and any(isinstance(step, DiceReading) for move in legal for step in move.steps):
            boxes += tuple(die.box for die in scene.roll.dice)
        by = self._name if sure else ""
        self.proposals.gesture(legal, revision, frame, boxes, taken_by=by, at=at)
        self.changed()

    def _decided(self, laid: ComponentId, at: float) -> bool:
        """Whether an answer card said what becomes of the proposal that stands, which it is not itself."""
        proposal, card = self.proposals.current, answer_of(laid)
        if proposal is None or not (proposal.sure or proposal.offers):
            return False
        if any(laid in offer.things for offer in proposal.offers):
            return False
        place = LETTERS.index(card) + 1 if card in LETTERS and len(proposal.offers) > 1 else 0
        try:
            if proposal.sure and card is AnswerCard.GO_ON:
                self.proposals.count_down(proposal.number, by=self._name, at=at)
            elif (proposal.sure and card is AnswerCard.YES) or 1 <= place <= len(proposal.offers):
                self.proposals.accept(
                    proposal.number, by=self._name, revision=proposal.revision, which=max(place, 1)
                )
            elif card in (AnswerCard.NO, AnswerCard.UNDO):
                self.stop_proposal(proposal.number)
            else:
                return False
        except LoomtableError as error:
            self._say(str(error))
        return True

    def _wanted(self, session: Session[object], request: Request | None) -> Wanted:
        """What has to be looked for now."""
        wanted = wanted_for(request)
        if not self.leads:
            return wanted
        # Dice that were rolled for this action are left lying, and some of them are thrown again.
        pools = wanted.pools
        if request is None or isinstance(request, Choose):
            pools = tuple(dict.fromkeys(pool for roll in rolls_ahead(session) for pool in wanted_for(roll).pools))
        if request is not None and _rolled_already(session):
            pools = tuple(dict.fromkeys((*self._pools, *pools)))
        else:
            self._pools = pools
        screen, there = game_screen(session.system.key), None
        if screen.board is not None:
            with suppress(LoomtableError):  # it is played on no map now
                there = screen.board(session)
        before = session.copy() if screen.placed is not None else None

        def read(look: TableLook) -> BoardLook:
            seen = stand_on(there, look) if there is not None else BoardLook()
            if screen.placed is None or before is None:
                return seen
            offer, counters = screen.placed(before, look)
            return dataclasses.replace(seen, offer=offer, counters=(*seen.counters, *counters))

        board = read if there is not None or before is not None else None
        # While something else is asked a playing card says nothing, and is not read.
        turned = wanted.playing_cards or (screen.playing_cards and request is None)
        return Wanted(pools, cards=True, hands=True, playing_cards=turned, board=board)

    # For the camera

    def get_ready(self) -> None:
        """Load the networks before the first roll is waited for."""
        warm_up()

    def begin_anew(self) -> None:
        """Look as if for the first time: another camera, or the same one elsewhere."""
        with self._looks:
            self._reader, self._cards, self._asked, self._sees = SceneReader(), (), (-1, None), "looking"
            self._hands, self._ready, self._judged, self._begun = Hands(), False, None, ""
            self._pools, self.remark, self._differences = (), None, Differences(self._hands)
            self.proposals.withdraw()

    def begin_dice_anew(self) -> None:
        """Look for dice as if for the first time, with the camera that sees them now; all else lies as it lay."""
        with self._looks:
            self._reader.begin_dice_anew()
            self._begun, standing = "", self.proposals.standing
            if standing is not None and standing.tray is not None:
                self.proposals.withdraw()

    def look(self, frame: BgrImage | None) -> bool:
        """Bring the scene up to date, and offer what of it answers the open question, or what hands have done.

        Without a ``frame`` only the camera over the tray has one.
        """
        with self._looks:
            return self._look(frame)

    def _look(self, frame: BgrImage | None) -> bool:
        at = self._clock()
        revision, request = self._pending()
        with self._live.held() as session:
            wanted = self._wanted(session, request) if self._asked[0] != revision else None
        reader = self._reader
        if wanted is not None:
            self._asked, self._cards = (revision, request), ()
            reader.look_for(wanted, at)
            asks = isinstance(request, Roll | Flip | ShowCard)
            self._say(waiting_for(request) if asks or not self.leads else WATCHING)
        reader.has_tray, tray = bool(self.tray.name), self.tray.frame
        with_dice = frame if tray is None else tray
        if with_dice is None:
            return True
        before, scene = reader.scene, self._read(reader, frame, at, tray)
        if scene.disturbed:
            standing = self.proposals.standing
            on_dice = standing is not None and standing.tray is not None and scene.in_tray
            seen_in = with_dice if on_dice or frame is None else frame
            touched = standing is not None and reader.touched(standing.boxes, seen_in, in_tray=on_dice)
            self.proposals.hold(touched=touched)
        if isinstance(request, ShowCard) and frame is not None:
            self._offer_cards(request, revision, scene, frame, at)
        elif isinstance(request, Roll | Flip):
            self._offer_dice(request, revision, before, scene, with_dice, at)
        elif self.leads:
            doubts = [card.doubt.removeprefix("it ") for card in scene.cards if card.card.kind is Kind.POKER]
            doubt = next(filter(None, doubts), "")
            self._say(scene.disturbed or (f"a playing card {doubt}; {LAY_FREE}" if doubt else WATCHING))
        if self.leads and frame is not None:
            self._by_hand(scene, revision, request, frame, at)
        if not scene.disturbed:
            self.proposals.tick(at)
        return scene.read

    def _read(self, reader: SceneReader, frame: BgrImage | None, at: float, tray: BgrImage | None) -> Scene:
        """The scene in a frame; what the camera has seen of how the table lies is kept until it is moved."""
        lease, seen = (self.tray.lease, tray) if reader.has_tray else (self.camera.lease, frame)
        name = lease.kept_as
        if seen is None:
            return reader.read(frame, at, tray)
        if self._begun != name:
            self._begun = name
            reader.dice.see_prints(kept_prints(name, seen), seen)
        lay = reader.dice.prints
        scene = reader.read(frame, at, tray)
        if reader.dice.prints != lay:
            keep_camera(name, reader.dice.prints, seen)
        return scene

    def _offer_dice(
        self, request: Roll | Flip, revision: int, before: Scene, scene: Scene, frame: BgrImage, at: float
    ) -> None:
        if scene.disturbed:
            self.proposals.hide()
            self._say(scene.disturbed)
            return
        if scene.dice is not None and scene.dice is not before.dice:
            self._say(seen_so_far(request, scene.dice, frame))
        lying = scene.roll if scene.roll is not before.roll else None
        if lying is not None and (scene.thrown or scene.fallen or not self.leads):
            many = _asked_for(request)
            thrown = scene.thrown and (not self.leads or scene.all_fallen or len(scene.fallen) == many)
            if self.leads and len(scene.fallen) == many < len(lying.dice):  # others are left from the last roll
                lying = assess_tray(scene.fallen, None, 0)
            seen = answer_of_tray(request, lying)
            by = self._name if thrown and not self._has_to_be_confirmed(lying.dice, scene) else ""
            self.proposals.offer(request, revision, seen, frame, roll=scene.roll, taken_by=by, at=at)

    def _has_to_be_confirmed(self, dice: Sequence[SeenDie], scene: Scene) -> bool:
        """Whether somebody has to agree, however surely the dice were read. Without a sure layout small numerals
        are misread, and where one camera sees the whole table, two faces of a die to its side look alike. What is
        seen on a card may be printed there."""
        printed = not scene.in_tray and any(on_card(card, die.centre) for card in scene.cards for die in dice)
        if printed or any(die.confidence < MIN_BY_ITSELF and not die.laid_out for die in dice):
            return True
        numerals = [die.box for die in dice if die.name not in ("d6", "weave", "coin") and not die.laid_out]
        least = math.inf if self.leads and not self._reader.has_tray else SMALL_NUMERAL
        return any(max(right - left, bottom - top) < least for left, top, right, bottom in numerals)

    def _offer_cards(self, request: ShowCard, revision: int, scene: Scene, frame: BgrImage, at: float) -> None:
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
        by = self._name if set(meant) <= scene.laid and not scene.under_way else ""
        self.proposals.offer(request, revision, seen, frame, taken_by=by, at=at)
        self._hands.use(meant)

    @property
    def _name(self) -> str:
        return f"the camera ({self.name})"

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
        changed, self._sees = sees != self._sees, sees
        if changed:
            self.changed()

    def changed(self) -> None:
        """Tell whoever listens."""
        self._live.bus.publish(Change(Topic.CAMERA, self._live.revision))


class _Tray:
    """Looks at the frames of the camera over the tray: the other one takes the latest, unless it is lost."""

    def __init__(self, watch: TableWatch) -> None:
        self.changed, self.begin_anew = watch.changed, watch.begin_dice_anew
        self._watch = watch

    def get_ready(self) -> None:
        """The other camera does that."""

    def look(self, frame: BgrImage) -> bool:
        """As ``Looker``."""
        return self._watch.look(None) if self._watch.camera.lease.lost else True


def _asked_for(request: Roll | Flip) -> int:
    return request.count if isinstance(request, Roll) else 1


def _rolled_already(session: Session[object]) -> bool:
    """Whether dice were rolled since the action began that is being played."""
    steps = (played.step.what for played in reversed(session.played))
    since = itertools.takewhile(lambda what: not isinstance(what, Action), steps)
    return any(isinstance(what, DiceReading) for what in since)
