"""Public records, read without a token by the client's public interface."""

import unittest
from io import BytesIO

from archivist.archivistpublic import ArchivistPublic
from archivist.errors import ArchivistNotFoundError, ArchivistUnauthenticatedError

from fixture import PLAIN, connect, lasting, record, unique, write_file


class Public(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = connect()
        path = write_file("leaflet.txt", b"Read me.")
        cls.attachment = cls.client.attachments.create({"filename": path, "content_type": "text/plain"})
        cls.blob = cls.attachment["arc_blob_identity"]
        attributes = {"arc_display_name": unique("statue"), "leaflet": cls.attachment}
        cls.asset = cls.client.assets.create(props={"public": True}, attrs=attributes, confirm=True)
        attributes = {"arc_display_type": "Cleaning", "leaflet": cls.attachment}
        cls.event = cls.client.events.create(cls.asset["identity"], record(), attributes, confirm=True)
        cls.asset_url = cls.client.assets.publicurl(cls.asset["identity"])
        cls.event_url = cls.client.events.publicurl(cls.event["identity"])
        cls.public = cls.client.Public

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.public.close()

    def test_urls(self):
        uuid = self.asset["identity"].split("/")[1]
        self.assertEqual(self.asset_url, f"{PLAIN['url']}/archivist/v2/publicassets/{uuid}")
        self.assertEqual(self.event_url, f"{self.asset_url}/events/{self.event['identity'].split('/')[3]}")

    def test_asset(self):
        asset = self.public.assets.read(self.asset_url)
        self.assertEqual(asset["attributes"], self.client.assets.read(self.asset["identity"])["attributes"])

    def test_events(self):
        event = self.public.events.read(self.event_url)
        self.assertEqual(event["event_attributes"], self.event["event_attributes"])
        self.assertEqual(event["principal_accepted"]["subject"], "")
        query = {"asset_id": self.asset_url, "attrs": {"arc_display_type": "Cleaning"}}
        self.assertEqual(self.public.events.count(**query), 1)
        self.assertEqual(list(self.public.events.list(**query)), [event])
        self.assertEqual(len(list(self.public.events.list(asset_id=self.asset_url, page_size=1))), 2)
        self.assertEqual(self.public.events.read_by_signature(**query), event)

    def test_attachments(self):
        for url in (self.asset_url, self.event_url):
            with self.subTest(url):
                sink = BytesIO()
                self.public.assetattachments.download(url, self.blob, sink)
                info = self.public.assetattachments.info(url, self.blob)
                self.assertEqual([sink.getvalue(), info["size"]], [b"Read me.", 8])

    def test_without_a_private_client(self):
        with ArchivistPublic() as public:
            asset = public.assets.read(self.asset_url)
        self.assertEqual(lasting(asset), lasting(self.public.assets.read(self.asset_url)))

    def test_generic_methods(self):
        with ArchivistPublic() as public:
            self.assertEqual(public.get(self.event_url)["identity"], self.event["identity"])
            self.assertEqual(public.count(f"{self.asset_url}/events"), 2)
            self.assertEqual(len(list(public.list(f"{self.asset_url}/events", "events"))), 2)
            found = public.get_by_signature(f"{self.asset_url}/events", "events", {"operation": "Record"})
            self.assertEqual(found["identity"], self.event["identity"])
            self.assertEqual(public.last_response()[0].status_code, 200)
            if hasattr(public, "get_binary"):
                self.assertTrue(public.get_binary(self.asset_url).startswith(b"{"))

    def test_private_asset(self):
        private = self.client.assets.create(attrs={"arc_display_name": unique("safe")})["identity"]
        with self.assertRaises(ArchivistNotFoundError):
            self.client.assets.publicurl(private)
        with self.assertRaises(ArchivistNotFoundError):
            self.public.assets.read(self.asset_url.replace(self.asset_url.split("/")[-1], private.split("/")[1]))

    def test_private_interface_without_a_token(self):
        with self.assertRaises(ArchivistUnauthenticatedError):
            self.public.get(f"{PLAIN['url']}/archivist/v2/{self.asset['identity']}")
