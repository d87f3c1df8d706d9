"""The connection: TLS, generic methods, limits, and an exception for each refusal."""

import os
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from io import BytesIO
from unittest.mock import patch

import requests
from archivist.archivist import Archivist
from archivist.errors import (
    ArchivistBadRequestError,
    ArchivistError,
    ArchivistNotFoundError,
    ArchivistPaymentRequiredError,
    ArchivistTooManyRequestsError,
    ArchivistUnauthenticatedError,
)

from fixture import NARROW, connect, connect_administrator, connect_root, unique


class Generic(unittest.TestCase):
    def setUp(self):
        self.client = connect(partner_id="acme/1")
        self.addCleanup(self.client.close)

    def test_methods(self):
        assets = f"{self.client.root}/v2/assets"
        name = unique("generic")
        asset = self.client.post(assets, {"attributes": {"arc_display_name": name}})
        query = {"attributes": {"arc_display_name": name}}
        self.assertEqual(self.client.get(f"{assets}", params=query)["assets"][0]["identity"], asset["identity"])
        self.assertEqual(self.client.count(assets, params=query), 1)
        self.assertEqual(len(list(self.client.list(assets, "assets", params=query))), 1)
        self.assertEqual(self.client.get_by_signature(assets, "assets", query)["identity"], asset["identity"])

    def test_files(self):
        blobs = f"{self.client.root}/v1/blobs"
        blob = self.client.post_file(blobs, BytesIO(b"bytes"), "application/octet-stream")
        sink = BytesIO()
        self.client.get_file(f"{self.client.root}/v1/{blob['identity']}", sink)
        self.assertEqual(sink.getvalue(), b"bytes")
        if hasattr(self.client, "get_binary"):
            self.assertEqual(self.client.get_binary(f"{self.client.root}/v1/{blob['identity']}"), b"bytes")

    def test_changes(self):
        with connect_administrator() as client:
            application = client.post(f"{client.root}/iam/v1/applications", {"display_name": unique("generic")})
            url = f"{client.root}/iam/v1/{application['identity']}"
            renamed = unique("changed")
            self.assertEqual(client.patch(url, {"display_name": renamed})["display_name"], renamed)
            self.assertEqual(client.delete(url), {})

    def test_capacity(self):
        for service, kind in (("assets", "Assets"), ("locations", "Locations"), ("applications", "Applications")):
            (cap,) = self.client.get(f"{self.client.root}/v1/caps", params={"service": service})["caps"]
            self.assertEqual(cap["resource_type"], kind)
            self.assertGreater(int(cap["resource_remaining"]), 0)

    def test_last_response(self):
        self.client.assets.count()
        (response,) = self.client.last_response()
        self.assertEqual(response.status_code, 200)
        self.assertIn("x-total-count", response.headers)

    def test_copy(self):
        self.client.user_agent = "tests"
        with copy(self.client) as other:
            self.assertEqual(other.user_agent, self.client.user_agent)
            self.assertGreaterEqual(other.assets.count(), 0)


class Refusals(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)

    def test_bad_request(self):
        for query in ({"page_size": 0}, {"props": {"order_by": "BACKWARDS"}}, {"props": {"misspelt": "1"}}):
            with self.subTest(query), self.assertRaises(ArchivistBadRequestError):
                list(self.client.assets.list(**query))

    def test_number_as_attribute(self):
        """Values are strings, maps of strings, or lists of such maps."""
        with self.assertRaises(ArchivistBadRequestError):
            self.client.assets.create(attrs={"arc_display_name": unique("number"), "weight": 8})

    def test_not_found(self):
        with self.assertRaises(ArchivistNotFoundError):
            self.client.assets.read("assets/00000000-0000-4000-8000-000000000000")

    def test_wrong_token(self):
        with connect("no token") as client, self.assertRaises(ArchivistUnauthenticatedError):
            client.events.count()


class Tls(unittest.TestCase):
    def test_trusted_certificate(self):
        with connect(server=NARROW) as client:
            attributes = {"arc_display_name": unique("safe")}
            asset = client.assets.create(props={"public": True}, attrs=attributes, confirm=True)
            url = client.assets.publicurl(asset["identity"])
            self.assertTrue(url.startswith("https://"))
            with client.Public as public:
                self.assertEqual(public.assets.read(url)["identity"].split("/")[1], asset["identity"].split("/")[1])

    def test_unknown_certificate(self):
        with patch.dict(os.environ):
            del os.environ["REQUESTS_CA_BUNDLE"]
            with connect_root(NARROW) as client, self.assertRaises(requests.exceptions.SSLError):
                client.assets.count()

    def test_unverified_certificate(self):
        with patch.dict(os.environ), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            del os.environ["REQUESTS_CA_BUNDLE"]
            with Archivist(NARROW["url"], NARROW["root_token"], verify=False) as client:
                self.assertGreaterEqual(client.assets.count(), 0)


class Limits(unittest.TestCase):
    """The limited server accepts five requests per second and one policy."""

    def test_repeats_what_was_refused(self):
        with connect(server=NARROW) as client:
            for _ in range(12):
                self.assertGreaterEqual(client.assets.count(), 0)

    def count_alone(self, _):
        try:
            with connect_root(NARROW) as client:
                return client.assets.count()
        except ArchivistError as error:
            return error

    def test_gives_up(self):
        """The client repeats a refused request three times. Here it fails at once, because a slow machine would not
        refuse four requests."""
        with patch("archivist.retry429.NO_OF_RETRIES", 0), ThreadPoolExecutor(40) as pool:
            outcomes = list(pool.map(self.count_alone, range(40)))
        refused = [outcome for outcome in outcomes if isinstance(outcome, ArchivistTooManyRequestsError)]
        self.assertTrue(refused)
        self.assertTrue(all(0 < error.retry <= 60 for error in refused))
        self.assertTrue(any(isinstance(outcome, int) for outcome in outcomes))

    def test_quota(self):
        with connect(server=NARROW) as client:
            url = f"{client.root}/v1/compliance_policies"
            policy = {
                "compliance_type": "COMPLIANCE_RICHNESS",
                "display_name": unique("one"),
                "richness_assertions": [{"or": ["weight<=10"]}],
            }
            created = client.post(url, policy)
            self.addCleanup(connect_root(NARROW).delete, f"{client.root}/v1/{created['identity']}")
            with self.assertRaises(ArchivistPaymentRequiredError):
                client.post(url, policy)
