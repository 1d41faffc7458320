"""Ports that nobody uses."""

from __future__ import annotations

import contextlib
import random
import socket


def free_port() -> int:
    """A port that is free, and the next one too.

    It lies below those that systems give to whoever asks for any, so that what is opened there once can be opened
    again: meanwhile no other program has been given it.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as one, socket.socket() as other, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 1))
            return port
