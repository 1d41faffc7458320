"""Measure the confidence of the dice reader:
``python -m loomtable.vision.training.calibrate --folds DIR --out F.json``.

What the folds saw on pictures of photographers they had not learned from is held against the labels. From that
come the weights by which the features of a reading become a probability, and the thresholds from which a tray is
accepted. Sources count by the root of their number of dice. ``--diagram F.png`` draws how often dice are right
that were read with some confidence: each source is judged by weights that were fitted on the others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from rich.console import Console

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.vision.arrays import Float64Array
from loomtable.vision.dice.fusion.calibration import ANY, FEATURES, Calibration, ConfidenceModel, Threshold
from loomtable.vision.dice.fusion.decide import assess_dice
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.die_kinds import Kind
from loomtable.vision.training.evaluate import table_of, with_totals
from loomtable.vision.training.evidence import labelled_at
from loomtable.vision.training.figures import Figures, Measured, pools, strange
from loomtable.vision.training.folds_looked import Looked, load_looked
from loomtable.vision.training.reliability import draw_diagram

SIGNS = dict.fromkeys(
    ("value", "reader", "second", "views", "worst_view", "kind", "score", "pips_agree", "print_agrees", "learned"),
    1,
)
"""Features that can only speak for a reading; all others can only speak against it."""
SOFT = 0.03
"""Pull of the weights towards 0, against one misread die."""
TARGETS = {"d6": 0.004, ANY: 0.01}
"""Share of accepted pictures that may be wrong, d6 and other dice."""


@dataclass(frozen=True)
class Readings:
    """Detections of all left-out pictures: features (n, f), was kind and value right, source and kind of each."""

    features: Float64Array
    right: npt.NDArray[np.bool_]
    source: npt.NDArray[np.str_]
    kind: npt.NDArray[np.str_]

    def of(self, chosen: npt.NDArray[np.bool_]) -> Readings:
        """Some of them."""
        return Readings(self.features[chosen], self.right[chosen], self.source[chosen], self.kind[chosen])


def readings_of(looked: Sequence[Looked], calibration: Calibration) -> Readings:
    """Every detection that may be a die, as a game that asked for these dice takes it, held against the labels.

    Dice that no game rolls and that are asked about however sure they are say nothing about the rest.
    """
    rows, right, source, kind = [], [], [], []
    for one in looked:
        for pool in pools(one.photograph):
            for judged in assess_dice(one.found, _blank(one), pool, _believing(calibration)):
                if judged.none > 0.5 or judged.evidence.detection.score < calibration.detector.high:
                    continue
                if judged.doubt and strange(one.photograph):
                    continue
                rows.append([judged.features[name] for name in FEATURES])
                there = labelled_at(one.photograph, judged.evidence.detection.box)
                right.append(there == (judged.kind.value, judged.number))
                source.append(one.photograph.source)
                kind.append(judged.kind.value)
    return Readings(np.array(rows), np.array(right, bool), np.array(source), np.array(kind))


def _believing(calibration: Calibration) -> Calibration:
    """The same without thresholds: only what is asked about however sure it is keeps a doubt."""
    return msgspec.structs.replace(calibration, thresholds={ANY: Threshold(0.0, 0.0)}, tray=Threshold(0.0, 0.0))


def _blank(looked: Looked) -> npt.NDArray[np.uint8]:
    """A picture of the photograph's size: what the reader needs of it was kept."""
    return np.broadcast_to(np.uint8(0), (looked.photograph.height, looked.photograph.width, 3))


def fitted(readings: Readings) -> ConfidenceModel:
    """The logistic formula that says best how often such readings are right; each feature speaks one way only."""
    from scipy.optimize import minimize

    weight = _alike(readings.source)
    low, spread = readings.features.mean(axis=0), readings.features.std(axis=0) + 1e-6
    scaled, right = readings.features / spread, readings.right.astype(float)
    signs = np.array([SIGNS.get(name, -1) for name in FEATURES])

    def wrong(parameters: Float64Array) -> tuple[float, Float64Array]:
        total = parameters[0] + scaled @ parameters[1:]
        loss = (weight * (np.logaddexp(0, total) - right * total)).sum() + SOFT * (parameters[1:] ** 2).sum()
        slope = weight * (1 / (1 + np.exp(-total)) - right)
        return float(loss), np.concatenate(([slope.sum()], scaled.T @ slope + 2 * SOFT * parameters[1:]))

    bounds = [(None, None), *((0, None) if sign > 0 else (None, 0) for sign in signs)]
    best = minimize(wrong, np.zeros(1 + len(low)), jac=True, method="L-BFGS-B", bounds=bounds).x
    return ConfidenceModel(
        float(best[0]),
        {name: round(float(w), 5) for name, w in zip(FEATURES, best[1:] / spread, strict=True) if abs(w) > 1e-4},
    )


def _alike(source: npt.NDArray[np.str_]) -> Float64Array:
    """Weights by which every source counts by the root of its number of dice."""
    names, place, counts = np.unique(source, return_inverse=True, return_counts=True)
    weights = 1 / np.sqrt(counts[place])
    return np.asarray(weights * (len(source) / len(names)) / weights.sum())


def confidences(readings: Readings, sureness: ConfidenceModel) -> Float64Array:
    """(n,) probabilities."""
    return np.array([sureness.predict(dict(zip(FEATURES, row, strict=True))) for row in readings.features])


def left_out_confidences(readings: Readings) -> Float64Array:
    """(n,) probabilities of each source by weights fitted on the others."""
    said = np.zeros(len(readings.right))
    for source in np.unique(readings.source):
        mine = readings.source == source
        said[mine] = confidences(readings.of(mine), fitted(readings.of(~mine)))
    return said


@dataclass(frozen=True)
class Tray:
    """One picture: how sure its readings together are, whether it could be accepted, whether it is right."""

    source: str
    kind: str
    together: float
    could: bool
    right: bool


def trays_of(looked: Sequence[Looked], calibration: Calibration, played: bool) -> list[Tray]:
    """Every left-out picture of dice that games here roll, settled as if each die were believed."""
    believing, trays = _believing(calibration), []
    for one in looked:
        if strange(one.photograph):
            continue
        tray = resolve_tray(one.found, _blank(one), pools(one.photograph)[0] if played else None, believing)
        once = Figures()
        once.add(one.photograph, tray)
        together = float(np.prod([die.confidence for die in tray.dice])) if tray.dice else 0.0
        kind = one.photograph.dice[0].kind
        trays.append(Tray(one.photograph.source, kind, together, once.accepted > 0, once.silent == 0))
    return trays


def measured_by_source(looked: Sequence[Looked], calibration: Calibration) -> list[Measured]:
    """The figures of every source, played and unasked, by networks that never saw it."""
    by_source: dict[str, Measured] = {}
    for one in looked:
        measured = by_source.setdefault(one.photograph.source, Measured(one.photograph.source))
        for pool in pools(one.photograph):
            measured.played.add(one.photograph, resolve_tray(one.found, _blank(one), pool, calibration))
        measured.unasked.add(one.photograph, resolve_tray(one.found, _blank(one), None, calibration))
    return list(by_source.values())


def threshold_for(trays: Sequence[Tray], target: float) -> float:
    """The lowest product of confidences from which the share of wrong pictures stays under ``target``.

    Sources count by the root of their pictures; half a wrong picture more is counted than there are.
    """
    could = [tray for tray in trays if tray.could]
    if not could:
        return 1.0
    weight = _alike(np.array([tray.source for tray in could]))
    weight = weight * len(could) / weight.sum()
    together = np.array([tray.together for tray in could])
    wrong = np.array([not tray.right for tray in could])
    order = np.argsort(-together)
    errors = (np.cumsum((weight * wrong)[order]) + 0.5) / (np.cumsum(weight[order]) + 1)
    good = np.flatnonzero(errors <= target)
    return float(np.clip(together[order][good[-1]] if len(good) else 0.999, 0.5, 0.9995))


def calibrated(looked: Sequence[Looked], start: Calibration) -> Calibration:
    """Everything that is measured: weights first, then thresholds."""
    readings = readings_of(looked, start)
    d6 = readings.kind == Kind.D6.value
    measured = msgspec.structs.replace(
        start, sureness={Kind.D6.value: fitted(readings.of(d6)), ANY: fitted(readings.of(~d6))}
    )
    trays = [trays_of(looked, measured, played) for played in (True, False)]
    levels: dict[str, Threshold] = {}
    for name, mine in _GROUPS.items():
        at = [threshold_for([tray for tray in mode if mine(tray.kind)], TARGETS[name]) for mode in trays]
        levels[name] = Threshold(round(at[0], 4), round(at[1], 4))
    # The tray's product is held against the laxer of the two; each die against its own kind's.
    tray = Threshold(min(t.expected for t in levels.values()), min(t.open for t in levels.values()))
    return msgspec.structs.replace(measured, thresholds=levels, tray=tray)


_GROUPS: dict[str, Callable[[str], bool]] = {
    Kind.D6.value: lambda kind: kind == Kind.D6.value,
    ANY: lambda kind: kind != Kind.D6.value,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m loomtable.vision.training.calibrate", description=__doc__)
    parser.add_argument("--folds", type=Path, required=True, help="the folder that vision.training.folds wrote")
    parser.add_argument("--out", type=Path, required=True, help="the calibration to write (JSON)")
    parser.add_argument("--start", type=Path, help="a calibration whose other settings are kept")
    parser.add_argument("--diagram", type=Path, help="draw a reliability diagram (PNG)")
    given = parser.parse_args(arguments)
    try:
        looked = load_looked(given.folds)
        start = msgspec.json.decode(given.start.read_bytes(), type=Calibration) if given.start else Calibration()
        calibration = calibrated(looked, start)
        given.out.write_bytes(msgspec.json.format(msgspec.json.encode(calibration), indent=2) + b"\n")
        readings = readings_of(looked, calibration)
        if given.diagram:
            d6 = readings.kind == Kind.D6.value
            said = {name: left_out_confidences(readings.of(c)) for name, c in (("d6", d6), ("other dice", ~d6))}
            draw_diagram(
                given.diagram, {n: (s, readings.right[d6 if n == "d6" else ~d6]) for n, s in said.items()}
            )
        Console(width=120).print(table_of(with_totals(measured_by_source(looked, calibration))))
    except LoomtableError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
