"""Ports that nobody uses."""

from __future__ import annotations

import contextlib
import socket


def free_port() -> int:
    """A port that is free, and the next one too."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port = int(one.getsockname()[1])
            with contextlib.suppress(OSError):
                other.bind(("127.0.0.1", port + 1))
                return port
