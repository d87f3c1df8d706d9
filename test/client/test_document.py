"""The document of the interface, as programs in Python read it."""

import json
import unittest
from pathlib import Path
from urllib.request import urlopen

import yaml

from fixture import PLAIN

DOCUMENT = Path(__file__).parents[2] / "server" / "openapi.yaml"


class _Strict(yaml.SafeLoader):
    """Refuses a key that is there twice, as other readers do; an anchor that is there twice is refused by itself."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"{twice} twice", node.start_mark)
        return super().construct_mapping(node, deep)


class Document(unittest.TestCase):
    def test_yaml_is_read_as_the_server_publishes_it(self):
        # Times are texts in JSON.
        read = json.loads(json.dumps(yaml.load(DOCUMENT.read_text(encoding="utf-8"), _Strict), default=str))
        with urlopen(f"{PLAIN['url']}/openapi.json") as answer:
            published = json.load(answer)
        self.assertEqual(list(read["paths"]), list(published["paths"]))
        self.assertEqual(read["components"]["schemas"].keys(), published["components"]["schemas"].keys())
