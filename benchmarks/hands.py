"""Evenings by virtual hands at a real table: ``python -m benchmarks.hands --evenings 20``.

Scenes of all games are filmed and sent through the server's own frame interface; what the journal has is held
against what the hands meant. What is in an evening is drawn by its seed: the camera and its rate, lamps, knocks
and mugs, photographed dice, Story cards and coins, a second camera over the dice. Each evening is a line of
``output/hands.jsonl``; the same command goes on there, also after it was stopped. ``--anew`` begins again.

``--minutes 120`` instead leads one table with one camera for so long, by the film's own clock, with throws and
answer cards, and says how its memory goes.

Last: 50 evenings, 1,358 gestures, 0 wrong, 40 asked (2.9 %; Spellwoven 18 of 331, Storm Weavers 10 of 177), 2
missed; in two hours 519 MB at first, 575 after ten minutes, 591 after sixty, 601 at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.seeing import plain_threshold
from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.reading.scene import REST_AFTER
from loomtable.testing import EveningByHand
from loomtable.testing.evening_by_hand import Upshot
from loomtable.vision.pictures import BgrImage
from tests.table.playing_by_hand import Players
from tests.table.scenes_by_hand import PACE, SCENES, Weather

KEPT = Path("output/hands.jsonl")
A_PHONE = 4
"""Frames a second that a phone sends."""
REST = 30.0
"""Seconds between throws for which the table is left alone."""
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
    parser.add_argument("--minutes", type=float, help="lead one table for so long, and look at its memory")
    given = parser.parse_args()
    if given.minutes is not None:
        soak(given.minutes)
        return
    KEPT.parent.mkdir(exist_ok=True)
    if given.anew:
        KEPT.unlink(missing_ok=True)
    written = KEPT.read_bytes() if KEPT.exists() else b""
    KEPT.write_bytes(whole := written[: written.rfind(b"\n") + 1])  # it may have been stopped within a line
    kept = msgspec.json.Decoder(Evening).decode_lines(whole)
    games = [given.game] if given.game else list(SCENES)
    for number in range(given.evenings):
        game, seed = games[number % len(games)], number // len(games) + 1
        if all((one.game, one.seed) != (game, seed) for one in kept):
            kept.append(played(game, seed))
            with KEPT.open("ab") as lines:
                lines.write(msgspec.json.encode(kept[-1]) + b"\n")
            told = kept[-1]
            says = f"{game} {seed}: {told.gestures} gestures, {told.touches} touches"
            print(says, *told.faults, sep="\n  ", flush=True)
    print_table([one for one in kept if one.game in games])


def soak(minutes: float) -> None:
    """Lead one table with one camera, and print its memory a dozen times and at the end; the film is in it too."""
    session, chance = Session.open(SYSTEMS["storm-weavers"], seed="soak"), random.Random(1)
    session.perform("create", dexterity_points=3)
    print("| minute | frames | gestures | not taken | journal | MB |\n| --- | --- | --- | --- | --- | --- |")
    shown = 0
    with EveningByHand.of(session, pace=PACE) as evening:
        players = Players(evening, 1, answers=[(-150, -80), (-80, -80)], tray=(60, 40))
        while (gone := evening.seconds / 60) < minutes:
            evening.touch(Action("test", {"attribute": chance.choice(("wisdom", "dexterity"))}))
            players.play_on()
            players.say(chance.choice((AnswerCard.KEEP, AnswerCard.A)))  # nothing is asked: it means nothing
            evening.rest(REST, every=0.5)
            if gone >= shown * minutes / 12:
                shown += 1
                print_memory(gone, evening)
        print_memory(gone, evening)
        print(*(one for one in evening.played if one.outcome is not Upshot.TAKEN), sep="\n")


def print_memory(minute: float, evening: EveningByHand) -> None:
    """One line of what has been played and what the process holds, all of the server's and the film's."""
    resident = int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    not_taken = sum(one.outcome is not Upshot.TAKEN for one in evening.played)
    figures = (f"{minute:.1f}", evening.frames, len(evening.played), not_taken, evening.revision)
    print("|", " | ".join(map(str, figures)), f"| {resident / 1e6:.0f} |", flush=True)


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
        evening = SCENES[game](seed, idle, Weather.drawn(seed))
    [before] = counts
    outcomes = [one.outcome for one in evening.played]
    whole = statistics.median(looks[:before])
    step = 1 / evening.pace
    return Evening(
        game,
        seed,
        len(outcomes),
        evening.touches,
        outcomes.count(Upshot.WRONG),
        outcomes.count(Upshot.ASKED),
        outcomes.count(Upshot.MISSED),
        evening.frames,
        # Where reading a frame takes longer than until the next one, the next one waits for it.
        [
            one.seconds * max(1.0, whole / step) - COUNTDOWN
            for one in evening.played
            if one.outcome is Upshot.TAKEN and one.meant
        ],
        whole,
        statistics.median(plain),
        statistics.mean(looks[before:]),
        [str(one) for one in evening.played if one.outcome is not Upshot.TAKEN],
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
        taken = statistics.median([second for one in some for second in one.seconds] or [0.0])
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
