"""Calls a server through the client that openapi-python-client generated in the current directory."""
import json
import os
import sys

sys.path.insert(0, os.getcwd())
from provenance_ledger_client import AuthenticatedClient
from provenance_ledger_client.api.assets import create_asset, get_asset, list_assets
from provenance_ledger_client.api.events import create_event, list_events
from provenance_ledger_client.models import Attributes, ListAssetsAttributeFilters, NewAsset, NewEvent

client = AuthenticatedClient(
    base_url=os.environ["SERVER"], token=os.environ["TOKEN"], raise_on_unexpected_status=True
)
attributes = json.loads(os.environ["ATTRIBUTES"])
created = create_asset.sync(client=client, body=NewAsset(attributes=Attributes.from_dict(attributes), public=True))
uuid = created.identity.split("/")[1]


def count(filters, **others):
    given = ListAssetsAttributeFilters.from_dict(filters)
    return len(list_assets.sync(client=client, attribute_filters=given, page_size=10, **others).assets)


event = NewEvent(operation="Record", behaviour="RecordEvidence")
status = create_event.sync(uuid, client=client, body=event).confirmation_status
print(json.dumps({
    "attributes": get_asset.sync(uuid, client=client).attributes.to_dict(),
    "listed": [
        count({"attributes.generator": attributes["generator"]}),
        count({"attributes.generator": attributes["generator"]}, public=False),
        count({"attributes.generator": "another"}),
    ],
    "event": status.value,
    "events": len(list_events.sync(uuid, client=client, page_size=10).events),
}))
