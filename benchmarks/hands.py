"""Evenings by virtual hands at a real table: ``python -m benchmarks.hands --evenings 20``.

Scenes of all games are filmed and sent through the server's own frame interface; what the journal has is held
against what the hands meant. What was done already is kept in ``output/hands.json``, and the same command goes on
there; ``--anew`` begins again.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.seeing import plain_threshold
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.reading.scene import REST_AFTER
from loomtable.testing import EveningByHand
from loomtable.testing.evening_by_hand import Outcome
from loomtable.vision.pictures import BgrImage
from tests.table.scenes_by_hand import SCENES

KEPT = Path("output/hands.json")
A_PHONE = 4
"""Frames a second that a phone sends."""
IDLE = 40
"""Frames for which each table is left alone at the end."""


class Evening(msgspec.Struct):
    """What came of one evening."""

    game: str
    seed: int
    gestures: int
    touches: int
    wrong: int
    asked: int
    missed: int
    frames: int
    seconds: list[float]
    """From still to taken, for each gesture that was taken, without the countdown."""
    look: float
    """CPU seconds for a frame that is looked at whole, the median."""
    plain: float
    """CPU seconds of a plain threshold and its contours on such frames, the median."""
    idle: float
    """CPU seconds for a frame of a table that is left alone, the mean."""
    faults: list[str] = []


def main() -> None:
    """Play what is still to be played, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evenings", type=int, default=20)
    parser.add_argument("--game", choices=sorted(SCENES), help="play this one alone")
    parser.add_argument("--anew", action="store_true")
    given = parser.parse_args()
    KEPT.parent.mkdir(exist_ok=True)
    if given.anew:
        KEPT.unlink(missing_ok=True)
    kept = msgspec.json.decode(KEPT.read_bytes(), type=list[Evening]) if KEPT.exists() else []
    games = [given.game] if given.game else list(SCENES)
    for number in range(given.evenings):
        game, seed = games[number % len(games)], number // len(games) + 1
        if all((one.game, one.seed) != (game, seed) for one in kept):
            kept.append(played(game, seed))
            KEPT.write_bytes(msgspec.json.encode(kept))
            told = kept[-1]
            print(f"{game} {seed}: {told.gestures} gestures, {told.touches} touches", *told.faults, sep="\n  ")
    print_table([one for one in kept if one.game in games])


def played(game: str, seed: int) -> Evening:
    """Play one evening to its end, and leave the table alone for a while."""
    looks: list[float] = []
    plain: list[float] = []
    counts: list[int] = []

    def idle(evening: EveningByHand) -> None:
        evening.rest(REST_AFTER + 1)
        counts.append(len(looks))
        evening.rest(IDLE / evening.pace)

    with timed(looks, plain):
        evening = SCENES[game](seed, idle)
    [before] = counts
    outcomes = [one.outcome for one in evening.played]
    whole = statistics.median(looks[:before])
    step = 1 / evening.pace
    return Evening(
        game,
        seed,
        len(outcomes),
        evening.touches,
        outcomes.count(Outcome.WRONG),
        outcomes.count(Outcome.ASKED),
        outcomes.count(Outcome.MISSED),
        evening.frames,
        # Where reading a frame takes longer than until the next one, the next one waits for it.
        [
            one.seconds * max(1.0, whole / step) - COUNTDOWN
            for one in evening.played
            if one.outcome is Outcome.TAKEN and one.meant
        ],
        whole,
        statistics.median(plain),
        statistics.mean(looks[before:]),
        [str(one) for one in evening.played if one.outcome is not Outcome.TAKEN],
    )


@contextlib.contextmanager
def timed(looks: list[float], plain: list[float]) -> Iterator[None]:
    """Every look of a table's watch is timed, and every tenth frame is held against a plain threshold."""
    watched = TableWatch.look

    def look(watch: TableWatch, frame: BgrImage) -> bool:
        begun = time.thread_time()
        read = watched(watch, frame)
        looks.append(time.thread_time() - begun)
        if len(looks) % 10 == 0:
            begun = time.thread_time()
            plain_threshold(frame)
            plain.append(time.thread_time() - begun)
        return read

    TableWatch.look = look  # type: ignore[method-assign]
    try:
        yield
    finally:
        TableWatch.look = watched  # type: ignore[method-assign]


def print_table(kept: list[Evening]) -> None:
    """One line a game, and one for all."""
    print(
        "| game | evenings | gestures | touches | wrong | asked | missed | still to taken | look | plain | idle |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    by_game: dict[str, list[Evening]] = {}
    for one in kept:
        by_game.setdefault(one.game, []).append(one)
    for name, some in {**by_game, "all": kept}.items():
        many = sum(one.gestures for one in some)
        asked, missed = sum(one.asked for one in some), sum(one.missed for one in some)
        touches, wrong = sum(one.touches for one in some), sum(one.wrong for one in some)
        taken = statistics.median(second for one in some for second in one.seconds)
        look, plain, idle = (
            statistics.mean(getattr(one, field) for one in some) for field in ("look", "plain", "idle")
        )
        print(
            f"| {name} | {len(some)} | {many} | {touches} | {wrong} | {asked} ({asked / many:.1%})"
            f" | {missed} ({missed / many:.1%}) | {taken:.2f} s | {1000 * look:.0f} ms"
            f" | {1000 * plain:.1f} ms, {look / plain:.1f} x | {idle * A_PHONE:.3f} cores |"
        )


if __name__ == "__main__":
    main()
