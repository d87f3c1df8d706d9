"""The URLs of the servers, and clients for them. The command that starts the tests writes the URLs."""

import json
import os
import time
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from uuid import uuid4

from archivist.archivist import Archivist
from archivist.timestamp import make_timestamp, now_timestamp, parse_timestamp

DIRECTORY = Path(os.environ["CLIENT_TEST_DIRECTORY"])
_FIXTURE = json.loads((DIRECTORY / "fixture.json").read_text(encoding="utf-8"))
VERSION = _FIXTURE["version"]
# A server with default settings, and one with TLS and with limits that a few requests exceed.
PLAIN = _FIXTURE["plain"]
NARROW = _FIXTURE["narrow"]
# Another tenant of the first server.
PARTNER = _FIXTURE["partner"]
# Version 0.34.0 removed both.
HAS_LOCATIONS = "locations" in Archivist.CLIENTS
HAS_COMPLIANCE = "compliance" in Archivist.CLIENTS
SECONDS_MAX = 60


def connect(auth=None, server=None, **options):
    """Returns a client that acts as an application which was created as the client creates one, without roles."""
    server = server or PLAIN
    auth = auth or _default_application(server["client_id"])
    return Archivist(server["url"], auth, max_time=SECONDS_MAX, **options)


def connect_administrator(server=None, **options):
    """Returns a client that acts as the tenant's first application, which is a writer and administrator."""
    server = server or PLAIN
    return connect((server["client_id"], server["client_secret"]), server, **options)


def connect_root(server=None):
    """Returns a client that acts as the tenant's root principal."""
    return connect((server or PLAIN)["root_token"], server)


@cache
def _default_application(first_client_id):
    server = next(one for one in (PLAIN, NARROW, PARTNER) if one["client_id"] == first_client_id)
    with connect_administrator(server) as administrator:
        application = administrator.applications.create(unique("default roles"), {})
    return application["client_id"], application["credentials"][0]["secret"]


def connect_with_roles(roles):
    """Returns a client of a new application with exactly these roles."""
    application = connect_root().applications.create_from_data(
        {"display_name": unique("roles"), "roles": roles}
    )
    return connect((application["client_id"], application["credentials"][0]["secret"]))


def unique(name):
    """Returns a text that no other test uses."""
    return f"{name} {uuid4()}"


def record(**properties):
    """Returns the properties of a typical event."""
    return {"behaviour": "RecordEvidence", "operation": "Record", **properties}


def seconds_ago(seconds):
    """Returns a past time in the client's format."""
    return make_timestamp(datetime.now(timezone.utc) - timedelta(seconds=seconds))


def now_not_before(earliest):
    """Waits until the client's time, truncated to whole seconds, is not before the given time, and returns it."""
    deadline = time.monotonic() + SECONDS_MAX
    while parse_timestamp(now := now_timestamp()) < parse_timestamp(earliest):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the clock still shows {now}, which is before {earliest}")
        time.sleep(0.05)
    return now


def write_file(name, content):
    """Returns the path of a file with this content."""
    path = DIRECTORY / name
    path.write_bytes(content)
    return str(path)


def lasting(asset):
    """Returns an asset without the time at which it was read."""
    return {name: value for name, value in asset.items() if name != "at_time"}
