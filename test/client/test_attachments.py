"""Files that are uploaded, attached to assets and events, and downloaded."""

import hashlib
import unittest
from io import BytesIO

from archivist.errors import ArchivistBadRequestError, ArchivistNotFoundError

from fixture import connect, record, unique, write_file

CONTENT = b"Closer adjusted.\n" * 10_000


class Blobs(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)

    def upload(self, content=CONTENT, mtype="text/plain"):
        return self.client.attachments.upload(BytesIO(content), mtype=mtype)

    def test_upload(self):
        blob = self.upload()
        self.assertEqual(blob["hash"], {"alg": "SHA256", "value": hashlib.sha256(CONTENT).hexdigest()})
        self.assertEqual([blob["mime_type"], blob["size"]], ["text/plain", len(CONTENT)])

    def test_upload_without_type(self):
        for content, mime_type in ((b"%PDF-1.7\n%%EOF\n", "application/pdf"), (b"Closer adjusted.\n", "text/plain")):
            with self.subTest(mime_type):
                self.assertEqual(self.upload(content, None)["mime_type"], mime_type)

    def test_upload_of_a_file(self):
        with open(write_file("manual.bin", CONTENT), "rb") as file:
            blob = self.client.attachments.upload(file, mtype="application/octet-stream")
        self.assertEqual(blob["size"], len(CONTENT))

    def test_empty_file(self):
        """The upload is refused, because the client sends an empty file when it repeats an upload."""
        with self.assertRaises(ArchivistBadRequestError):
            self.upload(b"")

    def test_info(self):
        blob = self.upload()
        self.assertEqual(self.client.attachments.info(blob["identity"]), blob)
        self.assertEqual(blob["scanned_status"], "NOT_SCANNED")

    def test_download(self):
        blob = self.upload()
        for params in (None, {"allow_insecure": "true"}, {"allow_insecure": True}):
            with self.subTest(params):
                sink = BytesIO()
                response = self.client.attachments.download(blob["identity"], sink, params=params)
                self.assertEqual([response.status_code, sink.getvalue()], [200, CONTENT])

    def test_strict_download(self):
        blob = self.upload()
        with self.assertRaises(ArchivistBadRequestError):
            self.client.attachments.download(blob["identity"], BytesIO(), params={"strict": "true"})

    def test_fixtures(self):
        blob = self.upload()
        with connect(fixtures={"blobs": {"strict": "true"}}) as client:
            with self.assertRaises(ArchivistBadRequestError):
                client.attachments.download(blob["identity"], BytesIO())


class Attachments(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)
        self.attachment = self.client.attachments.create(
            {"filename": write_file("plan.txt", CONTENT), "content_type": "text/plain", "display_name": "Plan"}
        )
        self.blob = self.attachment["arc_blob_identity"]

    def create_asset(self, attributes):
        data = {"behaviours": ["RecordEvidence", "Attachments"], "attributes": attributes}
        return self.client.assets.create_from_data(data)["identity"]

    def expect_content(self, holder):
        sink = BytesIO()
        self.client.assetattachments.download(holder, self.blob, sink)
        self.assertEqual(sink.getvalue(), CONTENT)
        info = self.client.assetattachments.info(holder, self.blob)
        self.assertEqual(info["hash"]["value"], self.attachment["arc_blob_hash_value"])

    def test_of_an_asset(self):
        self.expect_content(self.create_asset({"arc_display_name": unique("house"), "plan": self.attachment}))

    def test_of_an_event(self):
        asset = self.create_asset({"arc_display_name": unique("house")})
        event = self.client.events.create(asset, record(), {"arc_display_type": "Plan", "plan": self.attachment})
        self.expect_content(event["identity"])
        with self.assertRaises(ArchivistNotFoundError):
            self.client.assetattachments.info(asset, self.blob)

    def test_in_a_list(self):
        self.expect_content(self.create_asset({"arc_display_name": unique("house"), "plans": [self.attachment]}))

    def test_of_the_attach_operation(self):
        asset = self.create_asset({"arc_display_name": unique("house")})
        item = {
            "arc_attachment_identity": self.blob,
            "arc_display_name": "arc_primary_image",
            "arc_hash_value": self.attachment["arc_blob_hash_value"],
            "arc_hash_alg": self.attachment["arc_blob_hash_alg"],
        }
        properties = {"behaviour": "Attachments", "operation": "Attach"}
        event = self.client.events.create(asset, properties, {"arc_append_attachments": [item]})
        self.assertEqual(event["asset_attributes"]["arc_attachments"], [item])
        self.assertEqual(self.client.assets.read(asset).primary_image, item)
        self.expect_content(asset)
        self.expect_content(event["identity"])

    def test_with_parameters(self):
        asset = self.create_asset({"arc_display_name": unique("house"), "plan": self.attachment})
        sink = BytesIO()
        self.client.assetattachments.download(asset, self.blob, sink, params={"allow_insecure": "true"})
        self.assertEqual(sink.getvalue(), CONTENT)
        with self.assertRaises(ArchivistBadRequestError):
            self.client.assetattachments.download(asset, self.blob, sink, params={"strict": "true"})
