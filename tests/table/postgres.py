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
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="loomtable-pg-", dir="/tmp"))
    user = _user()
    try:
        if user is not None:
            shutil.chown(folder, user)
        # The server's own words are English wherever the tests run.
        environment = {"LC_ALL": "C", "PATH": os.environ.get("PATH", "")}

        def run(program: str, *arguments: str) -> None:
            done = subprocess.run(
                [programs / program, *arguments],
                user=user,
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,  # the server keeps what it is given open
                stderr=subprocess.DEVNULL,
                timeout=60,
                check=False,
            )
            if done.returncode:
                raise NoPostgres(f"{program} ended with {done.returncode}")

        files = str(folder / "files")
        run("initdb", "-D", files, "-U", "loom", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c shared_buffers=16MB -c max_connections=40"
        run("pg_ctl", "-D", files, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield folder
        finally:
            run("pg_ctl", "-D", files, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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
