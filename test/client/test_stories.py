"""Stories of the client's runner, in this process and by its commands."""

import json
import os
import subprocess
import sys
import unittest
from base64 import b64encode
from pathlib import Path
from unittest.mock import patch

import yaml
from archivist.constants import SUBJECTS_SELF_ID
from archivist.errors import ArchivistInvalidOperationError
from jinja2 import Template
from pyaml_env import parse_config

from fixture import DIRECTORY, HAS_COMPLIANCE, HAS_LOCATIONS, PLAIN, connect, connect_administrator, unique, write_file

STORIES = Path(__file__).parent / "stories"
COMMAND_SECONDS_MAX = 120


def read_story(name, namespace, **further):
    """The steps of a story, with the values that the runner's own command reads from the environment."""
    path = write_file("picture.jpg", b"\xff\xd8\xff\xe0 no real image")
    values = {"DATATRAILS_UNIQUE_ID": namespace, "STORY_FILE": path, **further}
    with patch.dict(os.environ, values):
        return parse_config(str(STORIES / name))


def render_story(name, namespace):
    """The steps of a template."""
    return yaml.safe_load(Template((STORIES / name).read_text(encoding="utf-8")).render(namespace=namespace))


class Stories(unittest.TestCase):
    def setUp(self):
        self.client = connect()
        self.addCleanup(self.client.close)
        self.namespace = unique("story")

    def run_steps(self, story):
        with self.assertLogs("archivist", "INFO") as logs:
            self.client.runner.run_steps(story)
        return "\n".join(record.getMessage() for record in logs.records)

    def test_assets(self):
        said = self.run_steps(read_story("assets.yaml", self.namespace))
        self.assertIn("There are two\nResponse 2", said)
        self.assertIn("The crane has two events\nResponse 2", said)
        self.assertEqual(said.count('"arc_description": "No defects"'), 1)
        self.assertEqual(self.client.assets.count(attrs={"arc_namespace": self.namespace}), 2)

    def test_attachment_info(self):
        """The runner passes an asset where the client requires a blob, so only a blob's identity works."""
        story = read_story("assets.yaml", self.namespace)
        self.run_steps({"steps": story["steps"][:2]})
        (door,) = self.client.assets.list(attrs={"arc_namespace": self.namespace, "arc_display_type": "Door"})
        step = {"step": {"action": "ASSETS_ATTACHMENT_INFO", "asset_label": "picture", "print_response": True}}
        blob = door["attributes"]["picture"]["arc_blob_identity"]
        with patch.object(self.client.runner, "identity", return_value=blob):
            said = self.run_steps({"steps": [step]})
        self.assertIn('"mime_type": "image/jp', said)

    @unittest.skipUnless(HAS_COMPLIANCE, "this version takes no identities for labels")
    def test_a_label_that_is_an_identity(self):
        asset = self.client.assets.create(attrs={"arc_display_name": self.namespace})["identity"]
        step = {"step": {"action": "EVENTS_COUNT", "asset_label": asset, "print_response": True}}
        self.assertIn("Response 1", self.run_steps({"steps": [step]}))

    def test_unknown_action(self):
        with self.assertRaises(ArchivistInvalidOperationError):
            self.client.runner.run_steps({"steps": [{"step": {"action": "ASSETS_FORGET"}}]})

    @unittest.skipUnless(HAS_LOCATIONS, "this version has no locations")
    def test_locations(self):
        said = self.run_steps(read_story("locations.yaml", self.namespace))
        self.assertIn("There is one\nResponse 1", said)
        self.assertIn('"arc_location_identity": "locations/', said)

    def test_subjects(self):
        self.client = connect_administrator()
        self.addCleanup(self.client.close)
        own = json.dumps(self.client.subjects.read(SUBJECTS_SELF_ID)).encode()
        story = read_story("subjects.yaml", self.namespace, STORY_SUBJECT=b64encode(own).decode())
        said = self.run_steps(story)
        self.assertIn("There is one of this name\nResponse 1", said)
        self.assertEqual(said.count(f'"display_name": "{self.namespace} renamed"'), 2)
        for name in ("harbour", "sent", "renamed"):
            self.assertEqual(self.client.subjects.count(display_name=f"{self.namespace} {name}"), 0)


@unittest.skipUnless(HAS_COMPLIANCE, "this version has no compliance")
class ComplianceStories(unittest.TestCase):
    def run_story(self, name):
        with connect() as client, self.assertLogs("archivist", "INFO") as logs:
            client.runner.run_steps(render_story(name, unique("story")))
        return [record.getMessage() for record in logs.records]

    def after(self, said, description, lines):
        at = said.index(description)
        return said[at + 1 : at + 1 + lines]

    def test_since(self):
        said = self.run_story("compliance_since.yaml")
        self.assertEqual(self.after(said, "compliant", 1), ["Compliant True"])
        wait, *report = self.after(said, "too old", 3)
        self.assertEqual([wait, report[0]], ["Waiting for 12 seconds", "Compliant False"])
        self.assertRegex(report[1], r"^NON-COMPLIANCE -> Policy: checked: Reason Duration \d+s exceeds limit 10s$")
        self.assertTrue(said[-1].startswith("Delete compliance_policies/"))

    def test_outstanding(self):
        said = self.run_story("compliance_outstanding.yaml")
        reason = "NON-COMPLIANCE -> Policy: no open faults: Reason No closing event for Fault"
        self.assertIn(reason, self.after(said, "open", 3))
        compliant, report = self.after(said, "repaired, too late", 2)
        self.assertEqual(compliant, "Compliant False")
        self.assertRegex(report, r"^NON-COMPLIANCE -> Policy: quick repairs: Reason Duration \d+s exceeds limit 2s$")

    def test_tolerance(self):
        compliant, report = self.after(self.run_story("compliance_tolerance.yaml"), "one is slow", 2)
        self.assertEqual(compliant, "Compliant False")
        self.assertTrue(report.startswith("NON-COMPLIANCE -> Policy: as usual: Reason "))

    def test_richness(self):
        said = self.run_story("compliance_richness.yaml")
        compliant, report = self.after(said, "one of two", 2)
        self.assertEqual(compliant, "Compliant False")
        self.assertTrue(report.startswith("NON-COMPLIANCE -> Policy: little radiation: Reason "))
        self.assertEqual(self.after(said, "both", 1), ["Compliant True"])


class Commands(unittest.TestCase):
    def setUp(self):
        self.namespace = unique("command")
        secret = Path(write_file("client.secret", PLAIN["client_secret"].encode()))
        secret.chmod(0o600)
        self.credentials = ["--client-id", PLAIN["client_id"], "--client-secret-filename", str(secret)]

    def run_command(self, module, *files):
        story = {"STORY_FILE": write_file("picture.jpg", b"\xff\xd8\xff\xe0 no real image")}
        command = [sys.executable, "-m", module, "-u", PLAIN["url"], *self.credentials, "-n", self.namespace, *files]
        environment = {**os.environ, **story}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, check=True
        )

    def expect_assets(self, said, number):
        self.assertNotIn("Runner exception", said.stderr)
        with connect() as client:
            self.assertEqual(client.assets.count(attrs={"arc_namespace": self.namespace}), number)

    def test_runner(self):
        self.expect_assets(self.run_command("archivist.cmds.runner", str(STORIES / "assets.yaml")), 2)

    def test_template(self):
        values = DIRECTORY / "values.yaml"
        values.write_text(json.dumps({"namespace": self.namespace}), encoding="utf-8")
        story = STORIES / ("compliance_richness.yaml" if HAS_COMPLIANCE else "template.yaml")
        self.expect_assets(self.run_command("archivist.cmds.template", str(values), str(story)), 1)
