"""Claims of evidence files: which parts each needs, and what proves it."""
import hashlib
import re

import judge
from blocks import Block, read_ledger
from merged import RECORDS_MAX, Parts, merge, require_parts
from proofs import Account, Leaf, Log
from records import (
    COMMITTED, PLACED, RECORD, STREAM, UUID, accepted, checksummed, declared, milliseconds_of, payload_of, read_record,
    record_of, records_of, require_own, seconds_of)
from strict_formats import (
    SAFE_MAX, chunks, from_hex, integer, keccak256, key_of, list_of, members, require, strict_json, string, tree_root)

LEAF_BYTES = 80

def extend(digests, head=bytes(28)):
    """The head of a stream after more records."""
    for digest in digests:
        head = keccak256(head, bytes(4), digest)[:28]
    return head

def edges_of(first):
    """The positions of the first record of a stream that has an effect, and of the one before it."""
    return [at for at in (first - 1, first) if at > 0]

class Evidence:
    """A file whose form is right; `prove` checks what it says and returns the questions that it proves."""
    CLAIMS = {
        "event": ("event",),
        "history": ("tenant_identity", "asset_identity", "count"),
        "range": ("tenant_identity", "asset_identity", "from", "to"),
        "absence": ("tenant_identity", "identity"),
        "tenant": ("tenant_identity", "count", "leaves_sha256"),
        "verdict": ("tenant_identity", "policy_identity", "asset_identity", "at", "compliant", "policy_count", "count"),
        "merged_history": ("tenant_identity", "asset_identity", "parts"),
        "merged_verdict": ("tenant_identity", "policy_identity", "asset_identity", "at", "compliant", "parts")}
    OPTIONAL = {"merged_history": ("authors", "own_records", "events"), "merged_verdict": ("authors", "own_records"),
                "verdict": ("own_count", "policy_from", "from")}

    def __init__(self, text, second_file=None):
        value = strict_json(text)
        require(isinstance(value, dict) and value.get("format") == "provenance-ledger/evidence/1", "another format")
        _, ledger, claim, blocks, proofs, digests, records, leaves = members(
            value, ("format", "ledger", "claim", "blocks", "proofs"), ("digests", "records", "leaves"))
        self.chain_id, self.contract = read_ledger(ledger)
        is_merged = isinstance(claim, dict) and claim.get("kind") in ("merged_history", "merged_verdict")
        blocks_max, proofs_max = (64, 5_000) if is_merged else (8, 16)
        self.blocks, self.proofs = [Block(block) for block in list_of(blocks, blocks_max)], []
        for proof in list_of(proofs, proofs_max):
            kind = string(proof.get("kind") if isinstance(proof, dict) else None, "log|leaf|account")
            self.proofs.append(Log(proof, self.blocks) if kind == "log" else
                               Leaf(proof, self.proofs) if kind == "leaf" else Account(proof, self.blocks))
        used = [proof.block for proof in self.proofs if not isinstance(proof, Leaf)]
        require(all(block in used for block in self.blocks), "a block that no proof names")
        self.account = self.proofs.pop() if self.proofs and isinstance(self.proofs[-1], Account) else None
        self.digests, self.leaves = chunks(digests, 32), chunks(leaves, LEAF_BYTES)
        require(all(int.from_bytes(leaf[at:at + 8], "big") <= SAFE_MAX for leaf in self.leaves for at in (64, 72)),
                "a number in a leaf")
        self.records = [read_record(record) for record in list_of([] if "records" not in value else records, 50_000)]
        self.second_file = second_file
        self.read_claim(claim)

    def read_claim(self, claim):
        """Reads the claim, and checks that the file has exactly the parts that it needs."""
        require(isinstance(claim, dict) and string(claim.get("kind")) in self.CLAIMS, "another kind of claim")
        self.claim, kind = claim, claim["kind"]
        members(claim, ("kind", *self.CLAIMS[kind]), self.OPTIONAL.get(kind, ()))
        if kind == "event":
            self.require_checkable(claim["event"])
        names = [name for name in self.CLAIMS[kind] if name.endswith("identity")]
        self.keys = [key_of(string(claim[name], f"{RECORD}|{STREAM}")) for name in names]
        found = (" ".join(type(proof).__name__ for proof in self.proofs), *map(len, (
            self.digests, self.records, self.leaves)))
        require(found in self.needed_parts(kind), "other parts than the claim needs")
        leaves = [proof for proof in self.proofs if isinstance(proof, Leaf)]
        roots = [self.parts.root_of(row[0]) for row in self.parts.rows()] if kind.startswith("merged") and leaves else []
        for leaf, root in zip(leaves, roots or [leaf.last for leaf in leaves]):
            require(leaf.root == root, "a leaf names another proof than that of its tree")

    @staticmethod
    def require_checkable(event):
        """Refuses what is no committed event with all of its members: that can't be refuted."""
        require(isinstance(event, dict) and {*COMMITTED, *PLACED} <= set(event), "the event lacks a member")
        string(event["identity"], f"assets/{UUID}/events/{UUID}")
        require(event["confirmation_status"] == "CONFIRMED", "the event isn't committed")

    def lacks_principal(self):
        """Whether the file is about an event that doesn't say who recorded it: whether the rest differs is unknown."""
        principal = self.claim["event"]["principal_accepted"] if self.claim["kind"] == "event" else None
        names = ("issuer", "subject", "display_name", "email")
        return principal == dict.fromkeys(names, "")

    def limits(self):
        """By which records what the file says holds, by question; nothing where the file has all of them."""
        kind = self.claim["kind"]
        if kind == "verdict":
            is_own = "own_count" in self.claim
            begin = "from the tenant's own record on" if is_own else "which the file counts from the first one on"
            return {"verdict": f": by the records of its own tenant alone, {begin}"}
        if kind == "merged_verdict" or (kind == "merged_history" and "events" in self.claim):
            tenants = {part["tenant_identity"] for part in self.claim["parts"]}
            without = len(tenants) - len(self.claim.get("own_records", []))
            begin = f"which the file counts from the first one on for {without} of its tenants"
            begin = begin if without else "from each tenant's own record on"
            question = "verdict" if kind == "merged_verdict" else "completeness"
            return {question: f": by the records in this file alone, {begin}"}
        return {}

    def needed_parts(self, kind):
        """What the file may have: proofs, and the numbers of digests, records and leaves."""
        if kind == "history":
            count = integer(self.claim["count"])
            return [("Log", count, 0, 0), ("Log", 0, count, 0)]
        if kind == "range":
            self.first, self.last = integer(self.claim["from"], 1), integer(self.claim["to"])
            require(self.last >= self.first, "a range ends before it begins")
            edges = 1 if self.first == 1 else 2
            return [("Log" + " Leaf" * edges, 0, self.last - self.first + 1, edges)]
        if kind == "merged_history":
            self.parts = Parts(self.claim, f"{RECORD}|{STREAM}")
            if "events" in self.claim:
                self.events = [integer(at) for at in list_of(self.claim["events"], RECORDS_MAX)]
                return [self.parts.needed(self.proofs)]
            is_plain = set(self.parts.kinds[1:]) == {"contribution"} and not self.parts.authors + self.parts.own
            require(is_plain, "a stream that needs records")
            return [(" ".join(["Log"] * len(self.parts.streams)), sum(self.parts.counts), 0, 0)]
        if kind == "merged_verdict":
            self.at = milliseconds_of(self.claim["at"])
            require(isinstance(self.claim["compliant"], bool), "not a boolean")
            self.parts = Parts(self.claim, f"{RECORD}|{STREAM}", self.claim["policy_identity"])
            return [self.parts.needed(self.proofs)]
        if kind == "tenant":
            self.count, self.hash = integer(self.claim["count"]), from_hex(self.claim["leaves_sha256"], 32)
            require(self.second_file is not None, "the file with the leaves is missing")
        if kind == "verdict":
            self.at, self.policies = milliseconds_of(self.claim["at"]), integer(self.claim["policy_count"], 1)
            count = integer(self.claim["count"], 1)
            require(isinstance(self.claim["compliant"], bool), "not a boolean")
            self.read_own(count)
            edges = [len(edges_of(first)) for first in self.firsts] if self.own else []
            leaves = sum(edges) + 1 if self.own else 0
            found = self.policies + count + self.own
            kinds = ["Log"] * (3 if self.own else 2) + ["Leaf"] * leaves
            shown = 1 + (edges[0] + 1 if self.own else 0)
            alone = [(" ".join(["Log", "Log"] + ["Leaf"] * shown), 0, found, shown)] if count == 1 else []
            return [(" ".join(kinds), 0, found, leaves), *alone]
        return [("Log", 0, 0, 0), *([("Log Leaf", 0, 0, 0)] if kind == "event" else [])]

    def read_own(self, count):
        """Reads which records of a verdict have an effect, where the file shows the tenant's own record."""
        own = [self.claim[name] for name in self.OPTIONAL["verdict"] if name in self.claim]
        require(len(own) in (0, 3), "a member of the tenant's own record is missing")
        self.own, *self.firsts = [integer(one, 1) for one in own] or [0, 1, 1]
        require(self.firsts[0] <= self.policies and self.firsts[1] <= count, "a record beyond the last one")

    def digest(self, tenant, stream, author, key, payload):
        """The EIP-712 hash of a record."""
        domain = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
        record = "Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)"
        separator = keccak256(key_of(domain), key_of("ProvenanceLedger"), key_of("1"),
                              self.chain_id.to_bytes(32, "big"), bytes(12), self.contract)
        return keccak256(b"\x19\1", separator, keccak256(
            key_of(record), tenant, stream, key, bytes(12), author, keccak256(payload)))

    extend = staticmethod(extend)

    def record_digests(self, stream, records):
        return [self.digest(self.keys[0], stream, *record) for record in records]

    def read_log(self, event, *keys, proof=0):
        found, values = self.proofs[proof].read(event, self.contract)
        require(found[:len(keys)] == list(keys), "the log is of another tenant, stream or record")
        return values

    def prove(self):
        return getattr(self, f"prove_{self.claim['kind']}")()

    def prove_event(self):
        event = self.claim["event"]
        record, author = record_of(event), bytes.fromhex(string(event["from"], "0x[0-9a-fA-F]{40}")[2:])
        require(event["from"] == checksummed(author), "from isn't an address with its checksum")
        require(event["identity"].split("/events/")[0] == event["asset_identity"], "the event is of another asset")
        tenant, stream = key_of(string(event["tenant_identity"])), key_of(record["identity"].split("/events/")[0])
        digest = self.digest(tenant, stream, author, key_of(record["identity"]), payload_of(record))
        place = integer(event["block_number"]), seconds_of(event["timestamp_committed"])
        if len(self.proofs) == 1:
            log = self.read_log("RecordAppended", tenant)
            found = self.proofs[0].block.number, self.proofs[0].block.time
            require((log[2], found) == (digest, place), "the log has another digest, or another block")
            require(integer(event["transaction_index"]) == self.proofs[0].transaction, "another transaction")
        else:
            leaf, (number, time) = self.proofs[1], place
            require(leaf.sequence < 2 ** 32 and time >= 0, "a leaf can't hold this")
            places = leaf.sequence.to_bytes(4, "big") + number.to_bytes(8, "big") + time.to_bytes(8, "big")
            leaf.prove(digest + leaf.head + places, self.read_log("TenantAttested", tenant))
        return {"content", "author", "position"}

    def prove_history(self):
        head, count = self.read_log("StreamAttested", *self.keys)
        digests = self.record_digests(self.keys[1], self.records) or self.digests
        require((count, head) == (integer(self.claim["count"]), extend(digests)), "another history")
        return {"content", "author", "completeness"} if self.records else {"completeness"}

    def prove_range(self):
        tree, sequences = self.read_log("TenantAttested", self.keys[0]), [self.first - 1, self.last]
        for leaf, proof, sequence in zip(self.leaves, self.proofs[1:], sequences[-len(self.leaves):]):
            require(proof.sequence == sequence, "a leaf is of another record")
            proof.prove(leaf, tree)
        digests, end = self.record_digests(self.keys[1], self.records), self.leaves[-1]
        head = extend(digests, *([] if self.first == 1 else [self.leaves[0][32:60]]))
        require((digests[-1], head) == (end[:32], end[32:60]), "the records don't lead to the last leaf")
        return {"content", "author", "completeness"}

    def prove_absence(self):
        is_record = re.fullmatch(RECORD, self.claim["identity"])
        _, count = self.read_log("RecordAttested" if is_record else "StreamAttested", *self.keys)
        require(count == 0, "the tenant has a record or stream of this name")
        return {"absence"}

    def prove_tenant(self):
        tree, found = self.read_log("TenantAttested", *self.keys), hashlib.sha256()
        def read_leaves():
            for leaf in iter(lambda: self.second_file.read(LEAF_BYTES), b""):
                require(len(leaf) == LEAF_BYTES, "a leaf ends early")
                found.update(leaf)
                yield leaf
        require(tree == [self.count, tree_root(read_leaves())], "another list of records")
        require(found.digest() == self.hash, "the file with the leaves has another hash")
        return {"completeness"}

    def prove_verdict(self):
        tenant, policy, asset = self.keys
        policies, records = self.records[:self.policies], self.records[self.policies:]
        records, owns = records[:len(records) - self.own], records[len(records) - self.own:]
        of_policy, digests = self.record_digests(policy, policies), self.record_digests(asset, records)
        found = self.read_log("StreamAttested", tenant, policy)
        require(found == [extend(of_policy), len(policies)], "other policies")
        self.is_alone = len(self.proofs) > 2 and isinstance(self.proofs[2], Leaf)
        if not self.is_alone:
            found = self.read_log("StreamAttested", tenant, asset, proof=1)
            require(found == [extend(digests), len(records)], "another history")
        self.prove_leaves(tenant, owns, of_policy, digests)
        logs = [proof for proof in self.proofs if isinstance(proof, Log)]
        require(all(proof.block.time >= self.at // 1000 for proof in logs), "a block before the verdict")
        policies, records = policies[self.firsts[0] - 1:], records[self.firsts[1] - 1:]
        require(self.judge(policies, records) == self.claim["compliant"], "another verdict")
        return {"content", "author", "verdict"} | (set() if self.is_alone else {"completeness"})

    def prove_leaves(self, tenant, owns, policies, records):
        """The leaves of a verdict: of its one event, and of what shows which records have an effect."""
        rows = [(records[0], None, True)] if self.is_alone else []
        if self.own:
            require_own(self.claim["tenant_identity"], owns)
            of_tenant = self.record_digests(tenant, owns)
            rows.append((of_tenant[-1], self.own, None))
            for found, first in zip([policies] if self.is_alone else [policies, records], self.firsts):
                rows += [(found[at - 1], at, at == first) for at in edges_of(first)]
        proofs = [proof for proof in self.proofs if isinstance(proof, Leaf)]
        tree = self.read_log("TenantAttested", tenant, proof=proofs[0].last) if proofs else None
        for (digest, sequence, _), leaf, proof in zip(rows, self.leaves, proofs):
            require(leaf[:32] == digest and sequence in (None, proof.sequence), "the leaf of another record")
            proof.prove(leaf, tree)
        for own in (proof for (_, _, has_effect), proof in zip(rows, proofs) if has_effect is None):
            require(own.head == extend(of_tenant), "the records don't lead to the tenant's own")
            is_later = [has_effect in (None, proof.index > own.index) for (*_, has_effect), proof in zip(rows, proofs)]
            require(all(is_later), "other records have an effect")

    def prove_merged_history(self):
        if "events" not in self.claim:
            require_parts(self, self.digests)
            return {"completeness"}
        require([at for at, _ in merge(self)] == self.events, "other events of the asset")
        return {"content", "author", "completeness"}

    def prove_merged_verdict(self):
        events, at = [event for _, event in merge(self)], self.parts.kinds.index("policy")
        first, last = sum(self.parts.counts[:at]), sum(self.parts.counts[:at + 1])
        policies = [self.records[row] for row in range(first, last) if row not in self.parts.early]
        is_later = all(1000 * proof.block.time > self.at for proof in self.proofs[:len(self.parts.streams)])
        require(is_later, "a block that isn't after the verdict")
        policy = judge.policy_of(records_of("policy", self.claim["policy_identity"], policies))
        require(self.complies(policy, judge.events_until(events, self.at)) == self.claim["compliant"], "another verdict")
        return {"content", "author", "completeness", "verdict"}

    def judge(self, policies, records):
        """Whether the asset complies with the policy."""
        policy = judge.policy_of(records_of("policy", self.claim["policy_identity"], policies))
        events = records_of("event", self.claim["asset_identity"], records)
        if self.is_alone:
            is_alone = policy["compliance_type"] == "COMPLIANCE_SINCE" and policy["asset_filter"] == []
            is_alone = is_alone and "judged_by" not in policy
            require(is_alone and self.claim["compliant"], "one event proves only that an asset complies with a SINCE")
            require(events and not judge.is_creation(events[0]) and accepted(events[0]) <= self.at, "another event")
        else:
            events = judge.events_until(events, self.at)
        return self.complies(policy, events)

    def complies(self, policy, events):
        attributes = judge.attributes_of(events)
        require(judge.is_about(policy, policy["asset_filter"], attributes), "the policy isn't about the asset")
        time_of = declared if policy.get("judged_by") == "declared" else accepted
        typed = [(time_of(event), *judge.type_and_id(event)) for event in events]
        known = [event for event in typed if event[1] and event[0] <= self.at]
        return judge.complies(policy, known, attributes, self.at)
