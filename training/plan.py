"""The plan of a training: its steps by name, in their order. Each can be stopped and gone on with.

A step is a row of ``PLAN``: a name, what it does in words, and a function that works until the time is up and says
whether it is done. What one step needs of another is a file in the folder of the work.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from rich.console import Console

from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable, LoomtableError
from loomtable.engine.kernel.package_data import package_file
from loomtable.vision.dice.networks import (
    CALIBRATION,
    DETECTOR,
    FACES,
    NUMERALS,
    load_detector,
)
from training import alarms, boxes, folds
from training.boxes import UNBOXED
from training.calibrate import tables_of, write
from training.labels import LabelledPicture, all_labelled_pictures, plain_pictures
from training.numerals import WITHIN, cut_down
from training.pack import (
    CACHE,
    ELEVATIONS,
    FACE_SCENES,
    MOBILENET,
    PHOTOS,
    SCENES,
    SceneSet,
    member_of,
    unpack,
)
from training.parts import begin, make_parts, missing_parts
from training.photographs import LEARNED_SOURCES, Photographs, load_photographs, sources_in
from training.quantize import PER_SOURCE, quantize_models

KEPT = "progress.json"
MEASURED = "left-out.txt"
PIECE = 25
"""Pictures that a detector looks at between two times that the work is kept."""
T = TypeVar("T")


class WorkUnfit(LoomtableError):
    """A folder of training cannot be gone on with in this way; the message says why."""


class Amounts(msgspec.Struct, frozen=True):
    """How much is drawn and learned."""

    steps: dict[str, int]
    """Batches of each network: ``start-`` from scenes alone, ``fold-`` of each fold, and of what is shipped."""
    share: float = 1.0
    """So much of these batches and of each set of scenes, 0 to 1; at least one batch and one part."""

    def of(self, full: int) -> int:
        """The share of a number of batches or parts."""
        return max(round(self.share * full), 1)

    def batches(self, network: str) -> int:
        """How many a network learns, by its name in ``steps``."""
        return self.of(self.steps[network])


FULL = Amounts(
    {
        "start-detector": 3000,
        "start-reader": 2000,
        "start-second": 2000,
        "fold-detector": 4000,
        "fold-reader": 4000,
        "fold-second": 4000,
        "detector": 12_000,
        "reader": 12_000,
        "second": 10_000,
        "faces": 3200,
        "elevation": 7000,
    }
)
"""About as much as the networks that ship have learned (``models/CHANGELOG.md``)."""


class Progress(msgspec.Struct):
    """How far a work has come, as it is kept."""

    amounts: Amounts
    done: list[str] = []
    pieces: dict[str, list[str]] = {}
    """Of steps that go through a list: what of it is done."""
    seconds: dict[str, float] = {}


@dataclass
class Work:
    """A folder in which a training is under way.

    ``until`` is a time of ``time.monotonic``; ``workers`` are processes that draw scenes and make batches,
    ``threads`` those of the network that learns.
    """

    folder: Path
    pack: Path
    amounts: Amounts = FULL
    workers: int = 1
    threads: int = 1
    until: float = float("inf")
    progress: Progress = field(init=False)

    def __post_init__(self) -> None:
        self.progress = self._taken_up()
        self.photos, self.cache = self.folder / PHOTOS, self.folder / CACHE
        self.start, self.folds, self.new = (self.folder / name for name in ("start", "folds", "new"))

    def _taken_up(self) -> Progress:
        file = self.folder / KEPT
        try:
            kept = (
                msgspec.json.decode(file.read_bytes(), type=Progress) if file.exists() else Progress(self.amounts)
            )
        except msgspec.MsgspecError as error:
            raise ContentInvalid(f"{file}: is damaged ({error}); begin with another --work") from None
        except OSError as error:
            raise FileUnreadable(f"{file}: cannot be read ({error.strerror})") from None
        # A step that the plan did not have then may come to it.
        if msgspec.structs.replace(kept.amounts, steps=self.amounts.steps | kept.amounts.steps) != self.amounts:
            raise WorkUnfit(
                f"{self.folder} was begun with other amounts: give another --work, or --share as before"
            )
        kept.amounts = self.amounts
        return kept

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self.until

    def keep(self) -> None:
        """Write down how far it has come; the file is whole at any moment."""
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = self.folder / f"{KEPT}.part"
        unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(self.progress)))
        unfinished.replace(self.folder / KEPT)

    def each(self, step: str, pieces: Mapping[str, T], do: Callable[[T], object]) -> bool:
        """Do something with each of some pieces of work, once; whether all are done when the time is up."""
        done = self.progress.pieces.setdefault(step, [])
        for name in [name for name in pieces if name not in done]:
            do(pieces[name])
            done.append(name)
            self.keep()
            if self.late:
                break
        return len(done) == len(pieces)

    @property
    def scene_sets(self) -> list[SceneSet]:
        """What is drawn, as the pack says and the amounts allow."""
        try:
            sets = msgspec.json.decode((self.folder / SCENES).read_bytes(), type=list[SceneSet])
        except (OSError, msgspec.MsgspecError) as error:
            raise FileUnreadable(f"{self.folder / SCENES}: cannot be read ({error}); do the step unpack") from None
        return [msgspec.structs.replace(scene_set, parts=self.amounts.of(scene_set.parts)) for scene_set in sets]

    def scenes(self, name: str = "*") -> tuple[str, ...]:
        """The folders of all parts, or of those of one set."""
        return tuple(str(part) for part in sorted((self.folder / "scenes").glob(f"{name}/part-*")))

    def learn(
        self,
        make: str,
        out: Path,
        amount: str,
        seed: int,
        leave_out: Sequence[str] | None = None,
        start: str = "",
        scenes: tuple[str, ...] | None = None,
    ) -> bool:
        """Train a network until the time is up; whether it is done.

        It learns from all scenes unless some are named, and from photographs, too, where sources to leave out are
        named, be it none.
        """
        import torch

        from training import train

        torch.set_num_threads(self.threads)
        there = sources_in(self.photos)
        recipe = train.Recipe(
            make=make,
            scenes=self.scenes() if scenes is None else scenes,
            photos=None if leave_out is None else str(self.photos),
            sources=tuple(s for s in LEARNED_SOURCES if s in there and s not in (leave_out or ())),
            steps=self.amounts.batches(amount),
            seed=seed,
            rate=1e-3 if start else 2e-3,
            start=str(self.start / start) if start else None,
        )
        return train.train(recipe, out, self.cache, self.workers, self.until).done >= 1


class Task(NamedTuple):
    """One row of the plan."""

    name: str
    does: str
    run: Callable[[Work], bool]
    """Works until the time is up, but at least a little; whether it is done."""


def _unpack(work: Work) -> bool:
    sets = unpack(work.pack, work.folder)
    (work.folder / SCENES).write_bytes(msgspec.json.encode(sets))
    return True


def _draw(work: Work) -> bool:
    waiting = []
    for scenes in work.scene_sets:
        folder = work.folder / "scenes" / scenes.name
        begin(folder, scenes.recipe)
        waiting += missing_parts(folder, scenes.numbers, scenes.recipe)
    left = len(waiting)
    for _ in make_parts(waiting, max(work.workers, 1)):
        left -= 1
        if work.late:
            break
    return not left


def _boxes(work: Work) -> bool:
    detector = load_detector(work.start / DETECTOR)
    waiting = {s: load_photographs(work.photos, [s]).pictures for s in UNBOXED if s in sources_in(work.photos)}
    return work.each(
        "boxes",
        _pieces(waiting, came_with=member_of(work.pack, boxes.KEPT)),
        lambda some: boxes.find_boxes(detector, Photographs(work.photos, tuple(some)), work.cache),
    )


def _alarms(work: Work) -> bool:
    detectors = [load_detector(folds.folder_of(work.folds, fold) / DETECTOR) for fold in range(len(folds.FOLDS))]
    pictures = all_labelled_pictures(work.photos, sources_in(work.photos), boxes.load_found(work.cache))
    waiting: dict[str, list[LabelledPicture]] = {}
    for picture in (*pictures, *plain_pictures(work.photos)):
        waiting.setdefault(picture.path.parent.name, []).append(picture)
    return work.each(
        "alarms",
        _pieces(waiting, came_with=member_of(work.pack, alarms.KEPT)),
        lambda some: alarms.find_alarms(detectors, some, work.cache),
    )


def _pieces(waiting: Mapping[str, Sequence[T]], came_with: bytes) -> dict[str, Sequence[T]]:
    """A few pictures at a time, of the sources of which nothing ``came_with`` the pack, checked by eye."""
    known = {Path(image).parent.name for image in msgspec.json.decode(came_with or b"{}")}
    return {
        f"{source} {first}": pictures[first : first + PIECE]
        for source, pictures in waiting.items()
        for first in range(0, len(pictures), PIECE)
        if source not in known
    }


def _from_scenes(work: Work, make: str) -> bool:
    return work.learn(make, work.start / folds.FILES[make], f"start-{make}", seed=1)


def _begin_second(work: Work) -> bool:
    """The second reader begins with layers that can see where the pack has them; else it learns from scenes."""
    if not member_of(work.pack, MOBILENET):
        return _from_scenes(work, "second")
    import torch

    from training.schooled import schooled

    work.start.mkdir(parents=True, exist_ok=True)
    torch.save(
        {"mean": schooled(work.pack).state_dict()}, (work.start / folds.FILES["second"]).with_suffix(".ckpt")
    )
    return True


def _fold(work: Work, fold: int, make: str) -> bool:
    file = folds.FILES[make]
    out = folds.folder_of(work.folds, fold) / file
    start = str(Path(file).with_suffix(".ckpt"))
    return work.learn(make, out, f"fold-{make}", 11 + fold, folds.FOLDS[fold], start)


def _whole(work: Work, make: str) -> bool:
    file = folds.FILES[make]
    return work.learn(make, work.new / file, make, 21, (), str(Path(file).with_suffix(".ckpt")))


def _faces(work: Work) -> bool:
    return work.learn("faces", work.new / FACES, "faces", seed=1, scenes=work.scenes(FACE_SCENES))


def _elevation(work: Work, fold: int | None = None) -> bool:
    """Give the readers of a fold, or those that are to ship, their heads; not stopped within."""
    from training.train_elevation import teach

    folder = work.new if fold is None else folds.folder_of(work.folds, fold)
    scenes = sorted((work.folder / "scenes" / ELEVATIONS).glob("part-*"))
    for make in ("reader", "second"):
        teach(make, folder / folds.FILES[make], scenes, work.cache, work.amounts.batches("elevation"), 1)
    return True


def _numerals(work: Work) -> bool:
    """Cut out of the OCR model where the pack has it; else the shipped file, which is the same."""
    work.new.mkdir(parents=True, exist_ok=True)
    if written := member_of(work.pack, WITHIN):
        cut_down(written, work.new / NUMERALS)
    else:
        shutil.copyfile(package_file("models") / NUMERALS, work.new / NUMERALS)
    return True


def _quantize(work: Work) -> bool:
    """Make what is to ship quick; it is done last, because it takes the calibration."""
    photographs = load_photographs(work.photos, sources_in(work.photos), PER_SOURCE)
    quantize_models(work.new, photographs, work.new)
    return True


def _look(work: Work, fold: int) -> bool:
    minutes = max(work.until - time.monotonic(), 0.0) / 60
    return folds.look_at_left_out(work.folds, work.photos, fold, work.new, minutes)


def _measure(work: Work) -> bool:
    found = folds.measure(work.folds)
    write(found.calibration, work.new / CALIBRATION)
    with (work.folder / MEASURED).open("w") as file:
        Console(file=file, width=140).print(*tables_of(found))
    return True


PLAN = (
    Task("unpack", "unpack photographs and labels", _unpack),
    Task("scenes", "draw the scenes", _draw),
    Task("start-detector", "a detector from scenes alone", partial(_from_scenes, make="detector")),
    Task("boxes", "find dice that nobody has boxed", _boxes),
    Task("start-reader", "a reader from scenes alone", partial(_from_scenes, make="reader")),
    Task("start-second", "what the second reader begins with", _begin_second),
    *(
        Task(
            f"fold-{fold}-detector",
            "a detector without these photographers",
            partial(_fold, fold=fold, make="detector"),
        )
        for fold in range(len(folds.FOLDS))
    ),
    Task("alarms", "find what these detectors take for dice", _alarms),
    Task("detector", "the detector", partial(_whole, make="detector")),
    Task("reader", "the reader", partial(_whole, make="reader")),
    Task("second", "the second reader", partial(_whole, make="second")),
    Task("elevation", "how obliquely the readers see a die, and how it is turned", _elevation),
    Task("faces", "the reader of faces laid flat", _faces),
    Task("numerals", "the reader of print", _numerals),
    *(
        Task(f"fold-{fold}-{make}", "a reader without these photographers", partial(_fold, fold=fold, make=make))
        for fold in range(len(folds.FOLDS))
        for make in ("reader", "second")
    ),
    *(
        Task(
            f"fold-{fold}-elevation",
            "how obliquely these readers see a die, and how it is turned",
            partial(_elevation, fold=fold),
        )
        for fold in range(len(folds.FOLDS))
    ),
    *(
        Task(f"look-{fold}", "look at these photographers with what never saw them", partial(_look, fold=fold))
        for fold in range(len(folds.FOLDS))
    ),
    Task("measure", "fit the decision, and measure every source as one never seen", _measure),
    Task("quantize", "the detector and the reader in 8 bits", _quantize),
)


def go_on(work: Work, plan: Sequence[Task] = PLAN, tell: Callable[[str], object] = print) -> bool:
    """Do the steps that are not done, in order, until the time is up; whether all are done.

    Raises:
        LoomtableError: a step cannot be done; those before it stay done.
    """
    for step in plan:
        if step.name in work.progress.done:
            continue
        tell(f"{step.name}: {step.does}")
        begun = time.monotonic()
        done = step.run(work)
        taken = work.progress.seconds.get(step.name, 0.0) + time.monotonic() - begun
        work.progress.seconds[step.name] = round(taken, 1)
        if done:
            work.progress.done.append(step.name)
        work.keep()
        if not done:
            return False
        if work.late:
            break
    return all(step.name in work.progress.done for step in plan)
