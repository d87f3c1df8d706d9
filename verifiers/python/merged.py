"""Assets to which other tenants contributed: the order of the records, and which contributions count."""
import re

import rfc8785

from blocks import time_text
from judge import is_about, type_and_id
from records import AGAIN, ATTACH, CREATION, UUID, action_of, decode, event_of, require_own
from strict_formats import integer, keccak256, key_of, list_of, members, require, string

PARTS_MAX, RECORDS_MAX, LATEST, CHARACTERS_MAX = 64, 2_000, 253_402_300_799, 262_144
KINDS = {"access_policies": "access_policy", "subjects": "subject", "blobs": "blob"}
INHERENT = {"AssetCreator", "Builtin"}
DESCRIBED = [("event_attributes", "arc_description")]
NAMED = [("event_attributes", "arc_behaviour_name")]
OPERATIONS = {
    "AssetCreator": {},
    "Builtin": {"Add": NAMED, "Remove": NAMED, "StartTracking": [], "StopTracking": []},
    "RecordEvidence": {"Record": []},
    "Attachments": {"Attach": []},
    "Firmware": {"Update": [*DESCRIBED, ("asset_attributes", "arc_firmware_version")], "UpdateRequired": DESCRIBED,
                 "Vulnerability": DESCRIBED},
    "Maintenance": {"Maintenance": DESCRIBED, "MaintenanceRequired": DESCRIBED},
    "LocationUpdate": {"SetHomeLocation": [("asset_attributes", "arc_home_location_identity")]}}
LISTS = ("arc_attachments", "arc_append_attachments")
BLOB = f"blobs/{UUID}"

class Parts:
    """The members `parts` and `authors` of a claim, whose form is right."""
    def __init__(self, claim, names, policy=None):
        self.owner, self.asset = string(claim["tenant_identity"], f"tenant/{UUID}"), claim["asset_identity"]
        string(self.asset, f"assets/{UUID}")
        self.streams, self.counts = [], []
        for part in list_of(claim["parts"], PARTS_MAX):
            tenant, stream, count = members(part, ("tenant_identity", "identity", "count"))
            self.streams.append((string(tenant, f"tenant/{UUID}"), string(stream, names)))
            self.counts.append(integer(count))
        require(self.streams[:1] == [(self.owner, self.asset)], "the first part isn't the asset's stream")
        require(len(set(self.streams)) == len(self.streams), "a stream is there twice")
        self.kinds = ["event", *(self.kind_of(tenant, stream, policy) for tenant, stream in self.streams[1:])]
        require("contribution" in self.kinds, "no contributions")
        require(policy is None or "policy" in self.kinds, "no policy")
        self.authors = []
        for author in list_of(claim.get("authors", []), PARTS_MAX):
            tenant, stream = members(author, ("tenant_identity", "identity"))
            self.authors.append((string(tenant, f"tenant/{UUID}"), string(stream, names)))
        self.own, self.early = [], set()
        for own in list_of(claim.get("own_records", []), PARTS_MAX):
            tenant, count = members(own, ("tenant_identity", "count"))
            self.own.append((string(tenant, f"tenant/{UUID}"), integer(count, 1)))
        owns = [tenant for tenant, _ in self.own]
        require(len(set(owns)) == len(owns) and set(owns) <= {tenant for tenant, _ in self.streams}, "an own record")
        self.tenants = list(dict.fromkeys(tenant for tenant, _ in self.streams + self.authors))

    def kind_of(self, tenant, stream, policy):
        if tenant != self.owner:
            require(stream == f"{self.owner}/{self.asset}", "a stream of another tenant that decides nothing")
            return "contribution"
        kind = "policy" if stream == policy else KINDS.get(stream.split("/")[0])
        require(kind is not None, "a stream of the owner that decides nothing")
        return kind

    def needed(self, proofs):
        """The proofs, and the numbers of digests, records and leaves, of a file with records."""
        logs, count = len(self.streams) + len(self.tenants), sum(self.counts) + len(self.authors)
        count += sum(count for _, count in self.own)
        require(count <= RECORDS_MAX, "too many records")
        rest = max(0, min(count, len(proofs) - logs - count))
        return " ".join(["Log"] * logs + ["Leaf"] * count + ["Log"] * rest), 0, count, count

    def rows(self):
        """Tenant, stream, kind and position of each record; those of authors have neither kind nor position.

        Records up to a tenant's own have no kind either."""
        for (tenant, stream), kind, count in zip(self.streams, self.kinds, self.counts):
            for position in range(1, count + 1):
                yield tenant, stream, kind, position
        for tenant, stream in self.authors:
            yield tenant, stream, None, None
        for tenant, count in self.own:
            for position in range(1, count + 1):
                yield tenant, tenant, None, position

    def find_early(self, records, places):
        """Finds the records from before their tenant's own, which have no effect."""
        rows, end = list(self.rows()), len(records) - sum(count for _, count in self.own)
        for tenant, count in self.own:
            end += count
            require_own(tenant, records[end - count:end])
            self.early |= {at for at, row in enumerate(rows) if row[0] == tenant and places[at] < places[end - 1]}

    def root_of(self, tenant):
        return len(self.streams) + self.tenants.index(tenant)

class History:
    """The events of an asset after records in the order of the chain."""
    def __init__(self, owner, asset):
        self.owner, self.asset, self.attributes, self.behaviours = owner, asset, None, set()
        self.policies, self.subjects, self.blobs, self.authors, self.taken = {}, {}, set(), {}, set()
        self.events = []

    def take(self, tenant, author, kind, record, time, is_early):
        """The event of the asset that the record is; None if it is none."""
        self.authors.setdefault(author, set()).add(tenant)
        if record is None:
            return None
        if kind == "event":
            self.taken.add(record["identity"])
        if is_early:
            return None
        if kind == "event":
            return self.add(record) if (action_of(record) == CREATION) == (self.attributes is None) else None
        if kind == "contribution":
            return self.contribute(tenant, record, time)
        stream = record["identity"].split("/versions/")[0]
        if kind == "blob":
            self.blobs.add(stream)
        elif kind in ("access_policy", "subject"):
            held = self.policies if kind == "access_policy" else self.subjects
            if record["follows"] == (held[stream]["identity"] if stream in held else ""):
                held[stream] = record
        return None

    def add(self, event):
        action, own = action_of(event), event["event_attributes"]
        if action == CREATION:
            self.attributes, self.behaviours = {}, {*event["asset_settings"]["behaviours"]} | INHERENT
        self.attributes = after(self.attributes, event)
        name = own.get("arc_behaviour_name")
        if action == ["Builtin", "Add"] and isinstance(name, str):
            self.behaviours.add(name)
        if action == ["Builtin", "Remove"]:
            self.behaviours = {one for one in self.behaviours if one != name} | INHERENT
        return event

    def contribute(self, tenant, record, time):
        event = event_of({name: value for name, value in record.items() if name != AGAIN})
        if self.attributes is None or event["identity"] in self.taken:
            return None
        if not self.is_granted(tenant, event) or not self.is_accepted(event) or self.blobs & attached(event):
            return None
        self.taken.add(event["identity"])
        return self.add({**event, "timestamp_accepted": time_text(time)})

    def is_granted(self, tenant, event):
        names = [("event_arc_display_type_write", type_and_id(event)[0] or None), ("behaviours", event["behaviour"])]
        names += [("asset_attributes_write", name) for name in event["asset_attributes"]]
        for policy in self.policies.values():
            is_meant = is_about(policy, policy["filters"], self.attributes)
            for permission in policy["access_permissions"] if is_meant and not policy["is_deleted"] else ():
                if all("*" in permission[member] or name in permission[member] for member, name in names) and any(
                        self.stands_for(subject, tenant) for subject in permission["subjects"]):
                    return True
        return False

    def stands_for(self, subject, tenant):
        record = self.subjects.get(subject)
        keys = record["wallet_pub_key"] if record and not record["is_deleted"] else []
        addresses = [keccak256(bytes.fromhex(key)[1:])[12:] for key in keys]
        return set().union(*(self.authors.get(address, set()) for address in addresses)) == {tenant}

    def is_accepted(self, event):
        """Whether the asset accepts the event from any tenant."""
        behaviour, operation = action_of(event)
        needed = OPERATIONS.get(behaviour, {}).get(operation)
        if needed is None or behaviour not in self.behaviours:
            return False
        if not all(isinstance(event[member].get(name), str) and event[member][name] for member, name in needed):
            return False
        name = event["event_attributes"].get("arc_behaviour_name")
        if behaviour == "Builtin" and (operation == "Add" and name not in OPERATIONS
                                       or operation == "Remove" and name in INHERENT):
            return False
        is_attach = [behaviour, operation] == ATTACH
        if is_attach and not are_items(event["event_attributes"].get("arc_append_attachments")):
            return False
        size = characters(after(self.attributes, event)) if event["asset_attributes"] or is_attach else 0
        return size <= CHARACTERS_MAX or size <= characters(self.attributes)

def after(attributes, event):
    """The attributes of an asset after an event."""
    changed = {**attributes, **event["asset_attributes"]}
    if action_of(event) == ATTACH:
        lists = changed.get("arc_attachments"), event["event_attributes"].get("arc_append_attachments")
        changed["arc_attachments"] = [one for found in lists if isinstance(found, list) for one in found]
    return changed

def characters(attributes):
    return len(rfc8785.dumps(attributes).decode().encode("utf-16-le")) // 2

def blob_of(text):
    """The identity of a blob, in either case; None if the text is none."""
    kind, _, uuid = (text or "").partition("/")
    identity = f"{kind}/{uuid.lower()}"
    return identity if re.fullmatch(BLOB, identity) else None

def are_items(value):
    if not isinstance(value, list) or not value:
        return False
    fields = ("arc_display_name", "arc_hash_value", "arc_hash_alg")
    return all(blob_of(item.get("arc_attachment_identity")) and all(item.get(field) for field in fields)
               for item in value)

def attached(event):
    """The identities of the blobs that an event attaches."""
    found = set()
    for attributes in (event["event_attributes"], event["asset_attributes"]):
        for name, value in attributes.items():
            maps = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
            found |= {blob_of(one.get("arc_blob_identity")) for one in maps
                      if one.get("arc_attribute_type") == "arc_attachment"}
            if name in LISTS and isinstance(value, list):
                found |= {blob_of(one.get("arc_attachment_identity")) for one in maps}
    return found - {None}

def require_parts(evidence, digests):
    """The number of the first block at which the parts are attested."""
    parts, at, numbers = evidence.parts, 0, []
    for proof, (tenant, stream), count in zip(range(len(parts.streams)), parts.streams, parts.counts):
        found = evidence.read_log("StreamAttested", key_of(tenant), key_of(stream), proof=proof)
        require(found == [evidence.extend(digests[at:at + count]), count], "another history")
        numbers.append(evidence.proofs[proof].block.number)
        at += count
    return min(numbers)

def places_of(evidence, rows, digests):
    """The place of each record, which sorts as the chain does."""
    leaves, at = evidence.leaves, len(evidence.parts.streams) + len(evidence.parts.tenants)
    trees = [evidence.read_log("TenantAttested", key_of(tenant), proof=len(evidence.parts.streams) + number)
             for number, tenant in enumerate(evidence.parts.tenants)]
    numbers, tenants = [int.from_bytes(leaf[64:72], "big") for leaf in leaves], {}
    for (tenant, _, _, position), leaf, digest, proof, number in zip(rows, leaves, digests, evidence.proofs[at:], numbers):
        require(leaf[:32] == digest and position in (None, proof.sequence), "the leaf of another record")
        require(int.from_bytes(leaf[72:], "big") <= LATEST, "a time after the year 9999")
        proof.prove(leaf, trees[evidence.parts.tenants.index(tenant)])
        tenants.setdefault(number, set()).add(tenant)
    logs, places = iter(evidence.proofs[at + len(rows):]), []
    for (tenant, *_), digest, proof, number in zip(rows, digests, evidence.proofs[at:], numbers):
        place = 0, proof.index
        if len(tenants[number]) > 1:
            log = next(logs, None)
            require(log is not None and log.block.number == number, "the log of a record is missing")
            keys, values = log.read("RecordAppended", evidence.contract)
            require(keys[0] == key_of(tenant) and values[2] == digest, "the log of another record")
            place = log.transaction, log.at
        places.append((number, *place))
    require(next(logs, None) is None, "a log of no use")
    return places

def merge(evidence):
    """The indexes of the records that are events of the asset, and the events."""
    parts, rows = evidence.parts, list(evidence.parts.rows())
    digests = [evidence.digest(key_of(tenant), key_of(stream), *record)
               for (tenant, stream, *_), record in zip(rows, evidence.records)]
    block = require_parts(evidence, digests)
    places = places_of(evidence, rows, digests)
    for (_, _, kind, _), place in zip(rows, places):
        require(kind != "contribution" or place[0] < block, "a contribution that isn't before the first block")
    parts.find_early(evidence.records, places)
    history, found = History(parts.owner, parts.asset), []
    for at in sorted(range(len(rows)), key=lambda row: places[row]):
        (tenant, stream, kind, _), (author, key, payload) = rows[at], evidence.records[at]
        record = None if kind is None else decode(kind, stream, key, payload)
        time = int.from_bytes(evidence.leaves[at][72:], "big")
        event = history.take(tenant, author, kind, record, time, at in parts.early)
        if event is not None:
            blobs = attached(event) if kind == "contribution" else ()
            require(all((parts.owner, blob) in parts.streams for blob in blobs), "a blob that the owner may have")
            found.append((at, event))
    return found
