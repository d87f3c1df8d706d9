"""Puts names of records that exist into paths, where schemathesis has generated UUIDs."""

import json
import os
import re
import zlib
from pathlib import Path

import schemathesis

# Lists of UUIDs by what they name.
KNOWN = json.loads(Path(os.environ["FUZZ_KNOWN"]).read_text(encoding="utf-8"))
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# The first matching part of a path decides what its `uuid` names.
NAMED = {
    "/attachments/": "blob",
    "/blobs/": "blob",
    "/events/": "event",
    "assets/": "asset",
    "/locations/": "location",
    "/compliance_policies/": "policy",
    "/applications/": "application",
    "/tenancies/": "tenant",
}


def kind_of(path, parameter):
    """What a parameter of a path names."""
    if parameter != "uuid":
        return parameter.replace("_uuid", "")
    return next(kind for part, kind in NAMED.items() if part in path)


def replace(path, parameter, value, chance):
    """Three of four UUIDs become one of a record that exists."""
    if not UUID.fullmatch(str(value)) or chance % 4 == 0:
        return value
    known = KNOWN[kind_of(path, parameter)]
    return known[chance // 4 % len(known)]


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    """The choice depends on nothing but the request, so that a finding can be repeated."""
    if not case.path_parameters:
        return
    chance = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
    for parameter, value in case.path_parameters.items():
        case.path_parameters[parameter] = replace(case.path, parameter, value, chance)


# Answers to requests that match no operation: a method that a path doesn't have, and headers beyond the server's bound.
OF_NO_OPERATION = (405, 431)


@schemathesis.check
def status_is_listed(ctx, response, case):
    """Each operation lists its statuses. Its `default` is for failures of the server, which another check reports."""
    listed = case.operation.definition.raw["responses"]
    if response.status_code < 500 and response.status_code not in OF_NO_OPERATION:
        assert str(response.status_code) in listed, f"{response.status_code} is not one of {', '.join(listed)}"
