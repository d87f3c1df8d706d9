// A ledger with something to look at: a container on its way, which fails a policy at its end, a location, a picture,
// and markup in every text.
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { send } from '../support/testLedger.ts';
import type { Explorer } from './explorerFixture.ts';

/** Text that would be a program if a page took it for markup. */
export const MARKUP = `<script>document.title='taken'</script><img src=x onerror="document.title='taken'">`;

/** A picture of one point. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const upload = async (url: string, token: string) => {
  const body = new FormData();
  body.append('file', new Blob([PNG], { type: 'image/png' }), `${MARKUP}.png`);
  const answer = await fetch(`${url}/archivist/v1/blobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  return (await answer.json()) as { identity: string; hash: { alg: string; value: string } };
};

/** What the pages show. */
export interface ShownLedger {
  readonly asset: AssetResource;
  /** Oldest first, without the creation. */
  readonly events: readonly EventResource[];
  readonly location: string;
  readonly publicAsset: AssetResource;
}

/** Records it for the tenant of a server. */
export const recordShown = async ({ server, tenant }: Pick<Explorer, 'server' | 'tenant'>): Promise<ShownLedger> => {
  const { token, post } = tenant;
  const api = `${server.url}/archivist`;
  const blob = await upload(server.url, token);
  const picture = {
    arc_attribute_type: 'arc_attachment',
    arc_blob_identity: blob.identity,
    arc_blob_hash_alg: blob.hash.alg,
    arc_blob_hash_value: blob.hash.value,
    arc_display_name: `${MARKUP}.png`,
    arc_blob_mime_type: 'image/png',
  };
  const place = { display_name: `Port ${MARKUP}`, description: MARKUP, latitude: 51.95, longitude: 4.14 };
  const location = await send<{ identity: string }>(`${api}/v2/locations`, token, { body: place });
  await send(`${api}/v1/compliance_policies`, token, {
    body: {
      compliance_type: 'COMPLIANCE_RICHNESS',
      display_name: 'Cargo stays cold',
      description: MARKUP,
      asset_filter: [{ or: ['attributes.arc_display_type=Container'] }],
      richness_assertions: [{ or: ['temperature<-15'] }],
    },
  });
  const attributes = {
    arc_display_name: 'Container 7',
    arc_display_type: 'Container',
    arc_description: MARKUP,
    [MARKUP]: MARKUP,
    arc_home_location_identity: location.body.identity,
    arc_primary_image: picture,
    temperature: '-18',
  };
  const asset = (await post<AssetResource>('assets', { attributes })).body;
  const events: EventResource[] = [];
  for (const [at, temperature] of ['-18', '-17', '-16', '-9'].entries()) {
    const event = {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      principal_declared: { display_name: MARKUP },
      event_attributes: { arc_display_type: 'Position', arc_gis_lat: `${50 - at * 9}`, arc_gis_lng: `${4 + at * 5}` },
      asset_attributes: { temperature },
    };
    events.push((await post<EventResource>(`${asset.identity}/events`, event)).body);
  }
  const publicAttributes = { arc_display_name: 'Container 8', arc_primary_image: picture };
  const publicAsset = (await post<AssetResource>('assets', { attributes: publicAttributes, public: true })).body;
  return { asset, events, location: location.body.identity, publicAsset };
};
