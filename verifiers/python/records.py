"""Records: the names that the ledger gives, what was committed for an event, and which payloads are a record."""
import calendar
import datetime

import rfc8785

from strict_formats import (
    WRONG, from_base64, from_hex, integer, keccak256, key_of, list_of, members, require, strict_json, string)

VERSIONS = (b"\1", b"\3")
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
VERSIONED = f"(?:tenant|applications|locations|compliance_policies|subjects|access_policies|blobs|successions|log_successions)/{UUID}"
ASSETS = f"(?:tenant/{UUID}/)?assets/{UUID}"
RECORD, STREAM = f"{ASSETS}/events/{UUID}|{VERSIONED}/versions/{UUID}", f"{ASSETS}|{VERSIONED}"
COMMITTED = ("identity", "behaviour", "operation", "event_attributes", "asset_attributes", "asset_settings",
             "timestamp_accepted", "timestamp_declared", "principal_accepted", "principal_declared")
PLACED = ("asset_identity", "tenant_identity", "from", "confirmation_status", "block_number", "transaction_index",
          "log_index", "transaction_id", "timestamp_committed")
POLICY_TEXTS = ("identity", "display_name", "description", "event_display_type", "closing_event_display_type")
COMPLIANCE = "COMPLIANCE_(SINCE|CURRENT_OUTSTANDING|PERIOD_OUTSTANDING|DYNAMIC_TOLERANCE|RICHNESS)"
NAME_LISTS = ("subjects", "behaviours", "include_attributes", "asset_attributes_read", "asset_attributes_write",
              "event_arc_display_type_read", "event_arc_display_type_write")
# The members that only payloads of version 3 have, by the type of the record.
ADDITIONS = {"application": {"added_roles": ["policies"]},
             "policy": {"condition_syntax": "escaped|paths", "judged_by": "declared", "value_order": "typed"},
             "access_policy": {"condition_syntax": "escaped|paths"}}
ATTACH, CREATION = ["Attachments", "Attach"], ["AssetCreator", "NewAsset"]

AGAIN, PLACES_MAX = "appended_again", 16

def is_texts(value):
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())

def seconds_of(value, pattern="Z"):
    """The time of a text in seconds after 1970, for years from 0000."""
    string(value, r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}" + pattern)
    # Python's calendar begins with year 1; every calendar repeats after 400 years, which have 146,097 days.
    cycles, year = divmod(int(value[:4]), 400)
    moment = datetime.datetime.strptime(f"{2000 + year}{value[4:19]}", "%Y-%m-%dT%H:%M:%S")
    return calendar.timegm(moment.timetuple()) + (cycles - 5) * 146_097 * 86_400

def milliseconds_of(value):
    return 1000 * seconds_of(value, r"\.[0-9]{3}Z") + int(value[20:23])

def accepted(record):
    return milliseconds_of(record["timestamp_accepted"])

def declared(record):
    return milliseconds_of(record["timestamp_declared"])

def check_principal(value):
    require(is_texts(value), "a principal")
    members(value, ("issuer", "subject", "display_name", "email"))

def check_places(value):
    """Refuses what aren't the places that a record had before it was appended again."""
    require(0 < len(list_of(value, PLACES_MAX)), "no place")
    for place in value:
        block, *numbers, transaction, time = members(
            place, ("block_number", "log_index", "transaction_index", "transaction_id", "timestamp_committed"))
        integer(block, 1)
        for number in numbers:
            integer(number)
        from_hex(transaction, 32)
        seconds_of(time)

def action_of(event):
    return [string(event[field]) for field in ("behaviour", "operation")]

def check_event(event):
    """Refuses a record of another form than that of an event."""
    members(event, ("type", *COMMITTED))
    string(event["identity"], f"assets/{UUID}/events/{UUID}")
    for attributes in (event["event_attributes"], event["asset_attributes"]):
        require(isinstance(attributes, dict) and all(
            isinstance(value, str) or all(map(is_texts, value if isinstance(value, list) else [value]))
            for value in attributes.values()), "attributes")
    require(action_of(event) != ATTACH or "arc_attachments" not in event["asset_attributes"], "an Attach sets a list")
    if action_of(event) == CREATION:
        behaviours, mechanism, public = members(event["asset_settings"], ("behaviours", "proof_mechanism", "public"))
        string(mechanism, "KHIPU|SIMPLE_HASH|MERKLE_LOG")
        require(isinstance(behaviours, list) and all(isinstance(one, str) for one in behaviours), "behaviours")
        require(isinstance(public, bool), "public")
    else:
        members(event["asset_settings"], ())
    for field in ("accepted", "declared"):
        milliseconds_of(event[f"timestamp_{field}"])
        check_principal(event[f"principal_{field}"])

def check_policy(policy):
    """Refuses a record of another form than that of a compliance policy."""
    members(policy, ("type", *POLICY_TEXTS, "compliance_type", "asset_filter", "time_period_seconds", "dynamic_window",
                     "dynamic_variability", "richness_assertions", "is_deleted", "timestamp_accepted",
                     "principal_accepted"), ("follows",))
    for name in POLICY_TEXTS:
        string(policy[name])
    string(policy["compliance_type"], COMPLIANCE)
    string(policy.get("follows", ""))
    for name in ("time_period_seconds", "dynamic_window"):
        require(int(string(policy[name], "[0-9]{1,19}")) < 2 ** 63, "too many seconds")
    for alternatives in (policy["asset_filter"], policy["richness_assertions"]):
        alternatives_of(alternatives)
    require(isinstance(policy["dynamic_variability"], float) and isinstance(policy["is_deleted"], bool), "a value")
    accepted(policy)
    check_principal(policy["principal_accepted"])

def strings_of(value):
    return [string(one) for one in list_of(value)]

def alternatives_of(value):
    return [strings_of(*members(one, ("or",))) for one in list_of(value)]

def check_version(record, stream, *names):
    """Refuses a record of another form than that of a version of a resource with these further members."""
    members(record, ("type", "identity", "follows", "is_deleted", "timestamp_accepted", "principal_accepted", *names))
    string(record["follows"], f"({stream}/{UUID}/versions/{UUID})?")
    require(isinstance(record["is_deleted"], bool), "a boolean")
    accepted(record)
    check_principal(record["principal_accepted"])

def check_subject(record):
    check_version(record, "subjects", "display_name", "wallet_pub_key", "tessera_pub_key")
    string(record["display_name"])
    for key in list_of(record["wallet_pub_key"]):
        string(key, "04[0-9a-fA-F]{128}")
    strings_of(record["tessera_pub_key"])

def check_access_policy(record):
    check_version(record, "access_policies", "display_name", "description", "filters", "access_permissions")
    strings_of([record["display_name"], record["description"]])
    alternatives_of(record["filters"])
    for permission in list_of(record["access_permissions"]):
        *lists, claims = members(permission, (*NAME_LISTS, "user_attributes"))
        for one in lists:
            strings_of(one)
        alternatives_of(claims)

def check_tenant(record):
    members(record, ("type", "identity", "display_name", "root_principals", "timestamp_accepted", "principal_accepted"),
            ("follows",))
    string(record["identity"], f"tenant/{UUID}/versions/{UUID}")
    string(record.get("follows", ""), f"(tenant/{UUID}/versions/{UUID})?")
    string(record["display_name"], r"[\s\S]+")
    principals = list_of(record["root_principals"])
    require(principals, "no root principal")
    for principal in principals:
        check_principal(principal)
    accepted(record)
    check_principal(record["principal_accepted"])

def check_blob(record):
    names = ("type", "identity", "sha256", "mime_type", "size", "timestamp_accepted", "principal_accepted")
    _, _, digest, mime, size, _, principal = members(record, names)
    string(digest, "[0-9a-f]{64}")
    string(mime, r"[\s\S]+")
    integer(size, 1)
    accepted(record)
    check_principal(principal)

def event_of(contribution):
    """The event that a tenant wrote as a contribution to an asset of another one."""
    names = [name for name in COMMITTED if name != "asset_settings"]
    members(contribution, ("type", "owner", *names))
    owner, identity = string(contribution["owner"], f"tenant/{UUID}"), string(contribution["identity"])
    require(identity.startswith(f"{owner}/"), "a contribution to another owner")
    event = {**{name: contribution[name] for name in names}, "type": "event", "asset_settings": {}}
    event["identity"] = identity[len(owner) + 1:]
    check_event(event)
    require(action_of(event) != CREATION, "a contribution creates nothing")
    return event

CHECKS = {
    "event": (check_event, "events"), "contribution": (event_of, "events"), "policy": (check_policy, "versions"),
    "subject": (check_subject, "versions"), "access_policy": (check_access_policy, "versions"),
    "blob": (check_blob, "versions"), "tenant": (check_tenant, "versions")}

def without_additions(kind, record):
    """A record of a payload of version 3 as version 1 has it."""
    added = {*ADDITIONS.get(kind, {}), AGAIN} & record.keys()
    require(added, "no member that version 1 doesn't have")
    for name in added:
        allowed = ADDITIONS.get(kind, {}).get(name)
        if name == AGAIN:
            check_places(record[name])
        elif isinstance(allowed, list):
            require(record[name] == allowed, "another list than version 3 has")
        else:
            string(record[name], allowed)
    return {name: value for name, value in record.items() if name not in added}

def decode(kind, stream, key, payload):
    """The record of a type and a stream that a payload under a key is; None if it is none."""
    check, inner = CHECKS[kind]
    try:
        require(payload[:1] in VERSIONS and len(payload) <= 65_536, "another version of payloads, or too long")
        record = strict_json(payload[1:].decode())
        require(rfc8785.dumps(record) == payload[1:], "JSON that isn't canonical")
        require(isinstance(record, dict) and record.get("type") == kind, "a record of another type")
        check(without_additions(kind, record) if payload[:1] == b"\3" else record)
        require(key_of(string(record["identity"], f"{stream}/{inner}/{UUID}")) == key, "the record of another key")
    except WRONG:
        return None
    return record

def records_of(kind, stream, found):
    """The records of a type in a stream, of those that were appended: (author, key, payload)."""
    records = (decode(kind, stream, key, payload) for _, key, payload in found)
    return [record for record in records if record is not None]

def require_own(tenant, found):
    """Refuses records of a tenant's own stream, from the first one on, that don't end with the tenant's own record."""
    records = [decode("tenant", tenant, key, payload) for _, key, payload in found]
    is_own = [record is not None and record.get("follows", "") == "" for record in records]
    require(is_own[-1] and not any(is_own[:-1]), "the records don't end with the tenant's own record")

def contribution_of(event, record):
    """The record of an event that its tenant contributed to an asset of another one."""
    owner, written = members(event["contribution"], ("owner", "timestamp_accepted"))
    string(owner, f"tenant/{UUID}")
    require(accepted(event) == 1000 * seconds_of(event["timestamp_committed"]), "a contribution's time is its block's")
    record["timestamp_accepted"] = written
    check_event(record)
    require(action_of(record) != CREATION, "a contribution creates nothing")
    del record["asset_settings"]
    return {**record, "type": "contribution", "owner": owner, "identity": f"{owner}/{event['identity']}"}

def record_of(event):
    """The record that was committed for an event as the API shows it."""
    record = written_of(event)
    if AGAIN in event:
        check_places(event[AGAIN])
        record[AGAIN] = event[AGAIN]
    return record

def written_of(event):
    record = {"type": "event", **{field: event[field] for field in COMMITTED}}
    require(isinstance(record["asset_attributes"], dict), "attributes")
    if action_of(record) == ATTACH:
        attributes = record["asset_attributes"].items()
        record["asset_attributes"] = {name: value for name, value in attributes if name != "arc_attachments"}
    if "contribution" in event:
        return contribution_of(event, record)
    check_event(record)
    return record

def payload_of(record):
    return (b"\3" if AGAIN in record else b"\1") + rfc8785.dumps(record)

def read_record(value):
    """Author, key and payload of a record; the key is that of its identity unless the file states another."""
    author, payload, key = members(value, ("author", "payload"), ("id",))
    payload = from_base64(payload)
    if "id" not in value:
        require(payload[:1] in VERSIONS, "a payload without an identity")
        record = strict_json(payload[1:].decode())
        key = key_of(string(record.get("identity") if isinstance(record, dict) else None))
    return from_hex(author, 20), from_hex(key, 32) if "id" in value else key, payload

def checksummed(address):
    """The text of an address by EIP-55."""
    digits = keccak256(address.hex().encode()).hex()
    return "0x" + "".join(c.upper() if int(digit, 16) > 7 else c for c, digit in zip(address.hex(), digits))
