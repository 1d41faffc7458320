"""What you set once for this machine: camera, paper, printer, store, colour, house rules; one TOML file.

The file lies in the user's configuration folder (``settings_file``). What a command is given always counts more.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from loomtable.engine.kernel.errors import BadInput, FileUnreadable, LoomtableError
from loomtable.engine.kernel.package_data import read_text
from loomtable.engine.kernel.wording import nearest

if TYPE_CHECKING:
    from loomtable.engine.kernel.rulings import Ruling
    from loomtable.engine.kernel.system import S, System

HOUSE_RULES = "house-rules"


class SettingsInvalid(BadInput):
    """The settings file cannot be used, or a setting cannot have this value."""


def settings_file() -> Path:
    """The file in which settings are kept; it need not be there."""
    return Path(platformdirs.user_config_dir("loomtable", appauthor=False)) / "settings.toml"


def usual_store() -> str:
    """Where sessions are kept unless somebody says otherwise: in the user's data folder."""
    return str(Path(platformdirs.user_data_dir("loomtable", appauthor=False)) / "sessions.db")


def _any_text(value: str) -> str:
    if not value.strip():
        raise SettingsInvalid("nothing was given")
    return value.strip()


def _paper(value: str) -> str:
    from loomtable.printkit.sheet.papers import paper_named

    paper_named(value)
    return value.lower()


def _printer(value: str) -> str:
    from loomtable.printkit.sheet.printer import printer_named

    printer_named(value)
    return value


def _store(value: str) -> str:
    if "://" not in value and not Path(value).is_absolute():
        raise SettingsInvalid(f"{value!r} is no whole path; write it from the root, so that it means one place")
    return value


def _colour(value: str) -> str:
    if value not in ("auto", "always", "never"):
        raise SettingsInvalid(f"colour is auto, always or never, not {value!r}")
    return value


CHECKS: Mapping[str, Callable[[str], str]] = {
    "camera": _any_text,
    "paper": _paper,
    "printer": _printer,
    "store": _store,
    "colour": _colour,
}
"""Every setting, with what holds a value against what it can be. House rules stand in a table of their own."""


def setting(name: str) -> str | None:
    """What was set, or ``None``.

    Raises:
        SettingsInvalid: the file cannot be used, or not with this value.
    """
    value = read_settings().get(name)
    if value is None:
        return None
    try:
        return CHECKS[name](value)
    except LoomtableError as error:
        raise SettingsInvalid(f"{settings_file()}: {name}: {error}") from None


def usual_paper() -> str:
    """The paper that is printed on unless another is named: as set, or A4."""
    return setting("paper") or "a4"


def read_settings() -> dict[str, Any]:
    """Everything that was set: texts by name, and the house rules by game and ruling; values are not checked yet.

    Raises:
        SettingsInvalid: the file cannot be read, is not TOML, or holds something that is no setting.
    """
    file = settings_file()
    found = _parsed(_text_of(file), file)
    for name, value in found.items():
        if name == HOUSE_RULES:
            _held_as_rules(value, file)
        elif name not in CHECKS:
            raise SettingsInvalid(f"{file}: {_no_setting(name)}")
        elif not isinstance(value, str | int) or isinstance(value, bool):
            raise SettingsInvalid(f'{file}: {name} takes a text in quotation marks, like {name} = "..."')
    return {name: value if name == HOUSE_RULES else str(value) for name, value in found.items()}


def house_rules(system: System[S]) -> dict[str, str]:
    """How a new table decides rulings of a game, by their ids, where not by default: as usual, or as yours does.

    Raises:
        SettingsInvalid: the file cannot be used, or names a ruling or choice that there is not.
    """
    rules: dict[str, str] = read_settings().get(HOUSE_RULES, {}).get(system.key, {})
    for ruling, choice in rules.items():
        try:
            system.rulings[ruling].choice(choice)
        except LoomtableError as error:
            raise SettingsInvalid(f"{settings_file()}: house rules of {system.title}: {error}") from None
    return {**system.rulings.usual(), **rules}


def change_setting(name: str, value: str | None) -> None:
    """Set something, or with ``None`` forget what was set; the rest of the file stays as it is written.

    ``GAME.RULING`` names a house rule.

    Raises:
        SettingsInvalid: there is no such setting, it cannot have this value, or the file cannot be used.
        PrintUnwritable: the file cannot be written.
    """
    import tomlkit

    from loomtable.printkit.files import write_whole

    game, dot, ruling = name.partition(".")
    kept = value if value is None else _ruling(game, ruling).choice(value).key if dot else _checked(name, value)
    read_settings()
    document: Any = tomlkit.parse(_text_of(settings_file()))
    table = document
    if dot:
        table = document.setdefault(HOUSE_RULES, tomlkit.table(True)).setdefault(game, tomlkit.table())
    if kept is None:
        table.pop(ruling or name, None)
    else:
        table[ruling or name] = kept
    write_whole(settings_file(), tomlkit.dumps(document).encode())


def known_setting(name: str) -> None:
    """Hold a name against the settings there are.

    Raises:
        SettingsInvalid: there is none of this name.
    """
    game, dot, ruling = name.partition(".")
    if dot:
        _ruling(game, ruling)
    elif name not in CHECKS:
        raise SettingsInvalid(_no_setting(name))


def _checked(name: str, value: str) -> str:
    known_setting(name)
    if name == "store" and value and "://" not in value:
        value = str(Path(value).expanduser().absolute())
    return CHECKS[name](value)


def _ruling(game: str, ruling: str) -> Ruling:
    from loomtable.engine.systems import SYSTEMS

    return SYSTEMS[game].rulings[ruling]


def _text_of(file: Path) -> str:
    try:
        return read_text(file) if file.exists() else ""
    except (FileUnreadable, OSError) as error:
        raise SettingsInvalid(f"{error}; fix it or delete it") from None


def _parsed(text: str, file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SettingsInvalid(f"{file}: holds lists in lists without end; fix it or delete it") from None
    except tomllib.TOMLDecodeError as error:
        why = str(error)[:1].lower() + str(error)[1:]
        raise SettingsInvalid(f"{file}: is not good TOML: {why}; fix it or delete it") from None


def _held_as_rules(value: object, file: Path) -> None:
    fits = isinstance(value, dict) and all(
        isinstance(rules, dict) and all(isinstance(choice, str) for choice in rules.values())
        for rules in value.values()
    )
    if not fits:
        raise SettingsInvalid(
            f'{file}: house rules are written as [{HOUSE_RULES}.GAME] and below it lines like ruling = "choice"'
        )


def _no_setting(name: str) -> str:
    hint = nearest(name, CHECKS, f"there are {', '.join(CHECKS)}, and house rules as GAME.RULING")
    return f"there is no setting {name!r}{hint}"
