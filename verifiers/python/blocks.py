"""Blocks of evidence files: headers, their hashes and seals, and their anchors in logs."""
import re
from datetime import datetime, timezone

from coincurve import PublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from proofs import Log
from strict_formats import (
    SAFE_MAX, Wrong, from_base64, from_hex, from_rlp, integer, items_of, keccak256, list_of, members, merkle_root,
    number_of, require, sha256, string, to_rlp)

def time_text(seconds):
    try:
        return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    except (OverflowError, OSError, ValueError):  # later than dates go
        return f"{seconds} s"

def read_ledger(value):
    chain_id, contract = members(value, ("chain_id", "contract"))
    return integer(chain_id, 1), from_hex(contract, 20)

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

    def __init__(self, value, is_inner):
        optional = ("rfc3161", "ots") if is_inner else ("rfc3161", "ots", "elsewhere")
        kind, proof, *lists = members(value, ("kind", "proof"), optional)
        tokens, stamps, *records = ([] if found is None else list_of(found, 8) for found in lists)
        self.tokens = [from_base64(token) for token in tokens]
        require(all(len(one) <= 65_536 for one in self.tokens + list(map(from_base64, stamps))), "a stamp is too long")
        self.elsewhere = [Elsewhere(record) for record in list_of(sum(records, []), 2)]
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

    def check_place(self, block):
        root = merkle_root(block.hash, self.index, self.size, self.path)
        require(root == self.root, "a block isn't in the tree of its checkpoint")

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

class Elsewhere:
    """A record of a checkpoint on another ledger."""
    def __init__(self, value):
        ledger, block, proof = members(value, ("ledger", "block", "proof"))
        self.ledger, self.block = read_ledger(ledger), Block(block, is_inner=True)
        require(isinstance(proof, dict) and proof.get("kind") == "log", "no proof of a log")
        self.proof = Log(proof, [self.block])

    def check(self, message):
        (self.tenant, self.stream, _), (*_, payload) = self.proof.read("RecordAppended", self.ledger[1])
        require(sha256(message).hex().encode() in payload, "a record without the hash of the checkpoint")
        for anchor in self.block.anchors:
            anchor.check_place(self.block)

    def __str__(self):
        (chain, contract), hexes = self.ledger, [f"0x{key.hex()}" for key in (self.tenant, self.stream)]
        return (f"in block {self.block.number} ({time_text(self.block.time)}) of chain {int(chain)}, contract "
                f"0x{contract.hex()}, with the tenant key {hexes[0]} and the stream key {hexes[1]}")

class Block:
    """A block: its header, its hash by the rule of its chain, and what its sealers signed."""
    SIZES = (32, 32, 20, 32, 32, 32, 256, *[None] * 6, 32, 8, None, 32, None, None, 32, 32)
    BFT = (5, "ibft2"), (5, "qbft"), (6, "qbft")

    def __init__(self, value, is_inner=False):
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
        self.anchors = [Anchor(anchor, is_inner) for anchor in list_of(anchors, 8)]

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
