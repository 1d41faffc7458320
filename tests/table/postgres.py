"""A real PostgreSQL server for tests: Debian's binaries, a folder that is thrown away, no port, no root."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USERS = ("postgres", "nobody")


class NoPostgres(Exception):
    """There is none on this machine, or it cannot be started."""


@contextmanager
def postgres_server() -> Iterator[Path]:
    """The folder of a running server's socket.

    Raises:
        NoPostgres: it is not installed, or does not start.
    """
    _programs()
    folder = Path(tempfile.mkdtemp(prefix="loomtable-pg-", dir="/tmp"))
    user = _user()
    try:
        if user is not None:
            shutil.chown(folder, user)
        _run(folder, "initdb", "-D", _files(folder), "-U", "loom", "-A", "trust", "-E", "UTF8", "--no-sync")
        _start(folder)
        try:
            yield folder
        finally:
            _stop(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def crash(folder: Path) -> None:
    """Stop a server in the middle of whatever it does, without tidying up, and start it again."""
    _stop(folder)
    _start(folder)


def _start(folder: Path) -> None:
    options = f"-k {folder} -c listen_addresses='' -c shared_buffers=16MB -c max_connections=40"
    _run(folder, "pg_ctl", "-D", _files(folder), "-w", "-l", str(folder / "log"), "-o", options, "start")


def _stop(folder: Path) -> None:
    _run(folder, "pg_ctl", "-D", _files(folder), "-w", "-m", "immediate", "stop")


def _files(folder: Path) -> str:
    return str(folder / "files")


def _run(folder: Path, program: str, *arguments: str) -> None:
    done = subprocess.run(
        [_programs() / program, *arguments],
        user=_user(),
        cwd=folder,
        # The server's own words are English wherever the tests run.
        env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
        stdout=subprocess.DEVNULL,  # the server keeps what it is given open
        stderr=subprocess.DEVNULL,
        timeout=240,
        check=False,
    )
    if done.returncode:
        raise NoPostgres(f"{program} ended with {done.returncode}")


def letterless_in(socket_folder: Path, name: str) -> str:
    """The address of a new database that does not know what letters are, as initdb makes them without a locale."""
    import psycopg

    with psycopg.connect(f"host={socket_folder} user=loom dbname=postgres", autocommit=True) as server:
        made = f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"
        server.execute(made)  # type: ignore[call-overload]  # the name is ours
    return f"postgresql://loom@/{name}?host={socket_folder}"


def place_in(socket_folder: Path, name: str) -> str:
    """The address of a new and empty place in its one database; a database for each would take its time."""
    import psycopg

    with psycopg.connect(f"host={socket_folder} user=loom dbname=postgres", autocommit=True) as server:
        server.execute(f"CREATE SCHEMA {name}")  # type: ignore[arg-type]  # the name is ours
    return f"postgresql://loom@/postgres?host={socket_folder}&options=-csearch_path%3D{name}"


def _programs() -> Path:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    if found:
        places.append(Path(found).resolve().parent)
    for place in places:
        if (place / "initdb").exists() and (place / "pg_ctl").exists():
            return place
    raise NoPostgres("PostgreSQL is not installed (apt-get install postgresql)")


def _user() -> str | None:
    """Who the server runs as: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in USERS:
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    raise NoPostgres("PostgreSQL does not run as root, and there is no other user")
