"""Subjects: other organisations, by the public keys of their wallets."""

import json
import unittest
from base64 import b64encode

from archivist.constants import SUBJECTS_SELF_ID
from archivist.errors import (
    ArchivistBadRequestError,
    ArchivistForbiddenError,
    ArchivistNotFoundError,
)

from fixture import PARTNER, PLAIN, connect_administrator, connect_with_roles, unique

WALLET_KEY = (
    "04c1173bf7844bf1c607b79c18db091b9558ffe581bf132b8cf3b37657230fa321"
    "a0880b54a79a88b28bc710ede6dcf3d8272c5210bfd41ea83188e385d12c189c"
)
WALLET_ADDRESS = "0x99Fa4AAB0AF2B53f158083D8f244bb4523388197"
TESSERA_KEY = "efdg9J0QhSB2g4IxKcaXgJmNKbzpxs03FFYIiYYuekk="


class Subjects(unittest.TestCase):
    def setUp(self):
        self.client = connect_administrator()
        self.addCleanup(self.client.close)

    def create(self, name=None):
        subject = self.client.subjects.create(name or unique("harbour"), [WALLET_KEY], [TESSERA_KEY])
        self.addCleanup(self.delete, subject["identity"])
        return subject

    def delete(self, identity):
        try:
            self.client.subjects.delete(identity)
        except ArchivistNotFoundError:
            pass

    def test_create(self):
        name = unique("harbour")
        subject = self.create(name)
        self.assertEqual(
            [subject[key] for key in ("display_name", "wallet_pub_key", "wallet_address", "tessera_pub_key")],
            [name, [WALLET_KEY], [WALLET_ADDRESS], [TESSERA_KEY]],
        )
        self.assertEqual(subject["tenant"], PLAIN["tenant"])
        self.assertEqual(self.client.subjects.wait_for_confirmation(subject["identity"]), subject)

    def test_create_from_text(self):
        text = b64encode(json.dumps(self.client.subjects.read(SUBJECTS_SELF_ID)).encode())
        subject = self.client.subjects.create_from_b64({"display_name": unique("text"), "subject_string": text})
        self.addCleanup(self.delete, subject["identity"])
        self.assertEqual(subject["wallet_pub_key"], self.client.subjects.read(SUBJECTS_SELF_ID)["wallet_pub_key"])

    def test_create_from_what_was_read(self):
        first = self.create()
        second = self.client.subjects.create_from_data(dict(first))
        self.addCleanup(self.delete, second["identity"])
        self.assertNotEqual(second["identity"], first["identity"])
        self.assertEqual({**second, "identity": first["identity"]}, first)

    def test_update(self):
        subject = self.create()
        name = unique("renamed")
        updated = self.client.subjects.update(subject["identity"], display_name=name)
        self.assertEqual(updated, {**subject, "display_name": name})
        again = self.client.subjects.update(
            subject["identity"], display_name=name, wallet_pub_key=[WALLET_KEY], tessera_pub_key=[]
        )
        self.assertEqual(again, {**updated, "tessera_pub_key": []})
        self.assertEqual(self.client.subjects.read(subject["identity"]), again)

    def test_delete(self):
        subject = self.create()
        self.assertEqual(self.client.subjects.delete(subject["identity"]), {})
        with self.assertRaises(ArchivistNotFoundError):
            self.client.subjects.read(subject["identity"])

    def test_list_and_count(self):
        name = unique("several")
        subjects = [self.create(name) for _ in range(3)]
        self.assertEqual(self.client.subjects.count(display_name=name), 3)
        for page_size in (None, 1, 2):
            with self.subTest(page_size):
                found = list(self.client.subjects.list(display_name=name, page_size=page_size))
                self.assertEqual(found, subjects[::-1])
        everything = {subject["identity"] for subject in self.client.subjects.list()}
        self.assertNotIn(SUBJECTS_SELF_ID, everything)
        self.assertLessEqual({subject["identity"] for subject in subjects}, everything)

    def test_share(self):
        with connect_administrator(server=PARTNER) as other:
            mine, theirs = self.client.subjects.share(unique("partner"), unique("first"), other)
            self.addCleanup(self.delete, mine["identity"])
            self.assertEqual([mine["tenant"], theirs["tenant"]], [PLAIN["tenant"], PARTNER["tenant"]])
            for subject, own in ((mine, other), (theirs, self.client)):
                self.assertEqual(subject["wallet_address"], own.subjects.read(SUBJECTS_SELF_ID)["wallet_address"])
            with self.assertRaises(ArchivistNotFoundError):
                other.subjects.read(mine["identity"])

    def test_own_subject_stays(self):
        with self.assertRaises(ArchivistBadRequestError):
            self.client.subjects.update(SUBJECTS_SELF_ID, display_name="other")
        with self.assertRaises(ArchivistBadRequestError):
            self.client.subjects.delete(SUBJECTS_SELF_ID)

    def test_broken_keys(self):
        for key in ("", WALLET_KEY[:-1], WALLET_KEY[:-1] + "d"):
            with self.subTest(key), self.assertRaisesRegex(ArchivistBadRequestError, "WALLET_KEY_INVALID"):
                self.client.subjects.create(unique("broken"), [key], [])

    def test_rights(self):
        subject = self.create()
        for roles in (["writer"], ["auditor"]):
            with self.subTest(roles), connect_with_roles(roles) as client:
                with self.assertRaises(ArchivistForbiddenError):
                    client.subjects.create(unique("refused"), [WALLET_KEY], [])
                if roles == ["auditor"]:
                    self.assertEqual(client.subjects.read(subject["identity"]), subject)
