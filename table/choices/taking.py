"""The camera and the dice as a page shows them: what is seen, what was read, and what can be tapped instead."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.gestures import LETTERS
from loomtable.engine.kernel.requests import Flip, Roll
from loomtable.table.hosting.camera_words import meant
from loomtable.table.hosting.devices import Device
from loomtable.table.hosting.differences import Difference
from loomtable.table.hosting.proposal import Proposal, SeenFace
from loomtable.table.hosting.rights import whose
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.hosting.watcher import OFF
from loomtable.vision.verdict import how_sure

WIDE = 1000.0
"""Width of the picture in the units of what is drawn over it."""


class FaceShown(msgspec.Struct, frozen=True):
    """One face that can be tapped."""

    value: str
    label: str
    picture: str
    """Its name in the sheet of faces."""
    pips: str = ""
    """The ordinary d6 that may stand in for it, in the sheet of faces."""
    likely: bool = False
    """Whether a doubtful die most likely shows it."""


class DieSeen(msgspec.Struct, frozen=True):
    """One die of what the camera read, and what it can be instead."""

    place: int
    face: str
    picture: str
    pips: str
    """The d6 that lies there in its place; empty where it lies there itself."""
    doubt: str
    sure: str
    corrected: bool
    faces: tuple[FaceShown, ...]
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    """Where it lies in the picture, in its units."""


class CameraShown(msgspec.Struct, frozen=True):
    """What the camera sees, and what it proposes."""

    on: bool
    name: str
    says: str
    trouble: str
    pictures: bool = False
    number: int = 0
    """Which proposal stands; 0 where none does."""
    verdict: str = ""
    reads: str = ""
    """What was read, for people who cannot see the picture."""
    sure: bool = False
    """Whether it can be taken as it is."""
    dice: tuple[DieSeen, ...] = ()
    wide: float = WIDE
    high: float = WIDE
    counting: bool = False
    """Whether it is taken by itself before long."""
    cards: int = 0
    """How many cards of a row were read; fewer than two are none."""
    whose: str = ""
    """Whose dice are read, where several roll."""
    waiting: tuple[str, ...] = ()
    """Cards of a row that was taken which wait for their question."""
    lost: str = ""
    """What opens the camera again that is lost; empty where none is, or where it is a phone's."""
    lost_tray: bool = False

    @property
    def doubted(self) -> DieSeen | None:
        """The die to ask about next."""
        return next((die for die in self.dice if die.doubt and not die.corrected), None)


class Way(msgspec.Struct, frozen=True):
    """One way to read what hands have done."""

    letter: str
    """The answer card that says it."""
    says: str


class HandsShown(msgspec.Struct, frozen=True):
    """What hands have done, and where the table and the record differ, for one viewer."""

    leads: bool
    number: int = 0
    """Which proposal stands; 0 where none does."""
    says: str = ""
    by: str = ""
    """Which cards said so, and where they are."""
    answers: bool = False
    """Whether it answers what is asked, and is shown with the question to whoever answers it."""
    ways: tuple[Way, ...] = ()
    """What it can mean, where there are several; then people say which."""
    counting: bool = False
    """Whether it is taken by itself before long."""
    remark: str = ""
    """What was done that cannot be taken."""
    differences: tuple[Difference, ...] = ()
    asking: tuple[Device, ...] = ()
    """Phones that want to take the camera's place, for the host."""


def hands_shown(watch: TableWatch, *, in_full: bool, reads: bool = True) -> HandsShown:
    """What hands have done, and what is taken by itself; why it cannot be taken only ``in_full``, for a reason may
    tell of what is hidden, and what was read for the open question only to whom it ``reads`` that."""
    proposal, remark = watch.proposals.current, watch.remark
    told = [offer.about for offer in proposal.offers] if proposal is not None else []
    shown = HandsShown(
        watch.leads,
        remark="" if remark is None else f"{remark.says}: {remark.reason}" if in_full else remark.says,
        by="" if remark is None else remark.by,
        differences=tuple(difference for difference in watch.differences if difference.about not in told),
        asking=watch.phones.asking,
    )
    counting = watch.proposals.counting
    if proposal is None or not (proposal.offers or counting):
        return shown
    ways = tuple(Way(str(card), offer.says) for card, offer in zip(LETTERS, proposal.offers, strict=False))
    return msgspec.structs.replace(
        shown,
        number=proposal.number,
        says=proposal.says if reads or proposal.offers else "A card was read",
        by=proposal.offers[0].by if proposal.offers else "",
        answers=not proposal.offers,
        ways=ways if len(ways) > 1 else (),
        counting=counting,
        remark="",
    )


def camera_shown(watch: TableWatch | None) -> CameraShown:
    """The camera of a session as it is now."""
    waiting = () if watch is None else tuple(map(str, watch.proposals.row.cards))
    if watch is None or not watch.busy:
        return CameraShown(on=False, name="", says=OFF, trouble="", waiting=waiting)
    proposal = watch.proposals.current
    if proposal is not None and proposal.offers:
        proposal = None  # what hands have done is told apart from what is asked
    shown = CameraShown(
        on=watch.on,
        name=watch.name,
        says=watch.says,
        trouble=watch.trouble,
        pictures=proposal is not None or watch.camera.frame is not None or watch.tray.frame is not None,
        whose=", ".join(whose(proposal.request))
        if proposal is not None and proposal.request is not None
        else watch.reads_for,
        waiting=waiting,
        lost=next((one.lease.spec for one in (watch.tray, watch.camera) if one.lease.lost), ""),
        lost_tray=watch.tray.lease.lost,
    )
    if proposal is None:
        return shown
    return msgspec.structs.replace(
        shown,
        number=proposal.number,
        verdict=proposal.verdict.value,
        reads=proposal.says,
        sure=proposal.sure,
        counting=watch.proposals.counting,
        dice=_dice(proposal),
        cards=len(proposal.cards),
        high=_high(proposal),
    )


def faces_to_tap(request: Roll | Flip) -> tuple[FaceShown, ...]:
    """The faces of the die that is asked for, with the pips of a d6 that may stand in for each."""
    if isinstance(request, Flip):
        return tuple(_face(Die.COIN, face, str(face)) for face in Die.COIN.faces)
    stand_in = dict(zip(request.stand_in, Die.D6.faces, strict=False))
    return tuple(
        _face(request.die, face, str(face), face_key(Die.D6, stand_in[str(face)]) if stand_in else "")
        for face in request.die.faces
    )


def _face(die: Die, face: Face, value: str, pips: str = "") -> FaceShown:
    return FaceShown(value, face_words(face), face_key(die, face), pips)


def _high(proposal: Proposal) -> float:
    width, height = proposal.size
    x0, y0, x1, y1 = proposal.close_up
    return round(WIDE * (y1 - y0) * height / ((x1 - x0) * width), 1)


def _dice(proposal: Proposal) -> tuple[DieSeen, ...]:
    request = proposal.request
    if not isinstance(request, Roll | Flip):
        return ()
    return tuple(_die(face, request, proposal) for face in proposal.dice)


def _die(read: SeenFace, request: Roll | Flip, proposal: Proposal) -> DieSeen:
    die, face = read.means
    x0, y0, x1, y1 = proposal.close_up
    left, top, right, bottom = read.box
    across, down = WIDE / (x1 - x0), _high(proposal) / (y1 - y0)
    stands_in = die is not read.die
    return DieSeen(
        place=read.place,
        face=face_words(face),
        picture=face_key(die, face),
        pips=f"{read.die.value}-{read.face}" if stands_in else "",
        doubt=read.doubt,
        sure=how_sure(read.confidence),
        corrected=read.corrected,
        faces=_instead(read, request),
        x=round((left - x0) * across, 1),
        y=round((top - y0) * down, 1),
        width=round((right - left) * across, 1),
        height=round((bottom - top) * down, 1),
    )


def _instead(read: SeenFace, request: Roll | Flip) -> tuple[FaceShown, ...]:
    """What a person can say that the die shows: by what it means, sent as what lies there."""
    shown = []
    for lying in (*read.likely, *(face for face in read.die.faces if face not in read.likely)):
        die, face = meant(request, read.die, lying)
        pips = face_key(read.die, lying) if die is not read.die else ""
        shown.append(FaceShown(str(lying), face_words(face), face_key(die, face), pips, lying in read.likely))
    return tuple(shown)


def face_key(die: Die, face: Face) -> str:
    """What a face is called in the sheet: ``weave-flames``, ``d10-7``."""
    return f"{die.value}-{face}"


def face_words(face: Face) -> str:
    """A face as people call it: ``Flames``, ``7``."""
    return str(face).capitalize()
