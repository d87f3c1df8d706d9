"""Calls a server through the client that OpenAPI Generator made for Python in the current directory."""
import json
import os
import sys

sys.path.insert(0, os.getcwd())
from openapi_client import ApiClient, AssetsApi, AttributeValue, Configuration, EventsApi, NewAsset, NewEvent

client = ApiClient(Configuration(host=os.environ["SERVER"], access_token=os.environ["TOKEN"]))
assets, events = AssetsApi(client), EventsApi(client)
attributes = json.loads(os.environ["ATTRIBUTES"])
values = {name: AttributeValue(value) for name, value in attributes.items()}
created = assets.create_asset(NewAsset(attributes=values, public=True))
uuid = created.identity.split("/")[1]


def count(filters, **others):
    return len(assets.list_assets(attribute_filters=filters, page_size=10, **others).assets)


status = events.create_event(uuid, NewEvent(operation="Record", behaviour="RecordEvidence")).confirmation_status
print(json.dumps({
    "attributes": {name: json.loads(value.to_json()) for name, value in assets.get_asset(uuid).attributes.items()},
    "listed": [
        count({"attributes.generator": attributes["generator"]}),
        count({"attributes.generator": attributes["generator"]}, public=False),
        count({"attributes.generator": "another"}),
    ],
    "event": status.value,
    "events": len(events.list_events(uuid, page_size=10).events),
}))
