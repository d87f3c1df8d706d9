"""Proofs of evidence files: logs of the contract in receipts, and leaves of the tenant's tree."""
from strict_formats import (
    SAFE_MAX, from_base64, from_hex, from_rlp, integer, items_of, keccak256, key_of, list_of, members, merkle_root,
    number_of, require, to_rlp, trie_value)

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
            values.append(data[start:start + length])
        require(len(data) == end, "a log has another length")
        require(all(isinstance(value, bytes) or value <= SAFE_MAX for value in values), "a number in a log")
        return values

class Account:
    """A proof of the contract's account."""
    def __init__(self, value, blocks):
        _, block, nodes = members(value, ("kind", "block", "nodes"))
        require(integer(block) < len(blocks), "a proof names no block of the file")
        self.block, self.nodes = blocks[int(block)], [from_base64(node) for node in list_of(nodes, 64)]

    def code_hash(self, contract):
        account = from_rlp(trie_value(self.block.header[3], keccak256(contract), self.nodes))
        *numbers, _, code_hash = items_of(account, None, None, 32, 32)
        require(all(number_of(number, 2 ** 256 - 1) >= 0 for number in numbers), "no account")
        return code_hash

class Leaf:
    """A proof of a leaf of the tenant's tree."""
    def __init__(self, value, before):
        _, root, index, path, sequence, head = members(value, ("kind", "root", "index", "path", "sequence", "head"))
        logs = [at for at, proof in enumerate(before) if isinstance(proof, Log)]
        self.root, self.last = integer(root), logs[-1] if logs else None
        self.index, self.path = integer(index), [from_base64(node, 32) for node in list_of(path, 64)]
        self.sequence, self.head = integer(sequence, 1), from_hex(head, 28)

    def prove(self, leaf, tree):
        own = leaf[32:60], int.from_bytes(leaf[60:64], "big")
        require(own == (self.head, self.sequence), "a leaf has another head or sequence")
        require(merkle_root(leaf, self.index, tree[0], self.path) == tree[1], "a leaf isn't in the tenant's tree")
