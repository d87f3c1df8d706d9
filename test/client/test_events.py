"""Events that a writer records, finds and waits for."""

import unittest

from archivist.errors import ArchivistDuplicateError, ArchivistNotFoundError

from fixture import HAS_LOCATIONS, connect, record, seconds_ago, unique, write_file

BOM = b"""<?xml version="1.0"?>
<bom serialNumber="urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79" xmlns="http://cyclonedx.org/schema/bom/1.3">
  <metadata><component type="application">
    <author>Author</author><supplier><name>Supplier</name></supplier><name>Component</name><version>1.2.3</version>
    <hashes><hash alg="SHA-256">9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08</hash></hashes>
  </component></metadata>
</bom>
"""


class Recording(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)
        attributes = {"arc_display_name": unique("machine")}
        properties = {"behaviours": ["RecordEvidence", "Attachments", "Firmware", "Maintenance", "LocationUpdate"]}
        self.asset = self.client.assets.create(props=properties, attrs=attributes)["identity"]

    def test_create(self):
        attributes = {"arc_display_type": "Inspection", "arc_description": "Hinges greased"}
        event = self.client.events.create(self.asset, record(), attributes, confirm=True)
        self.assertEqual(event["event_attributes"], attributes)
        self.assertEqual(event["asset_identity"], self.asset)
        self.assertEqual(event["confirmation_status"], "CONFIRMED")
        self.assertEqual(event.when, event["timestamp_accepted"])
        self.assertEqual(event.who, event["principal_accepted"]["display_name"])
        self.assertEqual(self.client.events.read(event["identity"]), event)

    def test_create_with_declarations(self):
        principal = {"issuer": "idp.example", "subject": "17", "display_name": "Ida Holm", "email": "ida@example"}
        when = seconds_ago(3600)
        properties = record(timestamp_declared=when, principal_declared=principal)
        event = self.client.events.create(self.asset, properties, {"arc_display_type": "Visit"})
        self.assertEqual(event.who, "Ida Holm")
        self.assertEqual(event.when[:19], when[:19])
        self.assertEqual(event["principal_declared"], principal)

    def test_asset_attributes(self):
        changes = {"state": "greased", "arc_display_name": unique("renamed")}
        event = self.client.events.create(self.asset, record(), {"arc_display_type": "Visit"}, asset_attrs=changes)
        self.assertEqual(event["asset_attributes"], changes)
        self.assertEqual(self.client.assets.read(self.asset)["attributes"]["state"], "greased")

    def test_operations(self):
        described = {"arc_description": "as planned"}
        for behaviour, operation, attributes, changes in (
            ("Builtin", "StopTracking", described, None),
            ("Builtin", "StartTracking", described, None),
            ("Builtin", "Add", {"arc_behaviour_name": "Builtin"}, None),
            ("Builtin", "Remove", {"arc_behaviour_name": "Firmware"}, None),
            ("Builtin", "Add", {"arc_behaviour_name": "Firmware"}, None),
            ("Firmware", "Update", described, {"arc_firmware_version": "2.0"}),
            ("Maintenance", "Maintenance", described, None),
        ):
            with self.subTest(operation):
                properties = {"behaviour": behaviour, "operation": operation}
                event = self.client.events.create(self.asset, properties, attributes, asset_attrs=changes)
                self.assertEqual(event["operation"], operation)

    def test_create_from_data_with_attachments(self):
        path = write_file("report.txt", b"No defects.")
        attachments = [
            {"filename": path, "content_type": "text/plain", "attachment": "report", "display_name": "Report"},
            {"filename": path, "content_type": "text/plain"},
        ]
        data = record(event_attributes={"arc_display_type": "Report"}, attachments=attachments)
        event = self.client.events.create_from_data(self.asset, data, confirm=True)
        self.assertEqual(event["event_attributes"]["report"]["arc_display_name"], "Report")
        self.assertIn(self.client.attachments.get_default_key(attachments[1]), event["event_attributes"])

    def test_create_from_data_with_bill_of_materials(self):
        path = write_file("bom.xml", BOM)
        attachment = {"filename": path, "content_type": "text/xml", "type": "Software Package Release"}
        data = record(event_attributes={"arc_display_type": "Release"}, attachments=[attachment])
        attributes = self.client.events.create_from_data(self.asset, data)["event_attributes"]
        self.assertEqual(attributes["sbom_component"], "Component")
        self.assertTrue(attributes["sbom_identity"].startswith("blobs/"))

    def test_create_from_what_was_read(self):
        first = self.client.events.create(self.asset, record(), {"arc_display_type": "Visit"})
        data = dict(self.client.events.read(first["identity"]))
        second = self.client.events.create_from_data(self.asset, data)
        self.assertNotEqual(second["identity"], first["identity"])
        self.assertEqual(second["event_attributes"], first["event_attributes"])

    @unittest.skipUnless(HAS_LOCATIONS, "this version has no locations")
    def test_create_from_data_with_location(self):
        place = {
            "selector": ["display_name"],
            "display_name": unique("Yard"),
            "latitude": 51.5,
            "longitude": -0.12,
            "description": "Behind the house",
        }
        data = record(event_attributes={"arc_display_type": "Visit"}, location=place)
        first = self.client.events.create_from_data(self.asset, data)["event_attributes"]["arc_location_identity"]
        data = record(event_attributes={"arc_display_type": "Visit"}, location={"identity": first})
        second = self.client.events.create_from_data(self.asset, data)["event_attributes"]["arc_location_identity"]
        self.assertEqual([self.client.locations.read(first).name, second], [place["display_name"], first])


class Finding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = connect()
        cls.type = unique("type")
        cls.asset = cls.client.assets.create(attrs={"arc_display_name": unique("crane"), "kind": cls.type})["identity"]
        cls.events = [cls.record_load(number) for number in range(7)]

    @classmethod
    def record_load(cls, number):
        attributes = {"arc_display_type": cls.type, "load": f"{number} t"}
        return cls.client.events.create(cls.asset, record(), attributes, asset_attrs={"load": f"{number} t"})

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def identities(self, **query):
        return [event["identity"] for event in self.client.events.list(**query)]

    def test_list(self):
        expected = [event["identity"] for event in reversed(self.events)]
        self.assertEqual(self.identities(asset_id=self.asset, attrs={"arc_display_type": self.type}), expected)
        self.assertEqual(self.identities(attrs={"arc_display_type": self.type}), expected)
        self.assertEqual(self.identities(asset_id="assets/-", attrs={"arc_display_type": self.type}), expected)

    def test_pages(self):
        expected = [event["identity"] for event in reversed(self.events)]
        for page_size in (1, 3, 7, 8):
            with self.subTest(page_size):
                found = self.identities(page_size=page_size, attrs={"arc_display_type": self.type})
                self.assertEqual(found, expected)

    def test_attributes(self):
        third = [self.events[3]["identity"]]
        self.assertEqual(self.identities(asset_id=self.asset, attrs={"load": "3 t"}), third)
        self.assertEqual(self.identities(asset_id=self.asset, asset_attrs={"load": "3 t"}), third)
        self.assertEqual(len(self.identities(asset_id=self.asset, asset_attrs={"load": "*"})), 7)

    def test_properties(self):
        accepted = self.events[0]["principal_accepted"]
        for properties in (
            {"confirmation_status": "CONFIRMED"},
            {"operation": "Record", "behaviour": "RecordEvidence"},
            {"timestamp_accepted_since": seconds_ago(3600)},
            {"timestamp_declared_since": seconds_ago(3600), "timestamp_committed_since": seconds_ago(3600)},
            {"principal_accepted": {"issuer": accepted["issuer"], "subject": accepted["subject"]}},
            {"order_by": "SIMPLEHASHV1"},
            {"from": self.events[0]["from"]},
        ):
            with self.subTest(properties):
                found = self.identities(props=properties, attrs={"arc_display_type": self.type})
                self.assertEqual(len(found), 7)
        before = {"timestamp_accepted_before": seconds_ago(3600)}
        self.assertEqual(self.identities(asset_id=self.asset, props=before), [])

    def test_count(self):
        self.assertEqual(self.client.events.count(asset_id=self.asset), 8)
        self.assertEqual(self.client.events.count(attrs={"arc_display_type": self.type}), 7)
        self.assertEqual(self.client.events.count(asset_id=self.asset, props={"operation": "NewAsset"}), 1)
        self.assertEqual(self.client.events.count(asset_id=self.asset, asset_attrs={"load": "1 t"}), 1)

    def test_read_by_signature(self):
        event = self.client.events.read_by_signature(attrs={"arc_display_type": self.type, "load": "2 t"})
        self.assertEqual(event, self.events[2])
        with self.assertRaises(ArchivistDuplicateError):
            self.client.events.read_by_signature(asset_id=self.asset)
        with self.assertRaises(ArchivistNotFoundError):
            self.client.events.read_by_signature(asset_id=self.asset, attrs={"load": "9 t"})

    def test_waiting(self):
        event = self.client.events.wait_for_confirmation(self.events[0]["identity"])
        self.assertEqual(event, self.events[0])
        self.assertTrue(self.client.events.wait_for_confirmed(asset_id=self.asset))
        self.assertTrue(self.client.events.wait_for_confirmed(attrs={"arc_display_type": self.type}))
        with self.assertRaises(ArchivistNotFoundError):
            self.client.events.wait_for_confirmed(attrs={"arc_display_type": unique("nothing")})
