"""Certificates for this machine: an authority that is made once, and a new certificate whenever the table opens.

The authority may only vouch for names and addresses at home, so that whoever trusts it on a phone trusts it with
nothing else.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import os
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from loomtable.engine.kernel.errors import Broken

AUTHORITY_DAYS = 3650
LEAF_DAYS = 397
"""Phones refuse certificates that are valid for longer than about thirteen months."""
RENEWED_BEFORE = 400
"""Days before its end at which a new authority is made."""
_HOME_NETWORKS = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "100.64.0.0/10",
    "fc00::/7", "fe80::/10", "::1/128",
)  # fmt: skip
_HOME_NAMES = ("localhost", "local", "lan", "home.arpa", "internal")


class CertificateUnusable(Broken):
    """The certificate's files cannot be read or written."""


@dataclass(frozen=True)
class Certificate:
    """Where the table's certificate lies, and the authority's that vouches for it."""

    chain: Path
    key: Path
    authority: Path


def certificate_for(names: Iterable[str], folder: Path) -> Certificate:
    """A fresh certificate for these names and addresses, by the authority that is kept in ``folder``.

    Raises:
        CertificateUnusable: the folder cannot be used.
    """
    given = tuple(dict.fromkeys(names))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        authority, authority_key = _authority(folder, given)
        key = ec.generate_private_key(ec.SECP256R1())
        leaf = _leaf(given, key, authority, authority_key)
        made = Certificate(folder / "table.pem", folder / "table-key.pem", folder / "authority.pem")
        _write(made.key, _key_bytes(key))
        _write(made.chain, _pem(leaf) + _pem(authority))
    except OSError as error:
        raise CertificateUnusable(
            f"{folder}: the certificate cannot be kept there ({error.strerror}); "
            "the table opens without HTTPS if --lan is left out"
        ) from None
    return made


def server_context(certificate: Certificate) -> ssl.SSLContext:
    """What a server needs to speak HTTPS with this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate.chain, certificate.key)
    return context


def _authority(folder: Path, names: tuple[str, ...]) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    file, key_file = folder / "authority.pem", folder / "authority-key.pem"
    with contextlib.suppress(OSError, ValueError, TypeError):  # missing or damaged: another one is made
        known = x509.load_pem_x509_certificate(file.read_bytes())
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        until = known.not_valid_after_utc - datetime.timedelta(days=RENEWED_BEFORE)
        fits = isinstance(key, ec.EllipticCurvePrivateKey) and key.public_key() == known.public_key()
        if fits and until > _now() and all(_permitted(known, name) for name in names):
            assert isinstance(key, ec.EllipticCurvePrivateKey)
            return known, key
    fresh = ec.generate_private_key(ec.SECP256R1())
    made = _new_authority(fresh, names)
    _write(key_file, _key_bytes(fresh))
    _write(file, _pem(made))
    return made, fresh


def _new_authority(key: ec.EllipticCurvePrivateKey, names: tuple[str, ...]) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Loomtable on this machine")])
    permitted: list[x509.GeneralName] = [x509.DNSName(home) for home in _HOME_NAMES]
    permitted += [x509.DNSName(entry) for entry in names if not _is_address(entry) and entry not in _HOME_NAMES]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in _HOME_NETWORKS]
    # A machine with a public address of its own vouches for that one too, and for no other.
    permitted += [
        x509.IPAddress(ipaddress.ip_network(entry)) for entry in names if _is_address(entry) and not _home(entry)
    ]
    return (
        _begun(name, name, key, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def _leaf(
    names: tuple[str, ...],
    key: ec.EllipticCurvePrivateKey,
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Loomtable")])
    known: list[x509.GeneralName] = [
        x509.IPAddress(ipaddress.ip_address(name)) if _is_address(name) else x509.DNSName(name) for name in names
    ]
    return (
        _begun(subject, authority.subject, key, LEAF_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(known), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False
        )
        .sign(authority_key, hashes.SHA256())
    )


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    since = _now() - datetime.timedelta(days=1)  # clocks of phones are not always right
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(since + datetime.timedelta(days=days))
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _permitted(authority: x509.Certificate, name: str) -> bool:
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    allowed = constraints.permitted_subtrees or []
    if _is_address(name):
        address = ipaddress.ip_address(name)
        return any(isinstance(entry, x509.IPAddress) and address in entry.value for entry in allowed)  # type: ignore[operator]
    domains = [entry.value for entry in allowed if isinstance(entry, x509.DNSName)]
    return any(name == domain or name.endswith(f".{domain}") for domain in domains)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _home(address: str) -> bool:
    known = ipaddress.ip_address(address)
    networks = (ipaddress.ip_network(network) for network in _HOME_NETWORKS)
    return any(known.version == network.version and known in network for network in networks)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _key_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _write(path: Path, content: bytes) -> None:
    """Written beside its place and renamed there; nobody else on this machine may read it."""
    beside = path.with_name(path.name + ".part")
    written = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(written, "wb") as file:
        file.write(content)
    beside.replace(path)
