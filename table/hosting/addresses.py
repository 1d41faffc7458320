"""By which names and addresses this machine can be reached, on itself and on the network at home."""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SIOCGIFADDR = 0x8915


@dataclass(frozen=True)
class Addresses:
    """Where the table is to be found. Each is the beginning of a URL: ``https://192.168.1.5:8418``."""

    own: str = ""
    """On this machine only."""
    secure: tuple[str, ...] = ()
    """For phones, over HTTPS: everything works, after one agreement to our own certificate."""
    plain: tuple[str, ...] = ()
    """For phones, over HTTP: no live camera, photographs instead."""


def network_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine on networks at home, the one that others most likely reach first."""
    found = dict.fromkeys((*_towards_others(), *_of_interfaces(), *_of_name()))
    return tuple(address for address in found if _is_home(address))


def known_names(addresses: Iterable[str]) -> tuple[str, ...]:
    """The names and addresses by which the table may be asked, over the network too."""
    name = socket.gethostname().split(".")[0].lower()  # what this machine calls itself, without a domain
    return (*LOOPBACK, name, f"{name}.local", *addresses)


def base_url(scheme: str, address: str, port: int) -> str:
    """``https://192.168.1.5:8418``, with brackets round an IPv6 address."""
    return f"{scheme}://{f'[{address}]' if ':' in address else address}:{port}"


def _is_home(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_multicast or ip.is_unspecified)


def _towards_others() -> Iterator[str]:
    """The address by which a packet would leave; none is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is kept for documents (RFC 5737)
            yield str(probe.getsockname()[0])
        except OSError:
            return


def _of_interfaces() -> Iterator[str]:
    if not sys.platform.startswith("linux"):
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            try:
                told = fcntl.ioctl(asking.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # an interface without an address
            yield socket.inet_ntoa(told[20:24])


def _of_name() -> Iterator[str]:
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return
    yield from (str(entry[4][0]) for entry in found)
