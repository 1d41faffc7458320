"""Reading cards and dice, beside one plain call of the library underneath.

Last: four card codes in 1280 x 720 0.1 times at the first look, 0.5 with every pass; five d6 1.8 times; a
numeral 4.6 times one OCR crop, a d20 7.1, one of no known layout 29; a board 6.6 times, its busiest part 5.8.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import cv2
import numpy as np
import zxingcpp

from benchmarks.timing import best_of, cpu_of, report
from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.dice import Die
from loomtable.printkit.raster import card_faces
from loomtable.testing import VirtualTable
from loomtable.testing.virtual import TINTS, Surface, VirtualCamera, handful_of_dice, photograph, row_of_cards
from loomtable.vision.cards import scan_cards
from loomtable.vision.dice import Pool, read_dice
from loomtable.vision.dice.crops import cut
from loomtable.vision.dice.cues import gather_evidence
from loomtable.vision.dice.detector import detect_dice
from loomtable.vision.dice.faces import read_layout
from loomtable.vision.dice.fusion.ensemble import predict
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.numerals import CROP_SIDE, digit_probabilities, read_face
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.die_kinds import Kind as DieKind
from loomtable.vision.pictures import BgrImage
from loomtable.vision.table_looks import TableLook, TableLooks
from tests.vision.scenes.maps import combat_board
from tests.vision.solids_drawn import UPRIGHT, camera_at, drawn, lying_as


def a_row_of_cards(frame: tuple[int, int]) -> BgrImage:
    """Four Story cards on a table."""
    faces = {c: f for c, f in card_faces("story-cards", 150).items() if c.kind is Kind.STORY and c.number <= 4}
    camera = VirtualCamera(height=310, frame=frame)
    return photograph(row_of_cards(list(faces.values()), 3, camera, cards=list(faces)), camera, 3).picture


def five_dice() -> BgrImage:
    """Five dice on felt."""
    camera = VirtualCamera(height=300, tilt=8)
    scene = handful_of_dice([1, 3, 4, 5, 6], 3, camera, surface=Surface("felt", TINTS["felt"][0], 3))
    return photograph(scene, camera, 3).picture


def one_numeral() -> BgrImage:
    """The numeral of a die that fills the picture, leaning a little."""
    picture = np.full((160, 160, 3), (110, 60, 40), np.uint8)
    cv2.putText(picture, "7", (56, 106), cv2.FONT_HERSHEY_SIMPLEX, 2.6, (235, 235, 235), 8, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((80, 80), 20, 1)
    return np.asarray(cv2.warpAffine(picture, turn, (160, 160), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def plain_threshold(picture: BgrImage) -> int:
    """The least that any pip counter does: a threshold and the contours of what is left."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    spots = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 7)
    return len(cv2.findContours(spots, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0])


def main() -> None:
    """Print the table."""
    print("| what | ours | beside | peer | ratio |\n| --- | --- | --- | --- | --- |")
    for frame in ((1280, 720), (1920, 1080)):
        picture = a_row_of_cards(frame)
        grey = np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        plain = best_of(10, lambda grey=grey: zxingcpp.read_barcodes(grey))
        size = f"{frame[0]}x{frame[1]}"
        found = len(zxingcpp.read_barcodes(grey))
        peer = f"one call of zxing-cpp ({found} of 4 read)"
        quick = best_of(10, lambda picture=picture: scan_cards(picture, quick=True))
        report(f"cards, {size}, first look only", quick, peer, plain)
        whole = best_of(5, lambda picture=picture: scan_cards(picture))
        report(f"cards, {size}, every pass ({len(scan_cards(picture).cards)} of 4 read)", whole, peer, plain)
    looks_at_a_map()
    dice = five_dice()
    peer = "a threshold and its contours"
    plain = best_of(10, lambda: plain_threshold(dice))
    pool = Pool.of((5, Die.D6))
    models = load_models()
    if models is not None:
        dice_by_networks(models, dice, pool, peer, plain)


def looks_at_a_map() -> None:
    """A look at a combat map with figures: the first, and the one after a figure was moved."""
    table = VirtualTable(seed=1)
    table.put("M1", (-115, 14))
    for number, at in enumerate(((-150, 0), (-100, 30), (-60, 60)), 1):
        table.put(f"F{number}", at)
    [before] = table.rest(1)
    table.put("F1", (-120, -20))
    [after] = table.rest(1)
    peer, plain = "a threshold and its contours", best_of(10, lambda: plain_threshold(before))
    report("a map, 1280x720, first look", best_of(5, lambda: TableLooks().look(before)), peer, plain)
    looks = TableLooks()
    looks.look(before)
    turns = itertools.cycle((after, before))
    report("a map, a figure was moved", best_of(6, lambda: looks.look(next(turns))), peer, plain)
    board = combat_board(6).shot.picture
    plain, first = best_of(10, lambda: plain_threshold(board)), TableLook.at(board, quick=True)
    report("a board, 1920x1080, first look", best_of(5, lambda: TableLook.at(board, quick=True)), peer, plain)
    worst, look = 0.0, first
    while look.unsearched:
        worst, look = max(worst, best_of(5, look.closer)), look.closer()
    report("a board, 1920x1080, a look closer, its busiest part", worst, peer, plain)


def dice_by_networks(models: Models, dice: BgrImage, pool: Pool | None, peer: str, plain: float) -> None:
    """The whole reading of a frame with five dice, and each of its parts."""
    evidence = gather_evidence(dice, pool, models)
    views = evidence.views
    assert views is not None
    parts: list[tuple[str, Callable[[], object]]] = [
        ("the whole", lambda: read_dice(dice, pool)),
        ("the detector", lambda: detect_dice(models.detector, dice, models.calibration.detector, 5)),
        ("both readers", lambda: [predict(models, name, views) for name in ("reader", "second")]),
        ("deciding", lambda: resolve_tray(evidence.dice, dice, pool, models.calibration)),
    ]
    for name, part in parts:
        report(f"five d6, 1280x720, networks: {name}", best_of(10, part), peer, plain)
    large = np.asarray(cv2.resize(dice, (4000, 2250), interpolation=cv2.INTER_CUBIC), np.uint8)
    large = np.asarray(cv2.copyMakeBorder(large, 375, 375, 0, 0, cv2.BORDER_REPLICATE), np.uint8)
    plain = best_of(5, lambda: plain_threshold(large))
    report("five d6, 12 megapixels, networks: the whole", best_of(5, lambda: read_dice(large, pool)), peer, plain)
    ocr, faces, numeral = models.numerals, models.faces, one_numeral()
    if ocr is not None and faces is not None:
        crop = cut(numeral, (80.0, 80.0), 40.0, 0.0, CROP_SIDE)
        plain = best_of(10, lambda: digit_probabilities(ocr, [crop]))
        read = best_of(10, lambda: read_face(ocr, numeral, ((80.0, 80.0), 80.0)))
        report("the numeral of one die", read, "one crop through the OCR model", plain)
        pose, marks = lying_as(DieKind.D20, 54)
        camera = camera_at(UPRIGHT)
        plain = cpu_of(20, lambda: digit_probabilities(ocr, [crop]))
        for what, shown in (("its layout", marks), ("no layout that is known", [marks[0], *marks[:0:-1]])):
            die = drawn(pose, shown)
            read = cpu_of(10, lambda die=die: read_layout(faces, die, pose, camera))
            report(f"a d20 by {what}, CPU", read, "one crop through the OCR model", plain)


if __name__ == "__main__":
    main()
