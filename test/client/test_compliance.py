"""Compliance policies and checks, which the client supports up to version 0.33."""

import unittest

from archivist.errors import ArchivistBadRequestError, ArchivistNotFoundError
from archivist.timestamp import parse_timestamp

from fixture import HAS_COMPLIANCE, connect, now_not_before, record, unique

if HAS_COMPLIANCE:
    from archivist.compliance_policy_requests import (
        CompliancePolicyCurrentOutstanding,
        CompliancePolicyDynamicTolerance,
        CompliancePolicyPeriodOutstanding,
        CompliancePolicyRichness,
        CompliancePolicySince,
    )


@unittest.skipUnless(HAS_COMPLIANCE, "this version has no compliance")
class Compliance(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)
        self.type = unique("type")
        self.filter = [[f"attributes.arc_display_type={self.type}"]]
        self.names = {"description": "for a test", "display_name": unique("policy"), "asset_filter": self.filter}

    def create(self, policy):
        created = self.client.compliance_policies.create(policy)
        self.addCleanup(self.client.compliance_policies.delete, created["identity"])
        return created

    def create_asset(self, **attributes):
        names = {"arc_display_name": unique("bag"), "arc_display_type": self.type}
        return self.client.assets.create(attrs={**names, **attributes})["identity"]

    def record(self, asset, event_type, correlation=None, **changes):
        attributes = {"arc_display_type": event_type}
        if correlation is not None:
            attributes["arc_correlation_value"] = correlation
        return self.client.events.create(asset, record(), attributes, asset_attrs=changes)

    def expect(self, asset, compliant, reason="", **query):
        check = self.client.compliance.compliant_at(asset, **query)
        self.assertEqual(check["compliant"], compliant)
        (statement,) = check["compliance"]
        self.assertIn(reason, statement["reason"])
        return check

    def test_policies(self):
        policy = self.create(CompliancePolicySince(**self.names, event_display_type="Check", time_period_seconds=60))
        self.assertEqual(policy.name, self.names["display_name"])
        self.assertEqual(policy["asset_filter"], [{"or": self.filter[0]}])
        self.assertEqual(self.client.compliance_policies.read(policy["identity"]), policy)
        named = {"display_name": policy.name}
        self.assertEqual(self.client.compliance_policies.read_by_signature(props=named), policy)
        self.assertEqual(self.client.compliance_policies.count(props=named), 1)
        listed = self.client.compliance_policies.list(props={"compliance_type": "COMPLIANCE_SINCE"}, page_size=1)
        self.assertIn(policy, list(listed))
        self.assertEqual(list(self.client.compliance_policies.list(props=named)), [policy])

    def test_delete(self):
        data = {**self.names, "asset_filter": [], "compliance_type": "COMPLIANCE_SINCE"}
        data.update(event_display_type="Check", time_period_seconds="60")
        policy = self.client.compliance_policies.create_from_data(data)
        self.client.compliance_policies.delete(policy["identity"])
        with self.assertRaises(ArchivistNotFoundError):
            self.client.compliance_policies.read(policy["identity"])

    def test_since(self):
        asset = self.create_asset()
        self.create(CompliancePolicySince(**self.names, event_display_type="Check", time_period_seconds=3600))
        self.expect(asset, False, "No events found")
        self.record(asset, "Check")
        first = parse_timestamp(self.expect(asset, True)["compliant_at"])
        self.assertLessEqual(first, parse_timestamp(self.expect(asset, True)["compliant_at"]))

    def test_current_outstanding(self):
        asset = self.create_asset()
        policy = CompliancePolicyCurrentOutstanding(
            **self.names, event_display_type="Open", closing_event_display_type="Close"
        )
        self.create(policy)
        self.expect(asset, True)
        self.record(asset, "Open", "1")
        self.expect(asset, False, "No closing event for Open")
        self.record(asset, "Close", "1")
        self.expect(asset, True)

    def test_period_outstanding(self):
        asset = self.create_asset()
        policy = CompliancePolicyPeriodOutstanding(
            **self.names, event_display_type="Open", closing_event_display_type="Close", time_period_seconds=3600
        )
        self.create(policy)
        self.record(asset, "Open", "1")
        self.expect(asset, True)
        self.record(asset, "Close", "1")
        self.expect(asset, True)

    def test_dynamic_tolerance(self):
        asset = self.create_asset()
        policy = CompliancePolicyDynamicTolerance(
            **self.names,
            event_display_type="Open",
            closing_event_display_type="Close",
            dynamic_window=3600,
            dynamic_variability=1.5,
        )
        self.create(policy)
        for correlation in ("1", "2"):
            self.record(asset, "Open", correlation)
            self.record(asset, "Close", correlation)
        self.expect(asset, True)

    def test_richness(self):
        asset = self.create_asset(radiation_level="6")
        assertions = [["radiation_level<7", "radiation_level=10"]]
        self.create(CompliancePolicyRichness(**self.names, richness_assertions=assertions))
        for level, compliant in (("6", True), ("8", False), ("10", True), ("7", False)):
            with self.subTest(level):
                self.record(asset, "Reading", radiation_level=level)
                self.expect(asset, compliant, "" if compliant else "radiation_level<7")

    def test_at_a_time(self):
        asset = self.create_asset(radiation_level="6")
        self.create(CompliancePolicyRichness(**self.names, richness_assertions=[["radiation_level<7"]]))
        created = self.client.assets.read(asset)["at_time"]
        self.record(asset, "Reading", radiation_level="8")
        self.expect(asset, False, compliant_at=self.client.assets.read(asset)["at_time"])
        self.expect(asset, True, compliant_at=created)
        self.assertIn("compliant", self.client.compliance.compliant_at(asset, compliant_at=now_not_before(created)))

    def test_report(self):
        asset = self.create_asset(radiation_level="8")
        self.create(CompliancePolicyRichness(**self.names, richness_assertions=[["radiation_level<7"]]))
        with self.assertLogs("archivist.compliance", "INFO") as logs:
            self.client.compliance.compliant_at(asset, report=True)
        self.assertIn("Compliant False", logs.output[0])
        self.assertIn(f"NON-COMPLIANCE -> Policy: {self.names['display_name']}", logs.output[1])

    def test_policy_that_says_nothing(self):
        for assertion in ("radiation_level < 7", "asset_attributes.radiation_level<7", "radiation_level"):
            with self.subTest(assertion), self.assertRaises(ArchivistBadRequestError):
                self.create(CompliancePolicyRichness(**self.names, richness_assertions=[[assertion]]))

    def test_capacity(self):
        url = f"{self.client.root}/v1/compliance_policies:caps"
        (cap,) = self.client.get(url)["caps"]
        self.assertEqual(cap["resource_type"], "CompliancePolicies")
        self.assertGreater(int(cap["resource_remaining"]), 0)
