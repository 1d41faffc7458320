"""YAML files that people write: read strictly, with the line of whatever is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from engine.kernel.errors import ContentInvalid, FileUnreadable, LoomtableError

T = TypeVar("T")

_PATH = re.compile(r"^(?P<why>.*?) - at `\$(?P<path>.*)`$", re.DOTALL)
_STEP = re.compile(r"\.(\w[\w -]*)|\[(\d+)\]|\[\.\.\.\]")


def read_text(path: Path) -> str:
    """The file's text (UTF-8).

    Raises:
        FileUnreadable: missing, a folder, no permission, or not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileUnreadable(f"{path}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise FileUnreadable(f"{path}: is not a UTF-8 text file (byte {error.start})") from None
    except OSError as error:
        raise FileUnreadable(f"{path}: cannot be read ({error.strerror})") from None


def parse_yaml(
    text: str, shape: type[T], name: str, error: type[LoomtableError] = ContentInvalid
) -> tuple[T, YamlLines]:
    """Read ``text`` as ``shape`` (a msgspec type); ``name`` is the file's name in messages.

    Raises:
        error: not YAML, or not of that shape; the message holds the file's name, the line and the reason.
    """
    try:
        plain = yaml.load(text, Loader=_StrictLoader)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as trouble:
        mark = trouble.problem_mark or trouble.context_mark
        where = f" line {mark.line + 1}" if mark else ""
        raise error(f"{name}{where}: is not good YAML: {trouble.problem or trouble.context}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as trouble:
        raise error(f"{name}: is not good YAML: {str(trouble).splitlines()[0]}") from None
    lines = YamlLines(name, node)
    try:
        return msgspec.convert(plain, shape), lines
    except msgspec.ValidationError as trouble:
        found = _PATH.match(str(trouble))
        path = _steps(found["path"]) if found else ()
        why = found["why"] if found else str(trouble)
        raise error(f"{lines.place(*path)}: {_plain(why)}") from None


class YamlLines:
    """Finds the line in which a part of a YAML file stands."""

    def __init__(self, name: str, root: yaml.Node | None) -> None:
        self.name = name
        self._root = root

    def line(self, *path: str | int) -> int:
        """The line (from 1) of the part at ``path``, or of the nearest part around it that exists."""
        node, line = self._root, 1
        for step in path:
            inner = _child(node, step)
            if inner is None:
                break
            node = inner
            line = node.start_mark.line + 1
        return line

    def place(self, *path: str | int) -> str:
        """``"evening.yaml line 12"``."""
        return f"{self.name} line {self.line(*path)}"


def _child(node: yaml.Node | None, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        found: yaml.Node = node.value[step]
        return found
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                inner: yaml.Node = value
                return inner
    return None


def _steps(path: str) -> tuple[str | int, ...]:
    return tuple(int(m[2]) if m[2] else m[1] for m in _STEP.finditer(path) if m[1] or m[2])


def _plain(why: str) -> str:
    """msgspec's reason, in words for people who do not program."""
    for old, new in (
        ("Object contains unknown field", "there is no such field as"),
        ("Object missing required field", "is missing the field"),
        ("`object`", "a block of fields"),
        ("`array`", "a list"),
        ("`str`", "text"),
        ("`int`", "a whole number"),
        ("`null`", "nothing"),
        ("`bool`", "yes or no"),
    ):
        why = why.replace(old, new)
    return why[0].lower() + why[1:]


class _StrictLoader(yaml.SafeLoader):
    """Safe YAML in which a repeated key is an error instead of a silent overwrite."""


def _strict_mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        try:
            repeated = key in seen
        except TypeError:
            raise yaml.constructor.ConstructorError(
                None, None, "a list cannot be the name of a field", key_node.start_mark
            ) from None
        if repeated:
            raise yaml.constructor.ConstructorError(None, None, f"{key!r} stands twice", key_node.start_mark)
        seen.add(key)
    return loader.construct_mapping(node, deep=True)


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _strict_mapping)
