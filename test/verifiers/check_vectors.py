"""Checks the records of test/vectors/records.json with the verifier in Python: python3 check_vectors.py VERIFIER VECTORS"""
import base64
import json
import sys

sys.path.insert(0, sys.argv[1])
import records  # noqa: E402

with open(sys.argv[2], encoding="utf-8") as file:
    vectors = json.load(file)
for vector in vectors["records"]:
    payload, kind = bytes.fromhex(vector["payload"][2:]), vector["record"]["type"]
    author, key, found = records.read_record(
        {"author": vectors["author"], "payload": base64.b64encode(payload).decode()})
    assert (key.hex(), found) == (vector["record_key"][2:], payload), vector["name"]
    if kind in records.CHECKS:
        decoded = records.decode(kind, vector["stream_identity"], key, payload)
        assert decoded == vector["record"], vector["name"]
    if payload[:1] == b"\3":
        assert records.without_additions(kind, vector["record"]) != vector["record"], vector["name"]
print(len(vectors["records"]))
