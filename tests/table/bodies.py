"""Bodies that are small to send and large to read: many fields, long fields, many keys, deep and wide JSON."""

from __future__ import annotations

from collections.abc import Mapping

FORM, JSON, PARTS = "application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x"
_FIELD = b'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n'
_FILE = b'--x\r\ncontent-disposition: form-data; name="a"; filename="b"\r\n\r\n'
_END = b"\r\n--x--\r\n"


def bodies(size: int) -> Mapping[str, tuple[bytes, str]]:
    """Each with its content type, by what is the matter with it; of at most some ``size`` bytes."""
    return {
        "separators": (b"&" * size, FORM),
        "1,001 fields": (b"&".join([b"a=1"] * 1001), FORM),
        "one field": (b"a=" + b"x" * size, FORM),
        "one field in codes": (b"a=" + b"%41" * (size // 3 - 1), FORM),
        "a name without a value": (b"x" * size, FORM),
        "empty lists": (b'{"a":[' + b"[]," * (size // 3 - 4) + b"[]]}", JSON),
        "keys": (b"{" + b",".join(b'"%06d":1' % n for n in range(size // 11)) + b"}", JSON),
        "depth": (b"[" * size, JSON),
        "objects in objects": (b'{"a":' * (size // 5), JSON),
        "a long number": (b'{"a":' + b"9" * (size - 6) + b"}", JSON),
        "a long text in codes": (b'{"a":"' + b"\\u00e9" * (size // 6 - 2) + b'"}', JSON),
        "1,001 parts": ((_FIELD + b"1\r\n") * 1001 + _END, PARTS),
        "dashes before the parts": (b"-" * size, PARTS),
        "false boundaries": (_FIELD + b"\r\n--y" * (size // 5 - 20) + _END, PARTS),
        "line ends in a file": (_FILE + b"\r\n" * (size // 2 - 60) + _END, PARTS),
        "headers of a part": (b"--x\r\n" + b"a: b\r\n" * (size // 6 - 1), PARTS),
        "no form": (b"x" * size, "text/plain"),
    }
