"""Make the reader of numerals out of a public reader of print.

PP-OCRv4's recogniser of text lines (Apache 2.0), as it lies in the wheel ``rapidocr-onnxruntime`` 1.4.4 on the
package index, knows printed characters in any type and light. Of its 6,625 characters only the digits and what
they could be taken for (the rest of ASCII) are kept, and weights as float16: 10.9 MB become 3.9. What only
scales or shifts is folded into its convolutions (``folding.py``). Nothing is learned.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.vision.model_sums import renew_sums
from training.folding import fold
from training.onnx_files import halve

WITHIN = "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx"
DIGITS = "0123456789"
LARGE = 16
"""Numbers from which a constant of the graph is kept as a weight."""


def cut_down(written: bytes, file: Path) -> None:
    """Write the part of the recogniser that reads digits to ``file``.

    Its answer is (N, T, 96): shares of nothing, the ten digits and the rest of ASCII at each of T places from left
    to right, an eighth of the crop's width each.

    Raises:
        FileUnreadable: this is not the recogniser that is known here.
    """
    import onnx
    from onnx import numpy_helper

    model = onnx.load_from_string(written)
    told = {entry.key: entry.value for entry in model.metadata_props}
    characters = told.get("character", "").splitlines()
    if not set(DIGITS) <= set(characters):
        raise FileUnreadable(
            "the recogniser names no characters, or not all digits; take rapidocr-onnxruntime 1.4.4"
        )
    rest = [c for c in map(chr, range(33, 127)) if c in characters and c not in DIGITS]
    # What stands first is "no character here".
    columns = [0, *(1 + characters.index(c) for c in [*DIGITS, *rest])]
    nodes, weights, cut = [], [], 0
    for node in model.graph.node:
        array = numpy_helper.to_array(node.attribute[0].t) if node.op_type == "Constant" else None
        if array is None or array.size < LARGE:
            nodes.append(node)
            continue
        if array.shape[-1] == len(characters) + 2:
            array, cut = np.ascontiguousarray(array[..., columns]), cut + 1
        weights.append(numpy_helper.from_array(array, node.output[0]))
    if cut != 2:
        raise FileUnreadable("the recogniser's last layer is not where it was; take rapidocr-onnxruntime 1.4.4")
    del model.graph.node[:], model.metadata_props[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(weights)
    model.graph.output[0].type.tensor_type.shape.dim[2].dim_value = len(columns)
    _named(model.graph, model.graph.input[0].name, "crops")
    _named(model.graph, model.graph.output[0].name, "characters")
    fold(model.graph)
    unfinished = file.with_suffix(".part.onnx")
    onnx.save(model, str(unfinished))
    halve(unfinished)
    unfinished.replace(file)
    renew_sums(file.parent)


def _named(graph: object, before: str, after: str) -> None:
    """Give one value of the graph another name."""
    for value in (*graph.input, *graph.output):  # type: ignore[attr-defined]
        if value.name == before:
            value.name = after
    for node in graph.node:  # type: ignore[attr-defined]
        node.input[:] = [after if name == before else name for name in node.input]
        node.output[:] = [after if name == before else name for name in node.output]
