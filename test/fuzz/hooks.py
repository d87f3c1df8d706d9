"""Replaces generated UUIDs in paths with those of existing records, and adds checks and a kind of body."""

import json
import os
import re
import zlib
from pathlib import Path

import schemathesis

# Lists of UUIDs by the kind of record that they name.
KNOWN = json.loads(Path(os.environ["FUZZ_KNOWN"]).read_text(encoding="utf-8"))
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# The first matching part of a path determines the kind of record that its `uuid` names.
NAMED = {
    "/attachments/": "blob",
    "/blobs/": "blob",
    "/events/": "event",
    "assets/": "asset",
    "/locations/": "location",
    "/compliance_policies/": "policy",
    "/access_policies/": "accessPolicy",
    "/applications/": "application",
    "/tenancies/": "tenant",
}


def kind_of(path, parameter):
    """Returns the kind of record that a path parameter names."""
    if parameter != "uuid":
        return parameter.replace("_uuid", "")
    return next(kind for part, kind in NAMED.items() if part in path)


def replace(path, parameter, value, chance):
    """Replaces three of four UUIDs with the UUID of an existing record."""
    if not UUID.fullmatch(str(value)) or chance % 4 == 0:
        return value
    known = KNOWN[kind_of(path, parameter)]
    return known[chance // 4 % len(known)]


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    """Replaces the UUIDs of a path. The choice depends only on the request, so that a finding can be repeated."""
    if not case.path_parameters:
        return
    chance = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
    for parameter, value in case.path_parameters.items():
        case.path_parameters[parameter] = replace(case.path, parameter, value, chance)


@schemathesis.serializer("application/x-ndjson")
def serialize_line(ctx, value):
    """Sends the generated value as the only line of the body."""
    return json.dumps(value).encode() + b"\n"


# Answers to requests that match no operation: a method that a path doesn't have, and headers beyond the server's limit.
OF_NO_OPERATION = (405, 431)


@schemathesis.check
def status_is_listed(ctx, response, case):
    """Checks that the operation lists the status. Its `default` is for server failures, which another check reports."""
    listed = case.operation.definition.raw["responses"]
    if response.status_code < 500 and response.status_code not in OF_NO_OPERATION:
        assert str(response.status_code) in listed, f"{response.status_code} is not one of {', '.join(listed)}"
