"""Fewer operators for the same numbers: scales, offsets and hard swishes of an ONNX graph folded together.

The OCR model is published with nine operators after each convolution that only scale, shift and bend its output.
Each passes over the whole feature map, and together they take as long as the convolutions. ONNX Runtime folds such
operators by itself where they hold a number for each channel, but not where they hold one for all. Those that
nothing can take in stand between convolutions, which keep their channels in blocks: for each the runtime lays the
feature map out anew, and back. As convolutions of one pixel they do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def fold(graph: Any) -> None:
    """Fold a graph in place; what it computes stays the same up to rounding.

    1. ``Conv`` then times or plus a number: into the weights and the bias.
    2. ``x * clip(x + 3, 0, 6) / 6``: ``x * HardSigmoid(x)``.
    3. Times or plus a number, then only ``Conv``: into its weights, and where nothing is padded into its bias.
    4. What is left of times and plus a number, one after another: a depthwise ``Conv`` of one pixel.
    """
    folding = _Folding(graph)
    while folding.step(folding.folds):
        pass
    while folding.step((folding.as_conv,)):
        pass
    folding.write()


class _Folding:
    """A graph while it is folded: its arrays by name, and who makes and takes each value."""

    def __init__(self, graph: Any) -> None:
        from onnx import numpy_helper

        self.graph, self.nodes = graph, list(graph.node)
        self.kept: dict[str, Array] = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
        for node in self.nodes:
            if node.op_type == "Constant":
                self.kept[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
        self.given = {output.name for output in graph.output}
        self.changed: dict[str, Array] = {}
        self.folds = (self._after_conv, self._hard_swish, self._before_conv)

    def step(self, rules: Sequence[Callable[[Any], bool]]) -> bool:
        """Apply one of the rules once; whether there was anything to apply one to."""
        self.users: dict[str, list[Any]] = defaultdict(list)
        for node in self.nodes:
            for name in node.input:
                self.users[name].append(node)
        return any(rule(node) for node in self.nodes for rule in rules)

    def write(self) -> None:
        """Put what was folded into the graph, and leave out what nobody takes any more."""
        from onnx import numpy_helper

        taken = {name for node in self.nodes for name in node.input}
        kept = [item for item in self.graph.initializer if item.name in taken and item.name not in self.changed]
        del self.graph.node[:], self.graph.initializer[:]
        self.graph.initializer.extend(kept)
        self.graph.initializer.extend(
            numpy_helper.from_array(array, name) for name, array in self.changed.items() if name in taken
        )
        self.graph.node.extend(
            node
            for node in self.nodes
            if node.op_type != "Constant" or (node.output[0] in taken and node.output[0] not in self.changed)
        )

    def _only_user(self, name: str) -> Any | None:
        """Who alone takes a value; nothing where the graph gives it, or what is made of it, to others."""
        users = self.users[name]
        if len(users) != 1 or name in self.given or users[0].output[0] in self.given:
            return None
        return users[0]

    def _line(self, node: Any | None, value: str) -> tuple[float, float] | None:
        """Factor and offset of a node that multiplies a value with a number or adds one; nothing for others."""
        if node is None or node.op_type not in ("Mul", "Div", "Add") or value not in node.input:
            return None
        number = self.kept.get(next((name for name in node.input if name != value), value))
        if number is None or number.size != 1 or (node.op_type == "Div" and node.input[0] != value):
            return None
        by = float(number.reshape(()))
        return (1.0, by) if node.op_type == "Add" else (by if node.op_type == "Mul" else 1 / by, 0.0)

    def _reweigh(self, conv: Any, weight: Array, bias: Array) -> None:
        """Give a convolution weights and a bias of its own."""
        names = [f"{conv.output[0]}.{part}" for part in ("weight", "bias")]
        for name, array in zip(names, (weight, bias), strict=True):
            self.kept[name] = self.changed[name] = np.asarray(array, np.float32)
        conv.input[:] = [conv.input[0], *names]

    def _weights(self, conv: Any) -> tuple[Array, Array]:
        weight = self.kept[conv.input[1]]
        return weight, self.kept[conv.input[2]] if len(conv.input) > 2 else np.zeros(len(weight), np.float32)

    def _replace(self, node: Any, value: str) -> None:
        """Take ``value`` wherever the output of a node was taken, and drop the node."""
        for user in self.users[node.output[0]]:
            user.input[:] = [value if name == node.output[0] else name for name in user.input]
        self.nodes.remove(node)

    def _after_conv(self, conv: Any) -> bool:
        if conv.op_type != "Conv" or conv.input[1] not in self.kept:
            return False
        user = self._only_user(conv.output[0])
        line = self._line(user, conv.output[0])
        if user is None or line is None:
            return False
        weight, bias = self._weights(conv)
        self._reweigh(conv, weight * line[0], bias * line[0] + line[1])
        self._replace(user, conv.output[0])
        return True

    def _hard_swish(self, clip: Any) -> bool:
        from onnx import helper

        if clip.op_type != "Clip" or [self._bound(name) for name in clip.input[1:]] != [0.0, 6.0]:
            return False
        raised = next((node for node in self.nodes if clip.input[0] in node.output), None)
        bent = self._only_user(clip.output[0])
        if raised is None or bent is None or bent.op_type != "Mul" or self._only_user(clip.input[0]) is None:
            return False
        value = next((name for name in bent.input if name != clip.output[0]), "")
        if self._line(raised, value) != (1.0, 3.0):
            return False
        # clip(x + 3, 0, 6) is six times what ONNX calls a hard sigmoid.
        gate, made = f"{clip.output[0]}.gate", bent.output[0]
        sigmoid = helper.make_node("HardSigmoid", [value], [gate], alpha=1 / 6, beta=0.5)
        swish = helper.make_node("Mul", [value, gate], [f"{made}.sixth"])
        six = helper.make_node("Mul", [f"{made}.sixth", f"{made}.six"], [made])
        self.kept[f"{made}.six"] = self.changed[f"{made}.six"] = np.array(6.0, np.float32)
        place = self.nodes.index(bent)
        self.nodes[place : place + 1] = [sigmoid, swish, six]
        self.nodes.remove(clip)
        self.nodes.remove(raised)
        return True

    def _bound(self, name: str) -> float | None:
        return float(self.kept[name].reshape(())) if name in self.kept else None

    def _before_conv(self, node: Any) -> bool:
        value = next((name for name in node.input if name not in self.kept), "")
        line, users = self._line(node, value), self.users[node.output[0]]
        if line is None or node.output[0] in self.given or not users:
            return False
        if any(user.op_type != "Conv" or user.input[1] not in self.kept for user in users):
            # A factor goes past an offset: s x + b is s (x + b / s).
            return self._swapped(node, value, line)
        factor, offset = line
        padded = any(any(a.ints) for user in users for a in user.attribute if a.name == "pads")
        if offset and padded:
            return False
        for user in users:
            weight, bias = self._weights(user)
            self._reweigh(user, weight * factor, bias + offset * weight.sum(axis=(1, 2, 3)))
        self._replace(node, value)
        return True

    def _swapped(self, node: Any, value: str, line: tuple[float, float]) -> bool:
        user = self._only_user(node.output[0])
        after = self._line(user, node.output[0])
        if user is None or after is None or line[1] or not after[1]:
            return False
        # Times and plus change places, so that times comes next to what follows.
        for operation, number in ((node, after[1] / line[0]), (user, line[0])):
            name = f"{operation.output[0]}.number"
            self.kept[name] = self.changed[name] = np.array(number, np.float32)
        node.op_type, user.op_type = "Add", "Mul"
        node.input[:], user.input[:] = (
            [value, f"{node.output[0]}.number"],
            [node.output[0], f"{user.output[0]}.number"],
        )
        return True

    def as_conv(self, node: Any) -> bool:
        """Make one convolution of a node that multiplies a value with a number or adds one, and of those after."""
        from onnx import helper

        value = next((name for name in node.input if name not in self.kept), "")
        line, channels = self._line(node, value), self._channels(value)
        if line is None or channels is None:
            return False
        factor, offset = line
        chain = [node]
        while True:
            user = self._only_user(chain[-1].output[0])
            after = self._line(user, chain[-1].output[0])
            if user is None or after is None:
                break
            factor, offset = factor * after[0], offset * after[0] + after[1]
            chain.append(user)
        conv = helper.make_node("Conv", [value], chain[-1].output, group=channels, kernel_shape=[1, 1])
        self._reweigh(conv, np.full((channels, 1, 1, 1), factor), np.full(channels, offset))
        self.nodes[self.nodes.index(node)] = conv
        for node in chain[1:]:
            self.nodes.remove(node)
        return True

    def _channels(self, value: str) -> int | None:
        """How many channels a value has that comes from a convolution; nothing for others."""
        made = {name: node for node in self.nodes for name in node.output}
        while value in made and made[value].op_type in ("Add", "Mul", "Div", "HardSigmoid", "Relu"):
            value = next(name for name in made[value].input if name not in self.kept)
        conv = made.get(value)
        if conv is None or conv.op_type != "Conv" or conv.input[1] not in self.kept:
            return None
        return len(self.kept[conv.input[1]])
