"""What a page of the table costs the server at each change, beside the television's page of the same moment.

Last: 5 to 20 ms (bound 40).
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from urllib.parse import quote

from benchmarks.legal import settled
from benchmarks.timing import cpu_of, report
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from tests.table.asking import Table

FETCHES = 6


def main() -> None:
    """Print the table."""
    print("| what | ours | beside | peer | ratio |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder, TableHost(open_store(Path(folder) / "sessions.db")) as host:
        table = Table(host, hurried=True)
        for key in sorted(SYSTEMS):
            live = host.begin_ready(key, seed="tonight")
            settled(live.session)
            if key == "spellwoven":
                live.session.perform("begin-conflict")
                settled(live.session)
            name = quote(live.name)
            laptop, screen = table.join(Role.HOST), table.join(Role.SCREEN, live=live.name)
            assert laptop.get(f"/table/{name}").status == screen.get(f"/room/{name}").status == 200
            page = cpu_of(FETCHES, partial(laptop.get, f"/table/{name}"))
            report(
                f"{SYSTEMS[key].title}: the host's page",
                page,
                "the television's",
                cpu_of(FETCHES, partial(screen.get, f"/room/{name}")),
            )


if __name__ == "__main__":
    main()
