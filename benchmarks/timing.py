"""Timing and memory, in one place: the best of several runs, and lines with ratios."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest of ``runs`` runs: the one that the rest of the machine disturbed least."""
    fastest = float("inf")
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        fastest = min(fastest, time.perf_counter() - begun)
    return fastest


def report(what: str, seconds: float, beside: str, peer_seconds: float, *, each: int = 1, unit: str = "") -> None:
    """One line: our time, the peer's time, and the ratio."""
    per = f" a {unit}" if unit else ""
    ours, peer = seconds / each * 1000, peer_seconds / each * 1000
    print(f"| {what} | {ours:.3f} ms{per} | {beside} | {peer:.3f} ms | {seconds / peer_seconds:.1f} x |")


def cpu_of(runs: int, work: Callable[[], object]) -> float:
    """CPU seconds (of this process, user and system) of the cheapest of ``runs`` runs, after one that warms up."""
    work()
    cheapest = float("inf")
    for _ in range(runs):
        begun = time.process_time()
        work()
        cheapest = min(cheapest, time.process_time() - begun)
    return cheapest


def memory() -> float:
    """MB of this program's memory that lie in RAM."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
