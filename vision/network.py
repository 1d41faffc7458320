"""A learned network run by ONNX Runtime: one input, named outputs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from loomtable.engine.kernel.errors import Broken
from loomtable.engine.kernel.installation import again
from loomtable.vision.arrays import Float32Array

logger = logging.getLogger(__name__)

THREADS = 2
"""Threads that one network runs on; more gain nothing on a laptop of two cores. Set by hand."""


class ModelBroken(Broken):
    """A model file is damaged or not the one that its name says."""


class Network:
    """One ONNX model with one input: a batch of crops, or one ``whole`` picture.

    A batch is split among the threads, so that they need not wait for one another after each layer: it takes two
    thirds of the time. All threads share each layer of a whole picture.

    Raises:
        ModelBroken: the file cannot be loaded, or lacks one of the ``outputs``.
    """

    def __init__(self, path: Path, outputs: Sequence[str], whole: bool = False) -> None:
        # Loading the runtime takes a quarter of a second: who reads no dice should not wait for it.
        from loomtable.vision.onnx_runtime import onnxruntime

        options = onnxruntime.SessionOptions()
        self._shares = 1 if whole else THREADS
        options.intra_op_num_threads = THREADS // self._shares
        options.inter_op_num_threads = 1
        # Threads that spin while they wait take the cores from whatever else runs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # noqa: BLE001  the runtime raises a class of its own for each kind of damage
            why = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
            raise ModelBroken(f"{path}: cannot be loaded ({why}); {again()}") from None
        missing = sorted(set(outputs) - {output.name for output in self._session.get_outputs()})
        if missing:
            raise ModelBroken(f"{path}: gives no {', '.join(missing)}; it is not the model that its name says")
        self.path = path
        self.outputs = tuple(outputs)
        self._input: str = self._session.get_inputs()[0].name
        self._beside = ThreadPoolExecutor(max(self._shares - 1, 1))
        logger.info("the network %s is loaded", path.name)

    def run(self, inputs: Float32Array) -> dict[str, Float32Array]:
        """Every output by its name."""
        shares = np.array_split(inputs, min(self._shares, max(len(inputs), 1)))
        waiting = [self._beside.submit(self._run, share) for share in shares[1:]]
        parts = [self._run(shares[0]), *(job.result() for job in waiting)]
        outputs = parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
        return {name: np.asarray(array, np.float32) for name, array in zip(self.outputs, outputs, strict=True)}

    def _run(self, inputs: Float32Array) -> list[Any]:
        return list(self._session.run(self.outputs, {self._input: inputs}))
