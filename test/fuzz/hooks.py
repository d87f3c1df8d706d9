"""Replaces generated names in requests with those of existing records, and adds checks and a kind of body."""

import json
import os
import re
import zlib
from pathlib import Path

import schemathesis

# Lists of UUIDs by the kind of record that they name; others by the member of a body that has them.
KNOWN = json.loads(Path(os.environ["FUZZ_KNOWN"]).read_text(encoding="utf-8"))
# Longer texts may be longer than the document permits.
TEXT_MAX = 64
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
    "/subjects/": "subject",
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


def is_short(value):
    """Tells whether a value is a text that the document permits wherever it permits any."""
    return isinstance(value, str) and 0 < len(value) <= TEXT_MAX


def replace_all(values, kind, chance):
    """Replaces the short texts of a list, three times in four."""
    if not isinstance(values, list) or chance % 4 == 0:
        return
    known = KNOWN[kind]
    for at, value in enumerate(values):
        if is_short(value):
            values[at] = known[(chance // 4 + at) % len(known)]


def replace_sharing(body, chance):
    """Replaces what almost no generated subject or access policy has right: keys, subjects, behaviours, filters."""
    replace_all(body.get("wallet_pub_key"), "wallet_pub_key", chance)
    permissions = body.get("access_permissions")
    for permission in permissions if isinstance(permissions, list) else []:
        if isinstance(permission, dict):
            replace_all(permission.get("behaviours"), "behaviours", chance)
            replace_all(permission.get("subjects"), "subjects", chance)
    filters = body.get("filters")
    for each in filters if isinstance(filters, list) else []:
        if isinstance(each, dict):
            replace_all(each.get("or"), "filters", chance)


def replace_operation(body, chance):
    """Replaces behaviour and operation of an event, half of the time: almost no generated ones exist."""
    if chance % 2 == 0 and is_short(body.get("behaviour")) and is_short(body.get("operation")):
        body.update(KNOWN["operations"][chance // 2 % len(KNOWN["operations"])])


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    """Replaces names. The choice depends only on the request, so that a finding can be repeated."""
    chance = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
    for parameter, value in (case.path_parameters or {}).items():
        case.path_parameters[parameter] = replace(case.path, parameter, value, chance)
    if isinstance(case.body, dict):
        replace_sharing(case.body, chance)
        replace_operation(case.body, chance)


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
