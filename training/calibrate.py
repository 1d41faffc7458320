"""Fit the decision of the dice reader:
``python -m training.calibrate --looked DIR --out F.json``.

What a reader saw in photographs (``look``; or ``folds``, whose networks never learned from these photographers) is
held against the labels. Logistic regressions come from it: how often a detection is a die, and how often a die is
read rightly; then the threshold from which a tray is accepted. Each feature speaks one way only, sources count by
the root of their number of dice, and a weight stays near that of ``--start`` unless the photographs say otherwise.

Tables show every source as it is decided by weights that were fitted on the others, and how often dice of each
kind are right that were read with some confidence.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from loomtable.vision.arrays import Float64Array
from loomtable.vision.dice.fusion.calibration import (
    ANY,
    DIE_FEATURES,
    FEATURES,
    Calibration,
    ConfidenceModel,
    Threshold,
    load_calibration,
)
from loomtable.vision.dice.fusion.doubts import MORE_FACES, TOO_LOW
from loomtable.vision.dice.fusion.select import select_dice
from loomtable.vision.dice.fusion.weigh import Decision
from loomtable.vision.dice.reader import assess_dice, tray_of
from loomtable.vision.die_kinds import Kind
from loomtable.vision.model_sums import renew_sums
from loomtable.vision.pool import Pool
from loomtable.vision.tray import TrayReading
from loomtable.vision.verdict import Verdict
from training.command import one_sentence
from training.evidence import boxed, labelled_at
from training.figures import Measured, pool_of, reliability, table_of, with_totals
from training.looked import Looked, load_looked
from training.photographs import Labelled

START = Path(__file__).with_name("fold_weights.json")
"""The weights measured on folds, whose networks had not seen the photographs (``models/dice_reader.md``)."""
SPEAK_FOR = (
    *("value", "reader", "second", "kind"),
    *("score", "print_agrees", "learned", "looks", "fit"),
)
"""Features that can only speak for a reading; all others can only speak against it."""
PULL, NEW_PULL = 5.0, 0.1
"""Pull of a weight towards where it starts, against one misread die; and of one that starts at 0. The first is
strong since networks are surer of photographs that they have learned from than the weights should allow for. On
485 pictures of d6 it hardly mattered: with values from 0.03 to 1,000 346 to 353 were accepted, 7 wrongly."""
MIN_SPREAD = 0.01
"""Spread under which a feature counts as constant, so that its weight says nothing. Set by hand."""
TARGETS = (0.002, 0.004)
"""Share of accepted pictures of d6 that may be wrong, where it is known what lies there and where not."""
FITTED = (Kind.D6.value,)
"""Whose confidence model is fitted unless ``--kinds`` says otherwise. That of other dice stays as the folds
measured it: of these too few photographs are at hand that the shipped networks have not learned from."""
DICE = "dice"
"""Stands for telling dice from clutter, beside the kinds."""


@dataclass(frozen=True)
class Assessed:
    """One picture as its dice are asked for: every detection with its features, before anything is believed."""

    looked: Looked
    pool: Pool | None
    decisions: list[Decision]

    @property
    def photograph(self) -> Labelled:
        """The picture with its labels."""
        return self.looked.photograph


@dataclass(frozen=True)
class Cases:
    """Features (n, f) of detections, whether what they are held for is right, and the source and kind of each."""

    features: Float64Array
    right: npt.NDArray[np.bool_]
    source: npt.NDArray[np.str_]
    kind: npt.NDArray[np.str_]

    def of(self, chosen: npt.NDArray[np.bool_]) -> Cases:
        """Some of them."""
        return Cases(self.features[chosen], self.right[chosen], self.source[chosen], self.kind[chosen])


def assess(looked: Sequence[Looked], calibration: Calibration) -> list[Assessed]:
    """Every picture as its dice are asked for, and as if nobody said what lies there."""
    # Without thresholds only what is asked about however sure it is keeps a doubt.
    believing = _believing(calibration)
    return [
        Assessed(case, pool, assess_dice(case.as_asked(pool), _blank(case.photograph), pool, believing))
        for case in looked
        for pool in (pool_of(case.photograph), None)
    ]


def _believing(calibration: Calibration) -> Calibration:
    return msgspec.structs.replace(calibration, thresholds={ANY: Threshold(0.0, 0.0)}, tray=Threshold(0.0, 0.0))


def _blank(photograph: Labelled) -> npt.NDArray[np.uint8]:
    """A picture of the photograph's size: what the reader needs of it was kept."""
    return np.broadcast_to(np.uint8(0), (photograph.height, photograph.width, 3))


def reading_rows(assessed: Iterable[Assessed], calibration: Calibration) -> Cases:
    """Every detection that is taken for a die: is it read rightly?

    Pictures of dice that are believed by a rule, not by their confidence, are left out.
    """
    found = []
    for case in assessed:
        if any(Kind(die.kind) is not Kind.D6 for die in case.photograph.dice):
            continue
        for judged in case.decisions:
            # Without these the weight of what another camera would see could not be fitted.
            by_rule = judged.doubt not in ("", TOO_LOW, MORE_FACES)
            if by_rule or judged.none > 0.5 or judged.evidence.detection.score < calibration.detector.high:
                continue
            there = labelled_at(case.photograph, judged.evidence.detection.box)
            right = there == (judged.kind.value, judged.number)
            found.append((judged.features, right, case.photograph.source, judged.kind.value))
    return _rows(found, FEATURES)


def die_rows(assessed: Iterable[Assessed]) -> Cases:
    """Every detection of a picture that nobody said anything about: is it a die?

    Where a picture of one die has no box, the likeliest detection is it.
    """
    found = []
    for case in assessed:
        if case.pool is not None:
            continue
        likeliest = max(case.decisions, key=lambda judged: judged.evidence.detection.score, default=None)
        for judged in case.decisions:
            if boxed(case.photograph):
                right = labelled_at(case.photograph, judged.evidence.detection.box) is not None
            elif len(case.photograph.dice) == 1:
                right = judged is likeliest
            else:
                continue
            found.append((judged.likeness, right, case.photograph.source, DICE))
    return _rows(found, DIE_FEATURES)


def _rows(found: Sequence[tuple[dict[str, float], bool, str, str]], names: Sequence[str]) -> Cases:
    features = np.array([[row[0].get(name, 0.0) for name in names] for row in found]).reshape(-1, len(names))
    right, source, kind = (np.array([row[k] for row in found]) for k in (1, 2, 3))
    return Cases(features, right.astype(bool), source.astype(str), kind.astype(str))


def fitted(rows: Cases, names: Sequence[str], start: ConfidenceModel) -> ConfidenceModel:
    """The logistic formula that says best how often such rows are right; each feature speaks one way only."""
    from scipy.optimize import minimize

    if not len(rows.right):
        return start  # Nothing was seen that could tell more.
    weight, spread = _alike(rows.source), np.maximum(rows.features.std(axis=0), MIN_SPREAD)
    middle = rows.features.mean(axis=0)
    scaled, right = (rows.features - middle) / spread, rows.right.astype(float)
    before = np.array([start.weights.get(name, 0.0) for name in names])
    pull, begin = np.where(before == 0, NEW_PULL, PULL), before * spread

    def wrong(parameters: Float64Array) -> tuple[float, Float64Array]:
        total, moved = parameters[0] + scaled @ parameters[1:], parameters[1:] - begin
        loss = (weight * (np.logaddexp(0, total) - right * total)).sum() + (pull * moved**2).sum()
        slope = weight * (1 / (1 + np.exp(-total)) - right)
        return float(loss), np.concatenate(([slope.sum()], scaled.T @ slope + 2 * pull * moved))

    bounds = [(None, None), *((0, None) if name in SPEAK_FOR else (None, 0) for name in names)]
    best = minimize(wrong, np.concatenate(([start.bias], begin)), jac=True, method="L-BFGS-B", bounds=bounds).x
    typical = np.median(rows.features[rows.right] if rows.right.any() else rows.features, axis=0)
    weights = {name: float(w) for name, w in zip(names, best[1:] / spread, strict=True)}
    bias = float(best[0] - middle @ (best[1:] / spread))
    kept = {name: round(w, 5) for name, w in weights.items() if abs(w) > 1e-4}
    middles = {name: round(float(t), 4) for name, t in zip(names, typical, strict=True) if name in kept}
    return ConfidenceModel(round(bias, 5), kept, middles)


def _alike(source: npt.NDArray[np.str_]) -> Float64Array:
    """Weights by which every source counts by the root of its number of dice."""
    names, place, counts = np.unique(source, return_inverse=True, return_counts=True)
    weights = 1 / np.sqrt(counts[place])
    return np.asarray(weights * (len(source) / len(names)) / weights.sum())


def fitted_models(readings: Cases, dice: Cases, start: Calibration, kinds: Sequence[str] = FITTED) -> Calibration:
    """The calibration with the models of some kinds fitted; its thresholds are those of the start."""
    models = dict(start.confidence_models)
    for name in kinds:
        rows = readings.of(np.array([_group(kind) == name for kind in readings.kind.tolist()], bool))
        models[name] = fitted(rows, FEATURES, models[name])
    die_model = fitted(dice, DIE_FEATURES, ConfidenceModel(0.0, {}))
    return msgspec.structs.replace(start, confidence_models=models, die_model=die_model)


def _group(kind: str) -> str:
    """The name of the model and the threshold of a kind."""
    return kind if kind == Kind.D6.value else ANY


@dataclass(frozen=True)
class Fitted:
    """What was seen, and the calibration that is fitted to it: to all, and to all but each source."""

    assessed: list[Assessed]
    readings: Cases
    calibration: Calibration
    by_source: dict[str, Calibration]
    """For each source models and thresholds from all others."""

    @property
    def measured(self) -> list[Measured]:
        """The figures of every source, played and unasked, as decided by what was fitted on the others."""
        return with_totals(measured_by_source(self.assessed, self.by_source))


def fit(
    looked: Sequence[Looked],
    start: Calibration,
    kinds: Sequence[str] = FITTED,
    targets: Sequence[float] = TARGETS,
) -> Fitted:
    """Fit models and thresholds to what was seen."""
    assessed = assess(looked, start)
    readings, dice = reading_rows(assessed, start), die_rows(assessed)
    by_source = {
        source: fitted_models(readings.of(readings.source != source), dice.of(dice.source != source), start, kinds)
        for source in sorted({case.photograph.source for case in looked})
    }
    d6 = [case for case in assessed if _only_d6(case.photograph)]
    trays = [
        trays_of([case for case in d6 if (case.pool is not None) is asked], by_source) for asked in (True, False)
    ]
    whole = fitted_models(readings, dice, with_thresholds(start, trays, targets), kinds)
    for source, models in by_source.items():
        others = [[tray for tray in mode if tray.source != source] for mode in trays]
        by_source[source] = with_thresholds(models, others, targets)
    return Fitted(assessed, readings, whole, by_source)


def decided(case: Assessed, calibration: Calibration) -> TrayReading:
    """The tray of one picture as a calibration decides it."""
    asked = case.pool is not None

    def again(judged: Decision) -> Decision:
        confidence = calibration.confidence(judged.kind, judged.features)
        low = confidence < calibration.threshold(judged.kind).at(asked)
        return replace(
            judged,
            confidence=confidence,
            unaided=confidence,
            die=calibration.die_model.predict(judged.likeness),
            doubt=judged.doubt or ("is not sure" if low else ""),
        )

    return tray_of(select_dice([again(d) for d in case.decisions], case.pool, calibration), case.pool, calibration)


@dataclass(frozen=True)
class Tray:
    """One picture: how sure its readings together are where it could be accepted, and whether it is right."""

    source: str
    together: float
    right: bool


def trays_of(assessed: Iterable[Assessed], by_source: dict[str, Calibration]) -> list[Tray]:
    """Every picture that could be accepted, by models fitted on other sources."""
    trays = []
    for case in assessed:
        models = by_source[case.photograph.source]
        open_to_all = _believing(models)
        judged = [
            replace(d, confidence=c, unaided=c, die=models.die_model.predict(d.likeness))
            for d in case.decisions
            for c in (models.confidence(d.kind, d.features),)
        ]
        found = select_dice(judged, case.pool, open_to_all)
        tray = tray_of(found, case.pool, open_to_all)
        if tray.verdict is not Verdict.ACCEPTED:
            continue
        measured = Measured(case.photograph.source).played
        measured.add(case.photograph, tray)
        together = math.prod(die.confidence for die in found.dice) * found.certain
        trays.append(Tray(case.photograph.source, together, measured.silent == 0))
    return trays


def threshold_for(trays: Sequence[Tray], target: float) -> float:
    """The lowest confidence from which the share of wrong pictures stays under ``target``.

    Half a wrong picture more is counted than there are.
    """
    together = np.array([tray.together for tray in trays])
    order = np.argsort(-together)
    wrong = np.array([not tray.right for tray in trays], float)[order]
    errors = (np.cumsum(wrong) + 0.5) / (np.arange(len(trays)) + 2)
    good = np.flatnonzero(errors <= target)
    return float(np.clip(together[order][good[-1]] if len(good) else 0.999, 0.5, 0.9995))


def with_thresholds(start: Calibration, trays: Sequence[Sequence[Tray]], targets: Sequence[float]) -> Calibration:
    """The start with the thresholds of d6 and of trays: the lowest from which few enough pictures of d6 are wrong,
    in ``trays`` of d6 that were asked for and of which nobody said anything.

    None is lower than at the start, where they were measured with networks that had not seen the photographs.
    """
    least, at = start.thresholds[Kind.D6.value], []
    for asked, mode, target in zip((True, False), trays, targets, strict=True):
        at.append(max(least.at(asked), round(threshold_for(mode, target), 4)))
    level = Threshold(*at)
    return msgspec.structs.replace(start, thresholds=start.thresholds | {Kind.D6.value: level}, tray=level)


def _only_d6(photograph: Labelled) -> bool:
    return all(die.kind == Kind.D6.value for die in photograph.dice)


def measured_by_source(assessed: Sequence[Assessed], by_source: dict[str, Calibration]) -> list[Measured]:
    """The figures of every source, played and unasked, as models fitted on the other sources decide."""
    found: dict[str, Measured] = {}
    for case in assessed:
        source = case.photograph.source
        measured = found.setdefault(source, Measured(source))
        figures = measured.unasked if case.pool is None else measured.played
        figures.add(case.photograph, decided(case, by_source[source]))
    return list(found.values())


def left_out_confidences(readings: Cases, by_source: dict[str, Calibration]) -> Float64Array:
    """(n,) probabilities of each reading by the models that were fitted on the other sources."""
    return np.array(
        [
            by_source[str(source)].confidence(Kind(kind), dict(zip(FEATURES, row, strict=True)))
            for row, source, kind in zip(readings.features, readings.source, readings.kind, strict=True)
        ]
    )


def write(calibration: Calibration, file: Path) -> None:
    """Write a calibration as the reader loads it."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(calibration), indent=2) + b"\n")
    renew_sums(file.parent)


def tables_of(found: Fitted) -> list[Table]:
    """The figures by source, and how often dice of each kind are right, by models fitted on other sources."""
    readings, said = found.readings, left_out_confidences(found.readings, found.by_source)
    tables = [table_of(found.measured)]
    for kind in (kind.value for kind in Kind):
        mine = readings.kind == kind
        if mine.any():
            tables.append(reliability(said[mine], readings.right[mine]))
            tables[-1].title = kind
    return tables


@one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m training.calibrate", description=__doc__)
    parser.add_argument("--looked", type=Path, required=True, help="the folder that look or folds wrote")
    parser.add_argument("--out", type=Path, required=True, help="the calibration to write (JSON)")
    parser.add_argument("--start", type=Path, default=START, help="where the weights start; its settings are kept")
    parser.add_argument(
        "--targets", type=float, nargs=2, default=TARGETS, help="wrong shares of accepted pictures of d6"
    )
    parser.add_argument("--kinds", default=",".join(FITTED), help="models to fit, with commas: d6, * or both")
    given = parser.parse_args(arguments)
    start = load_calibration(given.start)
    found = fit(load_looked(given.looked), start, given.kinds.split(","), given.targets)
    write(found.calibration, given.out)
    Console(width=140).print(*tables_of(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
