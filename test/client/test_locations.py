"""Locations, which the client supports up to version 0.33."""

import unittest

from archivist.errors import ArchivistDuplicateError, ArchivistNotFoundError

from fixture import HAS_LOCATIONS, connect, unique


@unittest.skipUnless(HAS_LOCATIONS, "this version has no locations")
class Locations(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)

    def properties(self, **further):
        return {"display_name": unique("Depot"), "latitude": 48.8339211, "longitude": 2.371345, **further}

    def test_create(self):
        properties = self.properties(description="North of the river")
        place = self.client.locations.create(properties, attrs={"director": "John Smith"})
        self.assertEqual(place.name, properties["display_name"])
        self.assertEqual([place["latitude"], place["longitude"]], ["48.8339211", "2.371345"])
        self.assertEqual(self.client.locations.read(place["identity"]), place)
        found = self.client.locations.read_by_signature(props={"display_name": properties["display_name"]})
        self.assertEqual(found, place)

    def test_create_from_what_was_read(self):
        place = self.client.locations.create(self.properties())
        copy = self.client.locations.create_from_data(dict(place))
        self.assertNotEqual(copy["identity"], place["identity"])
        with self.assertRaises(ArchivistDuplicateError):
            self.client.locations.read_by_signature(props={"display_name": place.name})

    def test_create_if_not_exists(self):
        data = self.properties(
            selector=["display_name", {"attributes": ["wavestone_ext"]}], attributes={"wavestone_ext": "managed"}
        )
        first, existed = self.client.locations.create_if_not_exists(data)
        self.assertFalse(existed)
        second, existed = self.client.locations.create_if_not_exists(data)
        self.assertTrue(existed)
        self.assertEqual(second, first)

    def test_attachments_are_accepted(self):
        place = self.client.locations.create_from_data(self.properties(attachments=[]))
        self.assertEqual(self.client.locations.read(place["identity"]), place)

    def test_list_and_count(self):
        attributes = {"region": unique("West")}
        for _ in range(3):
            self.client.locations.create(self.properties(), attrs=attributes)
        self.assertEqual(self.client.locations.count(attrs=attributes), 3)
        for page_size in (None, 1, 2):
            with self.subTest(page_size):
                self.assertEqual(len(list(self.client.locations.list(attrs=attributes, page_size=page_size))), 3)
        self.assertEqual(self.client.locations.count(props={"display_name": unique("nowhere")}), 0)
        with self.assertRaises(ArchivistNotFoundError):
            self.client.locations.read_by_signature(props={"display_name": unique("nowhere")})

    def test_change_and_delete_by_address(self):
        place = self.client.locations.create(self.properties(description="North"), attrs={"director": "John Smith"})
        url = f"{self.client.root}/v2/{place['identity']}"
        changed = self.client.patch(f"{url}?mask=description", {"display_name": "ignored"})
        self.assertEqual(changed, {**place, "description": ""})
        self.assertEqual(self.client.delete(url), changed)
        with self.assertRaises(ArchivistNotFoundError):
            self.client.locations.read(place["identity"])
        self.assertEqual(self.client.locations.count(props={"display_name": place.name}), 0)

    def test_fixtures(self):
        with connect(fixtures={"locations": {"attributes": {"namespace": unique("ns")}}}) as client:
            client.locations.create(self.properties())
            self.assertEqual(client.locations.count(), 1)
