#!/usr/bin/env python3
"""Verifies evidence files of a provenance ledger offline. Written from docs/evidence-format.md alone.

    python verify_evidence.py FILE --trust trust.json

Exit codes: 0 proved, 3 consistent but under none of the named roots, 1 refuted, 2 unreadable.
"""
import argparse
import json
import re
import sys

import rfc8785
from coincurve import PublicKey
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from records import COMMITTED, PLACED, RECORD, STREAM, checksummed, payload_of, read_record, seconds_of
from strict_formats import (
    SAFE_MAX, TEXT_MAX, Wrong, chunks, from_base64, from_hex, from_rlp, integer, items_of, keccak256, key_of, list_of,
    members, merkle_root, number_of, require, sha256, strict_json, string, to_rlp, trie_value)

QUESTIONS = ("content", "author", "position", "completeness", "absence", "verdict", "chain", "operator", "split-view",
             "seals", "elsewhere", "time", "code", "truth", "person")

class Vkey:
    """A key of a log (type 1) or for cosignatures (type 4)."""
    def __init__(self, value, kind):
        string(value, r"[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+")
        require(len(value.encode("utf-16-le")) <= 2048, "a vkey is too long")
        self.name, identifier, material = value.split("+", 2)
        material, self.id, self.kind = from_base64(material, 33), bytes.fromhex(identifier), kind
        self.public = material[1:]
        require(material[0] == kind and sha256(self.name.encode(), b"\n", material)[:4] == self.id, "another vkey")

class Anchor:
    """A tlog-proof with its checkpoint."""
    FORM = re.compile(r"c2sp\.org/tlog-proof@v1\n(?:extra (.*)\n)?index (.+)\n((?:.+\n){0,64})\n"
                      r"((.+)\n(.+)\n(.+)\n(?:.+\n){0,64})\n((?:\u2014 [^\s+]+ [^\s]+\n){1,64})")

    def __init__(self, value):
        kind, proof = members(value, ("kind", "proof"))
        found = self.FORM.fullmatch(string(proof))
        require(kind == "tlog-proof" and found and not re.search("[\0-\t\v-\x1f]", proof), "not a tlog-proof")
        extra, index, path, self.text, self.origin, size, root, signatures = found.groups()
        self.index, self.size = (integer(float(string(number, "0|[1-9][0-9]{0,15}"))) for number in (index, size))
        self.path, self.root = [from_base64(line, 32) for line in path.split("\n")[:-1]], from_base64(root, 32)
        lines = [line.split(" ") for line in signatures.split("\n")[:-1]]
        self.signatures = [(name, from_base64(signature)) for _, name, signature in lines]
        require(all(len(signature) > 4 for _, signature in self.signatures), "a signature is empty")
        from_base64(extra or "")
        sizes = [len(text.encode("utf-16-le")) // 2 for text in (proof, proof.split("\n\n", 1)[1])]
        require(sizes[0] <= 256 * 1024 and sizes[1] <= 128 * 1024, "a tlog-proof is too long")

    def is_signed(self, key):
        """Whether this key signed; its wrong signature refutes."""
        found = [signature[4:] for name, signature in self.signatures if (name, signature[:4]) == (key.name, key.id)]
        for signature in found:
            text = self.text.encode()
            if key.kind == 4:
                require(int.from_bytes(signature[:8], "big") <= SAFE_MAX, "the time of a cosignature")
                text = b"cosignature/v1\ntime %d\n" % int.from_bytes(signature[:8], "big") + text
            Ed25519PublicKey.from_public_bytes(key.public).verify(signature[8 if key.kind == 4 else 0:], text)
        return bool(found)

class Block:
    """A block: its header, its hash by the rule of its chain, and what its sealers signed."""
    SIZES = (32, 32, 20, 32, 32, 32, 256, *[None] * 6, 32, 8, None, 32, None, None, 32, 32)
    BFT = (5, "ibft2"), (5, "qbft"), (6, "qbft")

    def __init__(self, value):
        self.rule, header, anchors = members(value, ("rule", "header", "anchors"))
        require(self.rule in ("ethereum", "clique", "qbft", "ibft2"), "another rule")
        self.header = from_rlp(from_base64(header))
        require(isinstance(self.header, list) and len(self.header) >= 15, "a header has 15 to 21 items")
        items_of(self.header, *self.SIZES[:len(self.header)])
        for at in {7, 8, 9, 10, 11, 15, 17, 18} & set(range(len(self.header))):
            number_of(self.header[at], SAFE_MAX if at in (8, 11) else 2 ** 256 - 1)
        require(len(self.header[12]) <= 32 * 1024, "extra data of more than 32 KiB")
        self.number, self.time = number_of(self.header[8]), number_of(self.header[11])
        self.hash, self.signed, self.seals = self.with_extra(self.header[12]), None, []
        if self.rule in ("qbft", "ibft2"):
            self.read_bft(from_rlp(self.header[12]))
        elif self.rule == "clique" and self.is_clique():
            self.signed, self.seals = self.with_extra(self.header[12][:-65]), [self.header[12][-65:]]
        self.anchors = [Anchor(anchor) for anchor in list_of(anchors, 8)]

    def is_clique(self):
        fits = len(self.header[12]) >= 97 and len(self.header[12]) % 20 == 97 % 20
        return fits and self.header[7] in (b"\1", b"\2") and not any(self.header[13])

    def with_extra(self, extra):
        return keccak256(to_rlp([*self.header[:12], extra, *self.header[13:]]))

    def read_bft(self, extra):
        """Vanity, validators, vote, round, seals; QBFT may have certificates after them."""
        require(isinstance(extra, list) and (len(extra), self.rule) in self.BFT, "no extra data of BFT")
        vanity, validators, vote, turn, seals = extra[:5]
        items_of([vanity, turn], 32, None)
        for item, size in ((validators, 20), (seals, 65)):
            items_of(item, *[size] * (len(item) if isinstance(item, list) else 0))
        require(len(turn) <= 4, "a round has at most 4 bytes")
        start, later = [vanity, validators, vote], extra[5:]
        if self.number > 0:
            hashed, signed = ([b"", []], [turn, []]) if self.rule == "qbft" else ([], [turn])
            self.hash = self.with_extra(to_rlp(start + hashed + later))
            self.signed, self.seals = self.with_extra(to_rlp(start + signed + later)), seals[:256]

    def sealers(self):
        """Addresses of those who sealed the block."""
        for seal in self.seals:
            try:
                require(len(seal) == 65 and seal[64] < 2, "no seal")
                key = PublicKey.from_signature_and_message(seal, self.signed, hasher=None)
                yield keccak256(key.format(compressed=False)[1:])[12:]
            except (Wrong, ValueError):  # other bytes than those of a signature
                continue

# Logs and leaves

class Log:
    """A proof of a log of the contract; `read` checks it and gives what was logged."""
    EVENTS = {"RecordAppended": ((32, 32, 32), (-20, -4, 32, 28)), "TenantAttested": ((32,), (-8, 32)),
              "StreamAttested": ((32, 32), (28, -4)), "RecordAttested": ((32, 32), (28, -4))}
    TYPES = {-20: "address", -8: "uint64", -4: "uint32", 28: "bytes28", 32: "bytes32"}

    def __init__(self, value, blocks):
        _, block, self.transaction, nodes, self.at = members(value, ("kind", "block", "transaction", "nodes", "log"))
        require(integer(block) < len(blocks), "a proof names no block of the file")
        self.block, self.transaction, self.at = blocks[int(block)], integer(self.transaction), integer(self.at)
        self.nodes = [from_base64(node) for node in list_of(nodes, 64)]

    def read(self, name, contract):
        """The keys in the topics and the values in the data of the log, which must be of this event."""
        key = to_rlp(self.transaction.to_bytes(8, "big").lstrip(b"\0"))
        receipt = trie_value(self.block.header[5], key, self.nodes)
        receipt = from_rlp(receipt[1:] if 0 < receipt[0] < 0x80 else receipt)
        require(isinstance(receipt, list) and len(receipt) == 4 and isinstance(receipt[3], list), "no receipt")
        status, gas, _ = items_of(receipt[:3], None, None, 256)
        require(status == b"\1" and number_of(gas) >= 0, "the transaction didn't succeed")
        for log in receipt[3]:
            require(isinstance(log, list) and len(log) == 3 and isinstance(log[1], list) and len(log[1]) <= 4, "no log")
            items_of([log[0], log[2], *log[1]], 20, None, *[32] * len(log[1]))
        require(self.at < len(receipt[3]), "the receipt has no such log")
        address, (topic, *keys), data = receipt[3][self.at] if receipt[3][self.at][1] else (None, [None], None)
        indexed, sizes = self.EVENTS[name]
        types = [self.TYPES[size] for size in indexed + sizes] + ["bytes"] * (name == "RecordAppended")
        require(address == contract and topic == key_of(f"{name}({','.join(types)})"), f"the log isn't {name}")
        require(len(keys) == len(indexed), "a log has other topics")
        return keys, self.values(sizes, data, "bytes" in types)

    @staticmethod
    def values(sizes, data, has_payload):
        """Decodes words as Solidity writes them; negative sizes are integers and addresses, padded on the left."""
        words, end, values = [data[at:at + 32] for at in range(0, len(data), 32)], 32 * len(sizes), []
        require(len(data) >= end + 64 * has_payload, "a log ends early")
        for size, word in zip(sizes, words):
            value, padding = (word[size:], word[:size]) if size < 0 else (word[:size], word[size:])
            require(not any(padding), "a word of a log isn't padded with zeros")
            values.append(int.from_bytes(value, "big") if size in (-4, -8) else value)
        if has_payload:
            length, start = int.from_bytes(data[end + 32:end + 64], "big"), end + 64
            end = start + (length + 31) // 32 * 32
            require(int.from_bytes(data[start - 64:start - 32], "big") == start - 32, "a payload is elsewhere")
            require(not any(data[start + length:]), "a payload isn't padded with zeros")
        require(len(data) == end, "a log has another length")
        require(all(isinstance(value, bytes) or value <= SAFE_MAX for value in values), "a number in a log")
        return values

class Leaf:
    """A proof of a leaf of the tenant's tree."""
    def __init__(self, value, proofs):
        _, root, index, path, sequence, head = members(value, ("kind", "root", "index", "path", "sequence", "head"))
        require(integer(root) == 0 and proofs and isinstance(proofs[0], Log), "a leaf names no proof of a log")
        self.index, self.path = integer(index), [from_base64(node, 32) for node in list_of(path, 64)]
        self.sequence, self.head = integer(sequence, 1), from_hex(head, 28)

    def prove(self, leaf, tree):
        require(merkle_root(leaf, self.index, tree[0], self.path) == tree[1], "a leaf isn't in the tenant's tree")

def extend(head, digests):
    """The head of a stream after more records."""
    for digest in digests:
        head = keccak256(head, bytes(4), digest)[:28]
    return head

# The file

class Evidence:
    """A file whose form is right; `prove` checks what it says and returns the questions that it proves."""
    CLAIMS = {"event": ("event",), "history": ("tenant_identity", "asset_identity", "count"),
              "range": ("tenant_identity", "asset_identity", "from", "to"), "absence": ("tenant_identity", "identity")}

    def __init__(self, text):
        value = strict_json(text)
        require(isinstance(value, dict) and value.get("format") == "provenance-ledger/evidence/1", "another format")
        _, ledger, claim, blocks, proofs, digests, records, leaves = members(
            value, ("format", "ledger", "claim", "blocks", "proofs"), ("digests", "records", "leaves"))
        self.chain_id, self.contract = read_ledger(ledger)
        self.blocks, self.proofs = [Block(block) for block in list_of(blocks, 8)], []
        for proof in list_of(proofs, 16):
            require(isinstance(proof, dict) and proof.get("kind") in ("log", "leaf"), "another kind of proof")
            self.proofs.append(Log(proof, self.blocks) if proof["kind"] == "log" else Leaf(proof, self.proofs))
        used = [proof.block for proof in self.proofs if isinstance(proof, Log)]
        require(all(block in used for block in self.blocks), "a block that no proof names")
        self.digests, self.leaves = chunks(digests, 32), chunks(leaves, 80)
        require(all(int.from_bytes(leaf[at:at + 8], "big") <= SAFE_MAX for leaf in self.leaves for at in (64, 72)),
                "a number in a leaf")
        self.records = [read_record(record) for record in list_of([] if "records" not in value else records, 50_000)]
        self.read_claim(claim)

    def read_claim(self, claim):
        """Reads the claim, and checks that the file has exactly the parts that it needs."""
        require(isinstance(claim, dict) and string(claim.get("kind")) in self.CLAIMS, "another kind of claim")
        members(claim, ("kind", *self.CLAIMS[claim["kind"]]))
        self.claim, kind, parts = claim, claim["kind"], (0, 0, 0)
        self.names = [string(text, f"{RECORD}|{STREAM}") for name, text in claim.items() if name.endswith("identity")]
        self.keys = [key_of(claim[name]) for name in self.CLAIMS[kind] if name.endswith("identity")]
        kinds = [["Log"], ["Log", "Leaf"]] if kind == "event" else [["Log"]]
        if kind == "history":
            count = integer(claim["count"])
            parts = (0, count, 0) if self.records else (count, 0, 0)
        elif kind == "range":
            self.first, self.last = integer(claim["from"], 1), integer(claim["to"], integer(claim["from"], 1))
            edges = 1 if self.first == 1 else 2
            kinds, parts = [["Log"] + ["Leaf"] * edges], (0, self.last - self.first + 1, edges)
        require([type(proof).__name__ for proof in self.proofs] in kinds, "other proofs than the claim needs")
        require((len(self.digests), len(self.records), len(self.leaves)) == parts, "other parts than the claim needs")

    def digest(self, tenant, stream, author, key, payload):
        """The EIP-712 hash of a record."""
        domain = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
        record = "Record(bytes32 tenant,bytes32 stream,bytes32 id,address author,bytes payload)"
        separator = keccak256(key_of(domain), key_of("ProvenanceLedger"), key_of("1"),
                              self.chain_id.to_bytes(32, "big"), bytes(12), self.contract)
        return keccak256(b"\x19\1", separator, keccak256(
            key_of(record), tenant, stream, key, bytes(12), author, keccak256(payload)))

    def prove(self):
        return getattr(self, f"prove_{self.claim['kind']}")()

    def read_log(self, event, *keys):
        found, values = self.proofs[0].read(event, self.contract)
        require(found[:len(keys)] == list(keys), "the log is of another tenant, stream or record")
        return values

    def prove_event(self):
        event = self.claim["event"]
        require(isinstance(event, dict) and {*COMMITTED, *PLACED} <= set(event), "the event lacks a member")
        payload, author = payload_of(event), bytes.fromhex(string(event["from"], "0x[0-9a-fA-F]{40}")[2:])
        require(event["from"] == checksummed(author) and event["confirmation_status"] == "CONFIRMED", "from or status")
        require(event["identity"].split("/events/")[0] == event["asset_identity"], "the event is of another asset")
        tenant, stream = key_of(string(event["tenant_identity"])), key_of(event["asset_identity"])
        digest = self.digest(tenant, stream, author, key_of(event["identity"]), payload)
        place = integer(event["block_number"]), seconds_of(event["timestamp_committed"], "Z")
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

    def record_digests(self):
        return [self.digest(*self.keys, *record) for record in self.records]

    def prove_history(self):
        head, count = self.read_log("StreamAttested", *self.keys)
        digests = self.record_digests() or self.digests
        require((count, head) == (integer(self.claim["count"]), extend(bytes(28), digests)), "another history")
        return {"content", "author", "completeness"} if self.records else {"completeness"}

    def prove_range(self):
        tree, sequences = self.read_log("TenantAttested", self.keys[0]), [self.first - 1, self.last]
        for leaf, proof, sequence in zip(self.leaves, self.proofs[1:], sequences[-len(self.leaves):]):
            require(leaf[32:60] == proof.head and proof.sequence == sequence, "a leaf isn't that of its proof")
            require(int.from_bytes(leaf[60:64], "big") == sequence, "a leaf is of another record")
            proof.prove(leaf, tree)
        digests, start, end = self.record_digests(), self.leaves[0][32:60], self.leaves[-1]
        head = extend(bytes(28) if self.first == 1 else start, digests)
        require((digests[-1], head) == (end[:32], end[32:60]), "the records don't lead to the last leaf")
        return {"content", "author", "completeness"}

    def prove_absence(self):
        is_record = re.fullmatch(RECORD, self.claim["identity"])
        _, count = self.read_log("RecordAttested" if is_record else "StreamAttested", *self.keys)
        require(count == 0, "the tenant has a record or stream of this name")
        return {"absence"}

# Roots of trust, and the answer

def read_ledger(value):
    chain_id, contract = members(value, ("chain_id", "contract"))
    return integer(chain_id, 1), from_hex(contract, 20)

class Trust:
    """What the caller knows from elsewhere."""
    def __init__(self, text):
        value, lists = strict_json(text), ("blocks", "logs", "witnesses", "validators")
        members(value, ("chain_id", "contract"), (*lists, "quorum"))
        self.ledger = read_ledger({name: value[name] for name in ("chain_id", "contract")})
        blocks, logs, witnesses, validators = (list_of(value.get(name, []), 1024) for name in lists)
        self.blocks, self.validators = [from_hex(x, 32) for x in blocks], [from_hex(x, 20) for x in validators]
        self.logs, self.witnesses = [Vkey(log, 1) for log in logs], [Vkey(witness, 4) for witness in witnesses]
        self.quorum = integer(value["quorum"], 1) if "quorum" in value else len(witnesses)
        require(self.quorum <= len(witnesses), "a quorum of more witnesses than are named")

    def answers(self, block):
        """The questions that this block answers."""
        proved = {"chain"} if block.hash in self.blocks else set()
        for anchor in block.anchors:
            root = merkle_root(block.hash, anchor.index, anchor.size, anchor.path)
            require(root == anchor.root, "a block isn't in the tree of its checkpoint")
            is_logged = [anchor.is_signed(log) and log.name == anchor.origin for log in self.logs]
            witnesses = {witness.public for witness in self.witnesses if anchor.is_signed(witness)}
            if any(is_logged):
                proved |= {"chain", "operator"}
                proved |= {"split-view", "time"} if 0 < self.quorum <= len(witnesses) else set()
        least = 1 if block.rule == "clique" else -(-2 * len(self.validators) // 3)
        if self.validators and len(set(self.validators) & set(block.sealers())) >= least:
            proved |= {"seals"} if block.rule == "clique" else {"seals", "chain"}
        return proved

def verify(text, trust_text):
    """Verifies a file; returns the exit code, the questions that are proved, and what is wrong."""
    wrong = (Wrong, ValueError, RecursionError, InvalidSignature, rfc8785.CanonicalizationError)
    try:
        trust, evidence = Trust(trust_text), Evidence(text)
    except wrong as error:
        return 2, set(), f"unreadable: {error}"
    try:
        require(trust.ledger == (evidence.chain_id, evidence.contract), "the file is about another ledger")
        proved = evidence.prove() | set.intersection(*map(trust.answers, evidence.blocks))
    except wrong as error:
        return 1, set(), f"refuted: {error or 'a signature of a named key is wrong'}"
    return 0 if "chain" in proved else 3, proved, "" if "chain" in proved else "consistent, under none of the roots"

def main():
    parser = argparse.ArgumentParser(description="Verifies an evidence file offline.")
    parser.add_argument("file", nargs="?", help="the evidence file")
    parser.add_argument("--trust", help="trust.json: the roots of trust that you know from elsewhere")
    parser.add_argument("--batch", action="store_true", help="read lines of {file, trust}; print a code for each")
    options = parser.parse_args()
    if options.batch:
        for case in map(json.loads, sys.stdin):
            code, proved, _ = verify(case["file"], case["trust"])
            print(code, *(question for question in QUESTIONS if question in proved), flush=True)
        return 0
    if options.file is None or options.trust is None:
        parser.error("FILE and --trust are needed")
    try:
        texts = [open(path, "rb").read(4 * TEXT_MAX).decode() for path in (options.file, options.trust)]
    except (OSError, UnicodeError) as error:
        code, proved, sentence = 2, set(), f"unreadable: {error}"
    else:
        code, proved, sentence = verify(*texts)
    for question in QUESTIONS if code in (0, 3) else ():
        print(f"{question}: {'proved' if question in proved else 'not answered'}")
    print(sentence or "proved", file=sys.stderr if code == 2 else sys.stdout)
    return code

if __name__ == "__main__":
    sys.exit(main())
