"""Assets that a writer creates, finds and waits for."""

import threading
import unittest
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID

from archivist.errors import ArchivistDuplicateError, ArchivistNotFoundError
from archivist.proof_mechanism import ProofMechanism

from fixture import DIRECTORY, HAS_LOCATIONS, PLAIN, connect, lasting, unique, write_file


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *args):
        pass


class Creation(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)

    def test_create(self):
        attributes = {"arc_display_name": unique("door"), "arc_display_type": "Door"}
        asset = self.client.assets.create(attrs=attributes, confirm=True)
        self.assertEqual(asset.name, attributes["arc_display_name"])
        self.assertIsNone(asset.primary_image)
        self.assertEqual(asset["attributes"], attributes)
        self.assertEqual(asset["confirmation_status"], "CONFIRMED")
        self.assertEqual(asset["tracked"], "TRACKED")
        self.assertEqual(asset["tenant_identity"], PLAIN["tenant"])
        self.assertIn("RecordEvidence", asset["behaviours"])
        UUID(asset["identity"].split("/")[1])

    def test_create_with_properties(self):
        properties = {"behaviours": ["RecordEvidence", "Firmware"], "public": True}
        asset = self.client.assets.create(props=properties, attrs={"arc_display_name": unique("pump")})
        self.assertIn("Firmware", asset["behaviours"])
        self.assertTrue(asset["public"])

    def test_create_from_data(self):
        data = {"behaviours": ["RecordEvidence"], "attributes": {"arc_display_name": unique("valve")}}
        asset = self.client.assets.create_from_data(data, confirm=True)
        self.assertEqual(lasting(self.client.assets.read(asset["identity"])), lasting(asset))

    def test_create_from_what_was_read(self):
        first = self.client.assets.create(attrs={"arc_display_name": unique("copied")})
        second = self.client.assets.create_from_data(dict(self.client.assets.read(first["identity"])))
        self.assertNotEqual(second["identity"], first["identity"])
        self.assertEqual(second["attributes"], first["attributes"])

    def test_proof_mechanisms(self):
        for mechanism in (ProofMechanism.SIMPLE_HASH, ProofMechanism.MERKLE_LOG):
            with self.subTest(mechanism.name):
                properties = {"proof_mechanism": mechanism.name}
                name = {"arc_display_name": unique("proof")}
                asset = self.client.assets.create(props=properties, attrs=name, confirm=True)
                self.assertEqual(asset["proof_mechanism"], mechanism.name)
                self.assertEqual(self.client.assets.count(props=properties, attrs=name), 1)
                self.assertEqual(self.client.assets.count(props={"proof_mechanism": "KHIPU"}, attrs=name), 0)
                counted = self.client.events.count(asset_id=asset["identity"], props=properties)
                self.assertEqual(counted, 1)

    def test_fixtures(self):
        name = {"arc_display_name": unique("in a namespace")}
        with connect(fixtures={"assets": {"attributes": {"arc_namespace": unique("ns")}}}) as client:
            asset = client.assets.create(attrs=name)
            self.assertEqual(client.assets.count(), 1)
            self.assertEqual([found["identity"] for found in client.assets.list()], [asset["identity"]])


class CreationOnce(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)

    def data(self, **further):
        return {
            "selector": [{"attributes": ["arc_display_name", "arc_display_type"]}],
            "behaviours": ["RecordEvidence"],
            "attributes": {"arc_display_name": unique("once"), "arc_display_type": "Door, 2 m"},
            **further,
        }

    def create_twice(self, data):
        first, existed = self.client.assets.create_if_not_exists(data, confirm=True)
        self.assertFalse(existed)
        second, existed = self.client.assets.create_if_not_exists(data, confirm=True)
        self.assertTrue(existed)
        self.assertEqual(lasting(first), lasting(second))
        return first

    def test_once(self):
        self.create_twice(self.data())

    def test_with_selected_property(self):
        self.create_twice(self.data(selector=["public", {"attributes": ["arc_display_name"]}], public=True))

    def test_with_file(self):
        path = write_file("terminal.jpg", b"\xff\xd8\xff\xe0 no real image")
        attachments = [
            {"filename": path, "content_type": "image/jpg", "attachment": "terminal entry", "display_name": "Terminal"},
            {"filename": path, "content_type": "image/jpg"},
        ]
        asset = self.create_twice(self.data(attachments=attachments))
        attachment = asset["attributes"]["terminal entry"]
        self.assertEqual(attachment["arc_attribute_type"], "arc_attachment")
        self.assertEqual(attachment["arc_file_name"], "terminal.jpg")
        self.assertEqual(attachment["arc_display_name"], "Terminal")
        key = self.client.attachments.get_default_key(attachments[1])
        self.assertIn("arc_blob_identity", asset["attributes"][key])

    def test_with_primary_image(self):
        path = write_file("front.png", b"\x89PNG\r\n\x1a\n no real image")
        attachment = {"filename": path, "content_type": "image/png", "attachment": "arc_primary_image"}
        asset = self.create_twice(self.data(attachments=[attachment]))
        self.assertEqual(asset.primary_image["arc_file_name"], "front.png")

    def test_with_url(self):
        write_file("manual.txt", b"Push to open.")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(DIRECTORY)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}/manual.txt"
        attachments = [{"url": url, "content_type": "text/plain"}]
        asset = self.create_twice(self.data(attachments=attachments))
        self.assertIn("arc_blob_identity", asset["attributes"][url.replace(".", "_")])

    @unittest.skipUnless(HAS_LOCATIONS, "this version has no locations")
    def test_with_location(self):
        place = {
            "selector": ["display_name"],
            "display_name": unique("Paris"),
            "latitude": 48.8339211,
            "longitude": 2.371345,
            "attributes": {"address": "5 Parvis Alan Turing"},
        }
        asset = self.create_twice(self.data(location=place))
        home = asset["attributes"]["arc_home_location_identity"]
        self.assertEqual(self.client.locations.read(home).name, place["display_name"])
        other = self.create_twice(self.data(location={"identity": home}))
        self.assertEqual(other["attributes"]["arc_home_location_identity"], home)


class Finding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = connect()
        cls.type = unique("type")
        cls.assets = [
            cls.client.assets.create(attrs={"arc_display_name": f"lamp {number}", "arc_display_type": cls.type})
            for number in range(7)
        ]

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def identities(self, **query):
        return [asset["identity"] for asset in self.client.assets.list(attrs={"arc_display_type": self.type}, **query)]

    def test_list(self):
        expected = [asset["identity"] for asset in reversed(self.assets)]
        self.assertEqual(self.identities(), expected)

    def test_pages(self):
        for page_size in (1, 3, 7, 8):
            with self.subTest(page_size):
                self.assertEqual(self.identities(page_size=page_size), self.identities())

    def test_count(self):
        self.assertEqual(self.client.assets.count(attrs={"arc_display_type": self.type}), 7)
        self.assertEqual(self.client.assets.count(attrs={"arc_display_type": unique("nothing")}), 0)

    def test_properties(self):
        for properties in (
            {"tracked": "TRACKED"},
            {"confirmation_status": "CONFIRMED", "tracked": "TRACKED"},
            {"public": False},
            {"behaviours": "RecordEvidence"},
            {"tenant_identity": PLAIN["tenant"]},
            {"order_by": "DEFAULT"},
            {"order_by": "SIMPLEHASHV2"},
        ):
            with self.subTest(properties):
                self.assertEqual(len(self.identities(props=properties)), 7)
        self.assertEqual(self.identities(props={"tracked": "NOT_TRACKED"}), [])
        for status in ("PENDING", "STORED", "COMMITTED", "UNEQUIVOCAL", "FAILED"):
            with self.subTest(status):
                self.assertEqual(self.identities(props={"confirmation_status": status}), [])

    def test_read_by_signature(self):
        attributes = {"arc_display_name": "lamp 3", "arc_display_type": self.type}
        asset = self.client.assets.read_by_signature(attrs=attributes)
        self.assertEqual(lasting(asset), lasting(self.assets[3]))
        with self.assertRaises(ArchivistDuplicateError):
            self.client.assets.read_by_signature(attrs={"arc_display_type": self.type})
        with self.assertRaises(ArchivistNotFoundError):
            self.client.assets.read_by_signature(attrs={"arc_display_type": unique("nothing")})

    def test_waiting(self):
        asset = self.client.assets.wait_for_confirmation(self.assets[0]["identity"])
        self.assertEqual(asset["confirmation_status"], "CONFIRMED")
        self.assertTrue(self.client.assets.wait_for_confirmed(attrs={"arc_display_type": self.type}))
        with self.assertRaises(ArchivistNotFoundError):
            self.client.assets.wait_for_confirmed(attrs={"arc_display_type": unique("nothing")})

    def test_estate(self):
        with self.assertLogs("archivist.composite", "INFO") as logs:
            self.client.composite.estate_info()
        self.assertRegex(logs.output[0], r"There are \d+ events registered against \d+ assets")
