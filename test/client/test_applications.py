"""Applications, their tokens, and the rights of their roles."""

import unittest
from unittest.mock import patch

from archivist.archivist import Archivist
from archivist.errors import (
    ArchivistError,
    ArchivistForbiddenError,
    ArchivistNotFoundError,
    ArchivistUnauthenticatedError,
)

from fixture import PLAIN, connect, connect_administrator, connect_root, connect_with_roles, record, unique


class Applications(unittest.TestCase):
    def setUp(self):
        self.client = connect_administrator()
        self.addCleanup(self.client.close)

    def create(self):
        return self.client.applications.create(unique("gate"), {"serial_number": "G-3"})

    def test_create(self):
        application = self.create()
        self.assertEqual(application["custom_claims"], {"serial_number": "G-3"})
        self.assertTrue(application["credentials"][0]["secret"])
        read = self.client.applications.read(application["identity"])
        self.assertEqual(read["credentials"][0]["secret"], "")
        self.assertEqual(read["client_id"], application["client_id"])

    def test_works_as_created(self):
        application = self.create()
        auth = (application["client_id"], application["credentials"][0]["secret"])
        with connect(auth) as client:
            asset = client.assets.create(attrs={"arc_display_name": unique("passage")}, confirm=True)
            event = client.events.create(asset["identity"], record(), {"arc_display_type": "Passage"}, confirm=True)
            self.assertEqual(event.who, application["display_name"])

    def test_update(self):
        application = self.create()
        name = unique("renamed")
        updated = self.client.applications.update(
            application["identity"], display_name=name, custom_claims={"serial_number": "G-4"}
        )
        self.assertEqual([updated["display_name"], updated["custom_claims"]], [name, {"serial_number": "G-4"}])
        renamed = self.client.applications.update(application["identity"], display_name=unique("again"))
        self.assertEqual(renamed["custom_claims"], {"serial_number": "G-4"})

    def test_list(self):
        applications = [self.create() for _ in range(3)]
        found = list(self.client.applications.list(display_name=applications[1]["display_name"]))
        self.assertEqual([application["identity"] for application in found], [applications[1]["identity"]])
        everything = {application["identity"] for application in self.client.applications.list(page_size=2)}
        self.assertLessEqual({application["identity"] for application in applications}, everything)

    def test_delete(self):
        application = self.create()
        self.assertEqual(self.client.applications.delete(application["identity"]), {})
        with self.assertRaises(ArchivistNotFoundError):
            self.client.applications.read(application["identity"])

    def test_regenerate(self):
        application = self.create()
        old = (application["client_id"], application["credentials"][0]["secret"])
        regenerated = self.client.applications.regenerate(application["identity"])
        new = (application["client_id"], regenerated["credentials"][0]["secret"])
        self.assertNotEqual(new, old)
        self.assertEqual(self.client.appidp.token(*new)["token_type"], "Bearer")
        with self.assertRaises(ArchivistUnauthenticatedError):
            self.client.appidp.token(*old)


class Tokens(unittest.TestCase):
    def test_token(self):
        with Archivist(PLAIN["url"], None) as nobody:
            token = nobody.appidp.token(PLAIN["client_id"], PLAIN["client_secret"])
        self.assertEqual([token["token_type"], token["expires_in"]], ["Bearer", 3600])
        with connect(token["access_token"]) as client:
            self.assertGreaterEqual(client.assets.count(), 0)

    def test_refresh(self):
        with connect_administrator() as client:
            client.assets.count()
            first = client.auth
            self.assertEqual(client.auth, first)
            with patch("archivist.archivist.time", return_value=client._expires_at + 1):
                self.assertNotEqual(client.auth, first)
            self.assertGreaterEqual(client.assets.count(), 0)

    def test_wrong_secret(self):
        with connect((PLAIN["client_id"], "wrong")) as client:
            with self.assertRaises(ArchivistError):
                client.assets.count()
        with connect_administrator() as client:
            self.assertGreaterEqual(client.assets.count(), 0)

    def test_token_that_is_none(self):
        with connect("e30.e30.e30") as client:
            with self.assertRaises(ArchivistUnauthenticatedError):
                client.assets.count()


class Roles(unittest.TestCase):
    def test_reader(self):
        with connect_with_roles(["reader"]) as reader:
            self.assertGreaterEqual(reader.assets.count() + reader.events.count(), 0)
            with self.assertRaises(ArchivistForbiddenError):
                reader.assets.create(attrs={"arc_display_name": unique("refused")})

    def test_writer(self):
        with connect_with_roles(["writer"]) as writer:
            writer.assets.create(attrs={"arc_display_name": unique("written")}, confirm=True)
            with self.assertRaises(ArchivistForbiddenError):
                writer.applications.create(unique("refused"), {})

    def test_none(self):
        with connect_with_roles([]) as nobody:
            # It sees what access policies share with it: nothing.
            self.assertEqual(nobody.assets.count(), 0)
            with self.assertRaises(ArchivistForbiddenError):
                nobody.assets.create(attrs={"arc_display_name": unique("refused")})

    def test_root_principal(self):
        """An application in the list of root principals acts as root. The client's generic methods read the list."""
        with connect_root() as root, connect_with_roles(["writer"]) as writer:
            url = f"{root.root}/v1/tenancies/root_principals"
            asset = writer.assets.create(attrs={"arc_display_name": unique("first act")})["identity"]
            (event,) = writer.events.list(asset_id=asset)
            listed = root.get(url)["root_principals"]
            principal = event["principal_accepted"]
            root.patch(url, {"root_principals": [*listed, principal]})
            self.addCleanup(root.patch, url, {"root_principals": listed})
            self.assertEqual(len(writer.get(url)["root_principals"]), len(listed) + 1)
            writer.applications.create(unique("permitted"), {})


class Tenancies(unittest.TestCase):
    def test_own(self):
        with connect_root() as root:
            own = root.get(f"{root.root}/v1/tenancies/self")
        self.assertEqual(own["identity"], PLAIN["tenant"])
        self.assertEqual([own["verified_domain"], own["enterprise_sso_enabled"]], ["", False])

    def test_public_info(self):
        with connect_administrator() as client:
            for identity in (PLAIN["tenant"], PLAIN["tenant"].replace("tenant/", "tenancies/")):
                with self.subTest(identity):
                    self.assertEqual(client.tenancies.publicinfo(identity)["identity"], PLAIN["tenant"])

    def test_public_info_without_a_token(self):
        with Archivist(PLAIN["url"], None) as nobody:
            self.assertEqual(nobody.tenancies.publicinfo(PLAIN["tenant"])["identity"], PLAIN["tenant"])
