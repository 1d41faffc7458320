"""YAML files that people write: read strictly, with the line of whatever is wrong."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import yaml

from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError
from loomtable.engine.kernel.package_data import added_folders, package_file
from loomtable.engine.kernel.package_data import read_text as read_text
from loomtable.engine.kernel.serialization import from_builtins, validation_message

T = TypeVar("T")

_TITLE = re.compile(r"^title:\s*(.*\S)", re.MULTILINE)
MOST_PARTS = 1_000_000
"""Of one file: a deck of 20,000 cards with two dozen fields each."""


class Titled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every file of content says of itself, besides what it holds."""

    title: str
    licence: str


class ReadLater(Mapping[str, T]):
    """What a file holds, by name; it is read when something of it is first wanted, and few commands want all."""

    def __init__(self, read: Callable[[], Mapping[str, T]]) -> None:
        self._whole = cache(read)

    def __getitem__(self, name: str) -> T:
        return self._whole()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())


class Installed(Generic[T]):
    """Content files of one kind as they are now: those that ship, in a folder of ``templates``, and added ones."""

    def __init__(self, kind: str, parse: Callable[[str, str], T], *folder: str) -> None:
        self._kind, self._parse, self._folder = kind, parse, folder
        self._lent: set[str] = set()
        self._read_once = cache(self._read)
        self.shipped = cache(self._shipped)

    def names(self) -> tuple[str, ...]:
        """The names of all of them, but for added files with mistakes: no list fails because of one."""
        return tuple(sorted((*self.shipped(), *filter(self._holds_together, self._added()))))

    def titles(self) -> dict[str, str]:
        """The titles of all by their names, read without what else is in them; none of what has no title."""
        found: dict[str, str] = {}
        for name in sorted((*self.shipped(), *self._added())):
            with suppress(LoomtableError, IndexError):
                found[name] = _TITLE.findall(read_text(self.path(name)))[0].strip("'\"")
        return found

    def shipped_titles(self) -> dict[str, str]:
        """As ``titles``, of those that ship."""
        return {name: title for name, title in self.titles().items() if name in self.shipped()}

    def own_titles(self) -> dict[str, str]:
        """As ``titles``, of those that were added."""
        return {name: title for name, title in self.titles().items() if name not in self.shipped()}

    def _shipped(self) -> tuple[str, ...]:
        """The names of those that ship."""
        return tuple(sorted(path.stem for path in package_file("templates", *self._folder).glob("*.yaml")))

    def path(self, name: str) -> Path:
        """The file of this name. What ships comes first, so nothing that was added can replace it."""
        if name in self._lent:
            return Path(name)
        if name in self.shipped():
            return package_file("templates", *self._folder) / f"{name}.yaml"
        files = [folder / f"{name}.yaml" for folder in added_folders(*self._folder)]
        return next((file for file in files if file.is_file()), files[0])

    def lent(self, given: Path) -> str:
        """The name of what is given by name or as a file, which is known as long as the program runs."""
        if given.is_file() or given.suffix:
            self._lent.add(str(given))
        return str(given)

    def _added(self) -> set[str]:
        files = (file for folder in added_folders(*self._folder) for file in folder.glob("*.yaml"))
        return {file.stem for file in files} - {*self.shipped()}

    def _holds_together(self, name: str) -> bool:
        try:
            self.named(name)
        except LoomtableError:
            return False
        return True

    def changed(self, name: str) -> int:
        """When an added file of this name was last changed (ns); 0 for what ships, -1 if there is none."""
        with suppress(OSError, ValueError):
            return 0 if name in self.shipped() else self.path(name).stat().st_mtime_ns
        return -1

    def named(self, name: str) -> T:
        """What the file of this name holds now.

        Raises:
            ContentInvalid: there is none, and the message lists those there are; or it does not hold together.
        """
        return self._read_once(name, self.changed(name))

    def _read(self, name: str, changed: int) -> T:
        if name not in (*self.shipped(), *self._added(), *self._lent):
            known = ", ".join(self.names())
            raise ContentInvalid(f"there is no {self._kind} {name[:40]!r}; installed: {known}")
        path = self.path(name)
        return self._parse(read_text(path), path.name)


def parse_yaml(
    text: str, shape: type[T], name: str, error: type[LoomtableError] = ContentInvalid
) -> tuple[T, YamlLines]:
    """Read ``text`` as ``shape`` (a msgspec type); ``name`` is the file's name in messages.

    Raises:
        error: not YAML, or not of that shape; the message holds the file's name, the line and the reason.
    """
    try:
        plain, node = _loaded(text)
    except yaml.MarkedYAMLError as trouble:
        mark = trouble.problem_mark or trouble.context_mark
        where = f" line {mark.line + 1}" if mark else ""
        raise error(f"{name}{where}: is not good YAML: {trouble.problem or trouble.context}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as trouble:
        raise error(f"{name}: is not good YAML: {str(trouble).splitlines()[0]}") from None
    lines = YamlLines(name, node)
    return part(plain, shape, lines, error=error), lines


@lru_cache(maxsize=1)
def _loaded(text: str) -> tuple[Any, yaml.Node | None]:
    """What a text says, and its nodes, from one reading: whoever checks a file asks for it in several shapes."""
    loader = _StrictLoader(text)
    node = loader.get_single_node()
    return None if node is None else loader.construct_document(node), node


def compose(text: str) -> yaml.Node | None:
    """The nodes of a YAML text, each with its line; keys that stand twice are both there.

    Raises:
        yaml.YAMLError: it is not good YAML.
    """
    node: yaml.Node | None = yaml.compose(text, Loader=_StrictLoader)
    return node


def parse_value(text: str) -> Any:
    """One YAML value, such as stands in an argument on the command line.

    Raises:
        yaml.YAMLError: it is not good YAML, or a number too long to be one.
    """
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except (ValueError, RecursionError) as error:
        raise yaml.YAMLError(str(error)) from None


def part(
    plain: object, shape: type[T], lines: YamlLines, *path: str | int, error: type[LoomtableError] = ContentInvalid
) -> T:
    """Read a part of a file, which stands at ``path``, as ``shape``.

    Where a file holds mappings whose keys people choose, reading it part by part finds the line of a mistake.

    Raises:
        error: it is not of that shape; the message holds the file's name, the line and the reason.
    """
    try:
        return from_builtins(plain, shape)
    except msgspec.ValidationError as trouble:
        why, inner = validation_message(trouble, shape)
        raise error(f"{lines.place(*path, *inner)}: {why}") from None


class YamlLines:
    """Finds the line in which a part of a YAML file stands."""

    def __init__(self, name: str, root: yaml.Node | None) -> None:
        self.name = name
        self._root = root

    def line(self, *path: str | int) -> int:
        """The line (from 1) of the part at ``path``, or of the nearest part around it that exists."""
        node, line = self._root, 1
        for step in path:
            found = _child(node, step)
            if found is None:
                break
            node, line = found
        return line

    def place(self, *path: str | int) -> str:
        """``"evening.yaml line 12"``."""
        return f"{self.name} line {self.line(*path)}"

    def check_text(self, text: str, longest: int, *path: str | int) -> None:
        """Hold the text at ``path`` to 1 to ``longest`` characters.

        Raises:
            ContentInvalid: it is empty or longer; the message says in which line.
        """
        if not text.strip():
            raise ContentInvalid(f"{self.place(*path)}: the text is empty")
        if len(text) > longest:
            raise ContentInvalid(f"{self.place(*path)}: a text of {len(text)} characters; at most {longest} fit")


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, int] | None:
    """The part of ``node`` at ``step``, and the line in which it, or the name of its field, stands."""
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        inner: yaml.Node = node.value[step]
        return inner, inner.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return value, key.start_mark.line + 1
    return None


# The same language, several times as fast where PyYAML was built with libyaml.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_Loader):  # type: ignore[misc]  # chosen at run time
    """Safe YAML in which a repeated key is an error instead of a silent overwrite.

    Words are read as in YAML 1.2: only ``true`` and ``false`` are yes and no, and nothing is a date, so that a
    character may be called No and a season 2026-01-01.
    """

    def get_single_node(self) -> yaml.Node | None:
        node: yaml.Node | None = super().get_single_node()
        if node is not None and _parts(node, {}) > MOST_PARTS:
            why = f"it has more than {MOST_PARTS:,} parts, with what its aliases stand for"
            raise yaml.composer.ComposerError(None, None, why, node.start_mark)
        return node


def _parts(node: yaml.Node, known: dict[yaml.Node, int]) -> int:
    """How many parts a node has, each as often as aliases (``*name``) stand for it: in itself without end."""
    if node not in known:
        known[node] = MOST_PARTS + 1
        inner = node.value if isinstance(node, yaml.CollectionNode) else ()
        within = itertools.chain(*inner) if isinstance(node, yaml.MappingNode) else inner
        known[node] = min(1 + sum(_parts(part, known) for part in within), MOST_PARTS + 1)
    return known[node]


def _strict_mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    mapping: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        try:
            repeated = key in mapping
        except TypeError:
            raise yaml.constructor.ConstructorError(
                None, None, "a list cannot be the name of a field", key_node.start_mark
            ) from None
        if repeated:
            raise yaml.constructor.ConstructorError(None, None, f"{key!r} stands twice", key_node.start_mark)
        mapping[key] = loader.construct_object(value_node, deep=True)
    return mapping


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _strict_mapping)


def _yaml_1_2_words() -> None:
    dropped = {"tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:int"}
    _StrictLoader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag not in dropped]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    add = _StrictLoader.add_implicit_resolver
    add("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
    add("tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789"))


_yaml_1_2_words()
