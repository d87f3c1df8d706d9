"""Records: the names that the ledger gives, and the payload that was committed for an event."""
import calendar
import datetime

import rfc8785

from strict_formats import from_base64, from_hex, keccak256, key_of, members, require, strict_json, string

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
VERSIONED = f"(?:tenant|applications|locations|compliance_policies|blobs|successions)/{UUID}"
RECORD, STREAM = f"assets/{UUID}/events/{UUID}|{VERSIONED}/versions/{UUID}", f"assets/{UUID}|{VERSIONED}"
COMMITTED = ("identity", "behaviour", "operation", "event_attributes", "asset_attributes", "asset_settings",
             "timestamp_accepted", "timestamp_declared", "principal_accepted", "principal_declared")
PLACED = ("asset_identity", "tenant_identity", "from", "confirmation_status", "block_number", "transaction_index",
          "log_index", "transaction_id", "timestamp_committed")

def is_texts(value):
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())

def seconds_of(value, pattern):
    string(value, r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}" + pattern)
    return calendar.timegm(datetime.datetime.strptime(value[:19], "%Y-%m-%dT%H:%M:%S").timetuple())

def payload_of(event):
    """The payload that was committed for an event as the API shows it."""
    record = {"type": "event", **{field: event[field] for field in COMMITTED}}
    require(isinstance(record["asset_attributes"], dict), "attributes")
    action = [string(record[field]) for field in ("behaviour", "operation")]
    if action == ["Attachments", "Attach"]:
        attributes = record["asset_attributes"].items()
        record["asset_attributes"] = {name: value for name, value in attributes if name != "arc_attachments"}
    string(record["identity"], f"assets/{UUID}/events/{UUID}")
    for attributes in (record["event_attributes"], record["asset_attributes"]):
        require(isinstance(attributes, dict) and all(
            isinstance(value, str) or all(map(is_texts, value if isinstance(value, list) else [value]))
            for value in attributes.values()), "attributes")
    is_creation, settings = action == ["AssetCreator", "NewAsset"], record["asset_settings"]
    values = members(settings, ("behaviours", "proof_mechanism", "public") if is_creation else ())
    behaviours, mechanism, public = values or ([], "KHIPU", True)
    string(mechanism, "KHIPU|SIMPLE_HASH|MERKLE_LOG")
    require(isinstance(behaviours, list) and all(isinstance(one, str) for one in behaviours), "behaviours")
    require(isinstance(public, bool), "public")
    for field in ("accepted", "declared"):
        seconds_of(record[f"timestamp_{field}"], r"\.[0-9]{3}Z")
        members(record[f"principal_{field}"], ("issuer", "subject", "display_name", "email"))
        require(is_texts(record[f"principal_{field}"]), "a principal")
    return b"\1" + rfc8785.dumps(record)

def read_record(value):
    """Author, key and payload of a record; the key is that of its identity unless the file states another."""
    author, payload, key = members(value, ("author", "payload"), ("id",))
    payload = from_base64(payload)
    if "id" not in value:
        require(payload[:1] == b"\1", "a payload without an identity")
        record = strict_json(payload[1:].decode())
        key = key_of(string(record.get("identity") if isinstance(record, dict) else None))
    return from_hex(author, 20), from_hex(key, 32) if "id" in value else key, payload

def checksummed(address):
    """The text of an address by EIP-55."""
    digits = keccak256(address.hex().encode()).hex()
    return "0x" + "".join(c.upper() if int(digit, 16) > 7 else c for c, digit in zip(address.hex(), digits))
