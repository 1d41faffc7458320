"""Options and arguments that several commands take: one word for one thing, completed alike everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_type_hints

import typer

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.table.commands import completion
from loomtable.table.settings import setting, usual_paper

if TYPE_CHECKING:
    from loomtable.engine.kernel.session import Session
    from loomtable.table.store import Store

_Result = TypeVar("_Result")


def option(
    name: str, summary: str, metavar: str | None = None, completed: completion.Offers | None = None, **more: Any
) -> Any:
    """An option: what the help says of it, what its value is called, and what completes it."""
    return typer.Option(name, metavar=metavar, help=summary, autocompletion=completed, **more)


def argument(summary: str, metavar: str, completed: completion.Offers | None = None) -> Any:
    """An argument: what the help says of it, what it is called, and what completes it."""
    return typer.Argument(metavar=metavar, help=summary, autocompletion=completed)


def grouped(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """A command that takes groups of options: a parameter whose type is a dataclass stands for the class's fields.

    Each field is an option of that name. It has a default, and is annotated with what :func:`option` takes besides
    the name. In the help a group is a section, titled by the docstring of the class.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    @wraps(command)
    def ungrouped(**given: Any) -> _Result:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        return command(**given)

    parameters: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        alone = parameter.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)
        parameters += _options(groups[name]) if name in groups else [alone]
    vars(ungrouped)["__signature__"] = Signature(parameters)
    return ungrouped


def _options(group: Any) -> Iterator[Parameter]:
    """The fields of a group as parameters of the command."""
    for name, annotated in get_type_hints(group, include_extras=True).items():
        kind, *summary = get_args(annotated)
        declared = option(
            "--" + name.strip("_").replace("_", "-"), *summary, rich_help_panel=group.__doc__.rstrip(".")
        )
        yield Parameter(
            name, Parameter.KEYWORD_ONLY, default=getattr(group, name), annotation=Annotated[kind, declared]
        )


session_option = partial(option, "--session", metavar="NAME", completed=completion.sessions)
camera_option = partial(option, "--camera", metavar="CAMERA", completed=completion.cameras)
paper_option = partial(option, "--paper", metavar="PAPER", completed=completion.papers)
output_folder = partial(option, "--output", metavar="FOLDER")

Images = Annotated[list[Path] | None, argument("Pictures, videos, or folders of pictures.", "IMAGE")]
CameraAt = Annotated[
    str | None, camera_option("Use this camera instead: its number, its address, or a recording.")
]


def _folder(context: typer.Context, given: Path | None) -> Path | None:
    if given is not None and not context.resilient_parsing:
        from loomtable.printkit.files import check_folder

        check_folder(given)  # now, not once the first picture was read
    return given


Draw = Annotated[
    Path | None,
    option("--draw", "Save the pictures here, with the readings drawn on them.", "FOLDER", callback=_folder),
]
AsLines = Annotated[bool, option("--json", "Write one line of JSON for each picture or roll.")]
SessionNamed = Annotated[str | None, session_option("The session, by its name.")]


def _paper_as_set(context: typer.Context, given: str) -> str:
    return given if given or context.resilient_parsing else usual_paper()


PaperNamed = Annotated[
    str,
    paper_option("a4, letter and others, or a size: 310x440mm; otherwise as set, or a4.", callback=_paper_as_set),
]
AS_SET = ""
"""The default of an option that the settings decide about."""


def camera_or_set(images: Sequence[object], camera: str | None) -> str | None:
    """The camera to look through: as given, or as set where no picture was named either."""
    return camera if images or camera is not None else setting("camera")


def open_kept(store: str) -> Store:
    """Open a store that has to be there already: looking for a session does not make a file.

    Raises:
        FileUnreadable: there is none.
        StoreUnusable, JournalCorrupt: it cannot be used.
    """
    from loomtable.table.store import is_file, open_store

    if is_file(store) and not Path(store).is_file():
        why = f"{store}: there is no such file, so no session either; loom play and loom table begin one"
        raise FileUnreadable(why)
    return open_store(store)


def kept_session(journals: Store, name: str) -> Session[object]:
    """A session of a store, taken up.

    Raises:
        FileUnreadable: it holds none of this name; the message lists those it holds.
        JournalCorrupt: it is damaged, or of other rules.
    """
    from loomtable.engine.kernel.session import Session
    from loomtable.engine.systems import SYSTEMS

    names = journals.sessions()
    if name not in names:
        known = ", ".join(map(repr, names)) or "none"
        raise FileUnreadable(f"{journals.title}: there is no session {name!r}; it holds {known}")
    return Session.resume(SYSTEMS, journals.journal(name))
