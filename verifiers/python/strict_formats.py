"""Strict forms of JSON, RLP, receipt tries and Merkle trees: each value has one text or encoding that is accepted."""
import base64
import hashlib
import json
import re

import rfc8785
from Crypto.Hash import keccak
from cryptography.exceptions import InvalidSignature

SAFE_MAX, TEXT_MAX = 2 ** 53 - 1, 16 * 1024 * 1024

class Wrong(Exception):
    """What is wrong: in the form of a file it is unreadable, in what the file says it is refuted."""

def require(fact, sentence):
    if not fact:
        raise Wrong(sentence)

WRONG = (Wrong, ValueError, RecursionError, InvalidSignature, rfc8785.CanonicalizationError)

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def keccak256(*parts):
    return keccak.new(digest_bits=256, data=b"".join(parts)).digest()

def key_of(text):
    return keccak256(text.encode())

# JSON

def strict_json(text):
    """Parses JSON within the limits, and refuses an object with a name twice."""
    def unique(pairs):
        require(len(dict(pairs)) == len(pairs), "an object has a name twice")
        return dict(pairs)
    parts = (text[at:at + 65_536].encode("utf-16-le", "surrogatepass") for at in range(0, len(text), 65_536))
    require(sum(map(len, parts)) <= 2 * TEXT_MAX, "more than 16 MiB")
    require(text.count("{") + text.count("[") <= 100_000 and text.count(",") <= 500_000, "too many values")
    value = json.loads(text, object_pairs_hook=unique, parse_int=float, parse_constant=lambda name: require(0, name))
    inner = [value]
    for _ in range(64):
        inner = [one for parent in inner if isinstance(parent, (dict, list))
                 for one in (parent.values() if isinstance(parent, dict) else parent)]
    require(not inner, "more than 64 levels")
    return value

def members(value, required, optional=()):
    require(isinstance(value, dict) and set(required) <= set(value) <= {*required, *optional}, "members of an object")
    require(all(value.get(name, 0) is not None for name in optional), "null isn't the same as nothing")
    return [value.get(name) for name in (*required, *optional)]

def integer(value, least=0):
    require(type(value) is float and value.is_integer() and least <= value <= SAFE_MAX, "not an integer")
    return int(value)

def string(value, pattern=r"[\s\S]*"):
    require(isinstance(value, str) and re.fullmatch(pattern, value), f"another text than {pattern}")
    return value

def list_of(value, most=TEXT_MAX):
    require(isinstance(value, list) and len(value) <= most, f"not a list of at most {most} values")
    return value

def from_hex(value, size):
    return bytes.fromhex(string(value, f"0x[0-9a-f]{{{2 * size}}}")[2:])

def from_base64(value, size=None):
    decoded = base64.b64decode(string(value), validate=True)
    require(base64.b64encode(decoded).decode() == value and size in (None, len(decoded)), "no base64, or another size")
    return decoded

def chunks(value, size):
    data = b"" if value is None else from_base64(value)
    require(len(data) % size == 0, f"not a multiple of {size} bytes")
    return [data[at:at + size] for at in range(0, len(data), size)]

# RLP and the receipt trie

def read_rlp(data, at, end, depth=0):
    """Reads one item strictly; returns it and where it ends."""
    require(at < end and depth <= 16, "RLP ends early, or is nested too deeply")
    first, at = data[at], at + 1
    if first < 0x80:
        return data[at - 1:at], at
    length = first - (0x80 if first < 0xc0 else 0xc0)
    if length > 55:
        digits, at = data[at:at + length - 55], at + length - 55
        length = int.from_bytes(digits, "big")
        require(digits[:1] != b"\0" and length > 55, "a length in RLP isn't the shortest")
    stop = at + length
    require(stop <= end, "an item in RLP is longer than its list")
    if first < 0xc0:
        require(length != 1 or data[at] >= 0x80, "a byte in RLP isn't the shortest")
        return data[at:stop], stop
    items = []
    while at < stop:
        item, at = read_rlp(data, at, stop, depth + 1)
        items.append(item)
    return items, stop

def from_rlp(data):
    item, end = read_rlp(data, 0, len(data))
    require(end == len(data), "bytes after RLP")
    return item

def to_rlp(item):
    if isinstance(item, bytes) and len(item) == 1 and item[0] < 0x80:
        return item
    offset, body = (0x80, item) if isinstance(item, bytes) else (0xc0, b"".join(map(to_rlp, item)))
    size = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return (bytes([offset + len(body)]) if len(body) <= 55 else bytes([offset + 55 + len(size)]) + size) + body

def items_of(item, *sizes):
    """The items of a list of byte strings with these sizes, where None is any size."""
    require(isinstance(item, list) and len(item) == len(sizes), "a list in RLP has another length")
    fits = (isinstance(one, bytes) and size in (None, len(one)) for one, size in zip(item, sizes))
    require(all(fits), "an item in RLP has another size")
    return item

def number_of(item, most=SAFE_MAX):
    require(isinstance(item, bytes) and item[:1] != b"\0" and int.from_bytes(item, "big") <= most, "a number in RLP")
    return int.from_bytes(item, "big")

def follow(node, path):
    """Follows a path of nibbles into a node; returns what is there and the rest of the path, which ends with None."""
    require(isinstance(node, list) and len(node) in (2, 17), "a node of a trie has 2 or 17 items")
    if len(node) == 17:
        return (node[path[0]], path[1:]) if path else (node[16], None)
    require(isinstance(node[0], bytes) and node[0], "a node of a trie has no path")
    nibbles = [nibble for byte in node[0] for nibble in (byte >> 4, byte & 15)]
    flag, own = nibbles[0], nibbles[2 - nibbles[0] % 2:]
    require(flag < 4 and (flag % 2 or nibbles[1] == 0) and path[:len(own)] == own, "the path of a node is another one")
    require(len(path) == len(own) if flag >= 2 else own, "a leaf ends early, or an extension is empty")
    return node[1], None if flag >= 2 else path[len(own):]

def trie_value(root, key, nodes):
    """The value of a key; `nodes` are exactly those on its way that have a hash, in order."""
    path, found, nodes = [nibble for byte in key for nibble in (byte >> 4, byte & 15)], root, list(nodes)
    while path is not None:
        if isinstance(found, bytes):
            require(nodes and keccak256(nodes[0]) == found, "a node of the trie is missing or has another hash")
            require(found is root or len(nodes[0]) >= 32, "a small node of a trie has a hash")
            found = from_rlp(nodes.pop(0))
        else:
            require(len(to_rlp(found)) < 32, "a large node of a trie is inside its parent")
        found, path = follow(found, path)
    require(not nodes and isinstance(found, bytes) and found, "the trie has no such value, or a node is of no use")
    return found

# Merkle trees

def merkle_root(leaf, index, size, path):
    """The root of an RFC 9162 tree with this leaf."""
    require(index < size, "the tree has no such leaf")
    root, last = sha256(b"\0", leaf), size - 1
    for sibling in path:
        require(last > 0, "a path is too long")
        if index % 2 or index == last:
            root = sha256(b"\1", sibling, root)
            while index and not index % 2:
                index, last = index >> 1, last >> 1
        else:
            root = sha256(b"\1", root, sibling)
        index, last = index >> 1, last >> 1
    require(last == 0, "a path is too short")
    return root

def tree_root(leaves):
    """The root of the RFC 9162 tree with these leaves, which are read one after the other."""
    peaks = []
    for number, leaf in enumerate(leaves, 1):
        node = sha256(b"\0", leaf)
        while number % 2 == 0:
            node, number = sha256(b"\1", peaks.pop(), node), number // 2
        peaks.append(node)
    root = peaks.pop() if peaks else sha256()
    while peaks:
        root = sha256(b"\1", peaks.pop(), root)
    return root
