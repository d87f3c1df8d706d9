"""Access policies: what other tenants, and applications without a role, may read and record."""

import unittest

from archivist.constants import ASSET_BEHAVIOURS
from archivist.errors import ArchivistBadRequestError, ArchivistForbiddenError, ArchivistNotFoundError

from fixture import PARTNER, connect_administrator, connect_with_roles, unique

LISTS = (
    "subjects",
    "user_attributes",
    "behaviours",
    "include_attributes",
    "asset_attributes_read",
    "asset_attributes_write",
    "event_arc_display_type_read",
    "event_arc_display_type_write",
)


class AccessPolicies(unittest.TestCase):
    def setUp(self):
        self.client = connect_administrator()
        self.addCleanup(self.client.close)
        self.policies = self.client.access_policies
        self.type = unique("type")
        self.filters = [{"or": [f"attributes.arc_display_type={self.type}", "attributes.kind=other"]}]
        self.permissions = [
            {
                "subjects": [],
                "behaviours": ASSET_BEHAVIOURS,
                "include_attributes": ["arc_description", "arc_display_type"],
                "user_attributes": [{"or": ["email=bill@example.com"]}],
            }
        ]

    def create(self, **properties):
        properties = {"display_name": unique("policy"), "description": "for a test", **properties}
        policy = self.policies.create(properties, self.filters, self.permissions)
        self.addCleanup(self.delete, policy["identity"])
        return policy

    def delete(self, identity):
        try:
            self.policies.delete(identity)
        except ArchivistNotFoundError:
            pass

    def test_create(self):
        policy = self.create()
        self.assertEqual(policy.name, policy["display_name"])
        self.assertEqual(policy["filters"], self.filters)
        (permission,) = policy["access_permissions"]
        self.assertEqual(permission, {**dict.fromkeys(LISTS, []), **self.permissions[0]})
        self.assertTrue(policy["identity"].startswith("access_policies/"))
        self.assertTrue(policy["tenant"].startswith("tenant/"))
        self.assertEqual(self.policies.read(policy["identity"]), policy)

    def test_create_from_data(self):
        policy = self.create()
        again = self.policies.create_from_data(policy)
        self.addCleanup(self.delete, again["identity"])
        self.assertEqual({**again, "identity": policy["identity"]}, policy)
        self.assertNotEqual(again["identity"], policy["identity"])

    def test_list_and_count(self):
        name = unique("policy")
        created = [self.create(display_name=name) for _ in range(3)]
        self.assertEqual(self.policies.count(display_name=name), 3)
        listed = list(self.policies.list(display_name=name, page_size=2))
        self.assertEqual(listed, created[::-1])
        self.assertIn(created[0], list(self.policies.list(page_size=2)))

    def test_update(self):
        policy = self.create()
        renamed = self.policies.update(policy["identity"], props={"display_name": unique("renamed")})
        self.assertEqual({**renamed, "display_name": policy["display_name"]}, policy)
        open_to_all = self.policies.update(policy["identity"], filters=[], access_permissions=[{"behaviours": ["*"]}])
        self.assertEqual(open_to_all["filters"], [])
        self.assertEqual(open_to_all["access_permissions"], [{**dict.fromkeys(LISTS, []), "behaviours": ["*"]}])
        self.assertEqual(self.policies.read(policy["identity"]), open_to_all)

    def test_matching(self):
        policy = self.create()
        other = self.create()
        self.policies.update(other["identity"], filters=[{"or": ["attributes.kind=other"]}])
        assets = [
            self.client.assets.create(attrs={"arc_display_type": self.type}, confirm=True)["identity"] for _ in range(3)
        ]
        found = list(self.policies.list_matching_assets(policy["identity"], page_size=2))
        self.assertEqual([asset["identity"] for asset in found], assets[::-1])
        matching = list(self.policies.list_matching_access_policies(assets[0], page_size=1))
        self.assertIn(policy, matching)
        self.assertNotIn(other["identity"], [each["identity"] for each in matching])

    def test_delete(self):
        policy = self.create()
        self.assertEqual(self.policies.delete(policy["identity"]), {})
        with self.assertRaises(ArchivistNotFoundError):
            self.policies.read(policy["identity"])
        with self.assertRaises(ArchivistNotFoundError):
            self.policies.delete(policy["identity"])
        self.assertEqual(self.policies.count(display_name=policy["display_name"]), 0)

    def test_refusals(self):
        named = {"display_name": unique("policy")}
        absent = "subjects/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11"
        for filters, permissions in (
            (self.filters, []),
            ([{"or": ["no condition"]}], self.permissions),
            (self.filters, [{"subjects": [absent]}]),
            (self.filters, [{"behaviours": ["Unknown"]}]),
            (self.filters, [{"asset_attributes_read": [f"name {at}" for at in range(10_000)]}]),
        ):
            with self.assertRaises(ArchivistBadRequestError):
                self.policies.create(named, filters, permissions)
        self.assertEqual(self.policies.count(**named), 0)

    def test_rights(self):
        policy = self.create()
        with connect_with_roles(["auditor"]) as auditor:
            self.assertEqual(auditor.access_policies.read(policy["identity"]), policy)
            with self.assertRaises(ArchivistForbiddenError):
                auditor.access_policies.delete(policy["identity"])
        with connect_with_roles(["writer"]) as writer:
            with self.assertRaises(ArchivistForbiddenError):
                writer.access_policies.read(policy["identity"])


class Sharing(unittest.TestCase):
    """Two tenants share an asset each, and read that of the other."""

    def setUp(self):
        self.one = connect_administrator()
        self.addCleanup(self.one.close)
        self.other = connect_administrator(server=PARTNER)
        self.addCleanup(self.other.close)
        self.type = unique("type")

    def share(self, owner, subject):
        attributes = {"arc_display_name": unique("shared"), "arc_display_type": self.type, "price": "7"}
        asset = owner.assets.create(attrs=attributes, confirm=True)
        policy = owner.access_policies.create(
            {"display_name": unique("policy")},
            [{"or": [f"attributes.arc_display_type={self.type}"]}],
            [{"subjects": [subject["identity"]], "asset_attributes_read": ["arc_display_type"]}],
        )
        return asset["identity"], policy["identity"]

    def test_both_ways(self):
        subjects = self.one.subjects.share(unique("other"), unique("one"), self.other)
        for owner, reader, subject in [(self.one, self.other, subjects[0]), (self.other, self.one, subjects[1])]:
            asset, policy = self.share(owner, subject)
            self.assertEqual(reader.assets.read(asset)["attributes"], {"arc_display_type": self.type})
            listed = [each["identity"] for each in reader.assets.list(attrs={"arc_display_type": self.type})]
            self.assertIn(asset, listed)
            self.assertEqual(reader.assets.count(attrs={"price": "7", "arc_display_type": self.type}), 0)
            matching = [each["identity"] for each in owner.access_policies.list_matching_assets(policy)]
            self.assertEqual(matching, [asset])
            found = [each["identity"] for each in owner.access_policies.list_matching_access_policies(asset)]
            self.assertEqual(found, [policy])
            self.assertEqual(owner.access_policies.delete(policy), {})
            with self.assertRaises(ArchivistNotFoundError):
                reader.assets.read(asset)
            self.type = unique("type")
