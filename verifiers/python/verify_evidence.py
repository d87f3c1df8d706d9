#!/usr/bin/env python3
"""Verifies evidence files of a provenance ledger offline. Written from docs/evidence-format.md alone.

    python verify_evidence.py FILE --trust trust.json

Exit codes: 0 proved, 3 consistent but no named root proves the chain, 1 refuted, 2 can't be checked.
"""
import argparse
import base64
import io
import json
import pathlib
import sys

from blocks import Vkey, read_ledger
from claims import Evidence
from strict_formats import (
    TEXT_MAX, WRONG, from_hex, integer, list_of, members, require, strict_json, string)
from time_stamps import Authorities
from visible import visible_line

QUESTIONS = ("content", "author", "position", "completeness", "absence", "verdict", "chain", "operator", "split-view",
             "seals", "elsewhere", "time", "code", "truth", "person")
UNPROVED = "consistent, but no root that you named proves the chain"

class Roots:
    """What the caller knows of a ledger from elsewhere."""
    LISTS = ("blocks", "logs", "witnesses", "validators")

    def __init__(self, value, *further):
        members(value, ("chain_id", "contract"), (*self.LISTS, "quorum", *further))
        self.ledger = read_ledger({name: value[name] for name in ("chain_id", "contract")})
        blocks, logs, witnesses, validators = (list_of(value.get(name, []), 1024) for name in self.LISTS)
        self.blocks, self.validators = [from_hex(x, 32) for x in blocks], [from_hex(x, 20) for x in validators]
        self.logs, self.witnesses = [Vkey(log, 1) for log in logs], [Vkey(witness, 4) for witness in witnesses]
        self.quorum = integer(value["quorum"], 1) if "quorum" in value else len(witnesses)
        require(self.quorum <= len(witnesses), "a quorum of more witnesses than are named")

    def answers(self, block):
        """The questions that this block answers."""
        proved = {"chain"} if block.hash in self.blocks else set()
        for anchor in block.anchors:
            anchor.check_place(block)
            is_logged = [anchor.is_signed(log) and log.name == anchor.origin for log in self.logs]
            witnesses = {witness.public for witness in self.witnesses if anchor.is_signed(witness)}
            if any(is_logged):
                proved |= {"chain", "operator"}
                proved |= {"split-view", "time"} if 0 < self.quorum <= len(witnesses) else set()
        least = 1 if block.rule == "clique" else -(-2 * len(self.validators) // 3)
        if self.validators and len(set(self.validators) & set(block.sealers())) >= least:
            proved |= {"seals"} if block.rule == "clique" else {"seals", "chain"}
        return proved

class Trust(Roots):
    """What the caller knows of the ledger, its code, other ledgers and time stamping authorities."""
    def __init__(self, text, folder="."):
        value = strict_json(text)
        super().__init__(value, "code_hash", "elsewhere", "tsa_ca_file")
        self.code_hash = from_hex(value["code_hash"], 32) if "code_hash" in value else None
        self.elsewhere = [Roots(other) for other in list_of(value.get("elsewhere", []), 16)]
        path = string(value.get("tsa_ca_file", "x"), r"[\s\S]{1,1024}")
        self.authorities = Authorities(pathlib.Path(folder, path)) if "tsa_ca_file" in value else None
        self.recorded = []

    def answers(self, block):
        proved = super().answers(block)
        for anchor in block.anchors:
            message = anchor.text.encode()
            for token in anchor.tokens if self.authorities else ():
                proved |= {"time"} if self.authorities.stamped(token, message) else set()
            for record in anchor.elsewhere:
                record.check(message)
                known = [roots.answers(record.block) for roots in self.elsewhere if roots.ledger == record.ledger]
                if any("chain" in answers for answers in known):
                    proved |= {"elsewhere"}
                    self.recorded.append(f"block {block.number} is recorded {record}")
        return proved

    def codes(self, evidence):
        """The question of the contract's code, if it is answered."""
        found = evidence.account and evidence.account.code_hash(evidence.contract)
        require(not found or self.code_hash in (None, found), "the contract has another code")
        return {"code"} if found and self.code_hash else set()

def require_one_chain(blocks):
    ordered = sorted(blocks, key=lambda block: block.number)
    for before, block in zip(ordered, ordered[1:]):
        fits = before.hash == block.hash if before.number == block.number else before.time <= block.time
        require(fits, f"no chain has both block {before.number} and block {block.number}")

def verify(text, trust_text, leaves=None, folder="."):
    """Verifies a file; returns the exit code, the questions that are proved, with a note each, and what is wrong."""
    try:
        trust, evidence = Trust(trust_text, folder), Evidence(text, leaves)
    except (OSError, *WRONG) as error:
        return 2, {}, f"can't be checked: {error}"
    try:
        require(trust.ledger == (evidence.chain_id, evidence.contract), "the file is about another ledger")
        require_one_chain(evidence.blocks)
        proved = set.intersection(*map(trust.answers, evidence.blocks)) | evidence.prove() | trust.codes(evidence)
    except WRONG as error:
        if evidence.lacks_principal():
            return 2, {}, "can't be checked: the event lacks who declared and accepted it"
        return 1, {}, f"refuted: {str(error) or 'a signature of a named key is wrong'}"
    known = {"elsewhere": f": {'; '.join(trust.recorded)}", **evidence.limits()}
    notes = {question: known.get(question, "") for question in proved}
    return 0 if "chain" in proved else 3, notes, "" if "chain" in proved else UNPROVED

def verify_batch():
    """Answers lines of {file, trust, leaves} with exit codes and the questions that are proved."""
    for case in map(json.loads, sys.stdin):
        leaves = io.BytesIO(base64.b64decode(case["leaves"])) if "leaves" in case else None
        code, proved, _ = verify(case["file"], case["trust"], leaves)
        print(code, *(question for question in QUESTIONS if question in proved), flush=True)

def say(line, output=sys.stdout):
    """Prints a line, in the characters that the output has."""
    encoding = output.encoding or "utf-8"
    print(visible_line(line).encode(encoding, "backslashreplace").decode(encoding), file=output)

def main():
    parser = argparse.ArgumentParser(description="Verifies an evidence file offline.")
    parser.add_argument("file", nargs="?", help="the evidence file")
    parser.add_argument("--trust", help="trust.json: the roots of trust that you know from elsewhere")
    parser.add_argument("--leaves", help="the second file of a list of a tenant's records (default: FILE.leaves)")
    parser.add_argument("--batch", action="store_true", help="answer lines of {file, trust, leaves}")
    options = parser.parse_args()
    if options.batch:
        verify_batch()
        return 0
    if options.file is None or options.trust is None:
        parser.error("FILE and --trust are needed")
    try:
        texts = [open(path, "rb").read(4 * TEXT_MAX).decode("utf-8-sig") for path in (options.file, options.trust)]
        path = pathlib.Path(options.leaves or f"{options.file}.leaves")
        leaves = open(path, "rb") if options.leaves or path.exists() else None
    except (OSError, *WRONG) as error:
        code, proved, sentence = 2, {}, f"can't be checked: {error}"
    else:
        code, proved, sentence = verify(*texts, leaves, pathlib.Path(options.trust).parent)
    for question in QUESTIONS if code in (0, 3) else ():
        say(f"{question}: {f'proved{proved[question]}' if question in proved else 'not answered'}")
    say(sentence or "proved", sys.stderr if code == 2 else sys.stdout)
    return code

if __name__ == "__main__":
    sys.exit(main())
