// Records of every kind that an export has, drawn at random, on a server in this process.
import { expect } from 'chai';
import { createDraws, type Draws } from '../../host/demo/draws.ts';
import type { TestServer } from '../server/support/testServer.ts';

/** How many of each. */
export interface RandomScale {
  readonly seed: string;
  readonly assets: number;
  readonly events: number;
}

type Json = Record<string, unknown>;

interface File {
  readonly identity: string;
  readonly hash: { readonly value: string };
}

const BEHAVIOURS = ['RecordEvidence', 'Attachments', 'Firmware', 'Maintenance', 'LocationUpdate'];
const TEXTS = ['', 'x', '*', 'ä€𐍈', '__proto__', '"quoted"', '{"a":1}', ' blank ', '\u2028', 'assets/none'];

const pick = <T>(draws: Draws, name: string, items: readonly T[]): T => items[draws.index(name, items.length)]!;

/** Records at random, and resolves with the identities of the assets. */
export const recordRandomLedger = async (server: TestServer, scale: RandomScale): Promise<readonly string[]> => {
  const draws = createDraws(scale.seed);
  const text = (name: string): string => pick(draws, name, TEXTS);

  const post = async (path: string, json: Json, as = server.tenant.writer): Promise<Json> => {
    const { status, body } = await server.request('POST', `/svc/${path}`, { json, as });
    expect(status, `${path} ${JSON.stringify(json)}: ${JSON.stringify(body)}`).to.equal(200);
    server.clock.atMs += 1_000;
    return body;
  };

  const upload = async (n: number): Promise<File> => {
    const body = new FormData();
    // Two files have the same bytes.
    body.set('file', new Blob([`content ${Math.floor(n / 2)}`], { type: 'text/plain; charset=utf-8' }), 'filename');
    return (await server.request('POST', '/svc/v1/blobs', { body })).body;
  };

  const createLocation = (n: number, file: File): Promise<Json> =>
    post('v2/locations', {
      display_name: `Plant ${n}`,
      description: text(`description ${n}`),
      latitude: `${n}.50`,
      longitude: String(-n),
      attributes: { site: text(`site ${n}`), plan: file.identity },
    });

  const toPicture = ({ identity, hash }: File): Json => ({
    arc_attribute_type: 'arc_attachment',
    arc_blob_identity: identity,
    arc_blob_hash_value: hash.value,
    arc_blob_hash_alg: 'SHA256',
  });

  const toItem = (file: File, n: number): Json => ({
    arc_attachment_identity: file.identity,
    arc_display_name: `File ${n}`,
    arc_hash_value: file.hash.value.toUpperCase(),
    arc_hash_alg: 'sha256',
  });

  const files = await Promise.all([0, 1, 2, 3].map(upload));
  const locations = [await createLocation(1, files[0]!), await createLocation(2, files[1]!)].map(
    ({ identity }) => identity as string,
  );

  const createAsset = async (n: number, others: readonly string[]): Promise<string> => {
    const file = pick(draws, `file ${n}`, files);
    const { identity } = await post('v2/assets', {
      behaviours: BEHAVIOURS.filter((name) => draws.index(`${name} ${n}`, 3) > 0),
      public: draws.index(`public ${n}`, 3) === 0,
      proof_mechanism: pick(draws, `proof ${n}`, ['KHIPU', 'SIMPLE_HASH']),
      attributes: {
        arc_display_name: `Asset ${n}`,
        note: text(`note ${n}`),
        map: { a: text(`map ${n}`) },
        list: [{ a: '1' }, { a: text(`list ${n}`) }],
        picture: toPicture(file),
        ...(draws.index(`home ${n}`, 2) === 0 ? {} : { arc_home_location_identity: pick(draws, `at ${n}`, locations) }),
        ...(draws.index(`attached ${n}`, 2) === 0 ? {} : { arc_attachments: [toItem(file, n)] }),
        ...(others.length === 0 ? {} : { other: pick(draws, `other ${n}`, others) }),
      },
    });
    return identity as string;
  };

  const toContent = (n: number): Json => {
    const file = pick(draws, `event file ${n}`, files);
    const behaviour = pick(draws, `behaviour ${n}`, BEHAVIOURS);
    const described = { arc_description: 'described', n: String(n), text: text(`text ${n}`) };
    const contents: readonly Json[] = [
      {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        event_attributes: { ...described, picture: toPicture(file) },
      },
      { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: described, asset_attributes: described },
      {
        behaviour: 'Attachments',
        operation: 'Attach',
        event_attributes: { arc_append_attachments: [toItem(file, n)] },
      },
      {
        behaviour: 'Firmware',
        operation: 'Update',
        event_attributes: described,
        asset_attributes: { arc_firmware_version: `${n}` },
      },
      { behaviour: 'Maintenance', operation: 'MaintenanceRequired', event_attributes: described },
      {
        behaviour: 'LocationUpdate',
        operation: 'SetHomeLocation',
        asset_attributes: { arc_home_location_identity: pick(draws, `move ${n}`, locations) },
      },
      ...['StopTracking', 'StartTracking'].map((operation) => ({ behaviour: 'Builtin', operation })),
      ...['Add', 'Remove', 'Add'].map((operation) => ({
        behaviour: 'Builtin',
        operation,
        event_attributes: { arc_behaviour_name: behaviour },
      })),
    ];
    return pick(draws, `content ${n}`, contents);
  };

  const toDeclared = (n: number): Json => {
    const declared = { timestamp_declared: `2019-0${1 + (n % 9)}-01T00:00:00.00${n % 10}Z` };
    const principal = {
      issuer: 'https://issuer.example',
      subject: `s${n}`,
      display_name: text(`name ${n}`),
      email: '',
    };
    return pick(draws, `declared ${n}`, [{}, declared, { ...declared, principal_declared: principal }]);
  };

  const assets: string[] = [];
  for (let n = 0; n < scale.assets; n += 1) assets.push(await createAsset(n, assets));
  for (let n = 0; n < scale.events; n += 1) {
    const asset = pick(draws, `asset ${n}`, assets);
    // An event whose behaviour its asset doesn't have then is refused, and is none.
    const { status } = await server.request('POST', `/svc/v2/${asset}/events`, {
      json: { ...toContent(n), ...toDeclared(n) },
    });
    expect(status).to.be.oneOf([200, 400]);
    server.clock.atMs += 1_000;
  }
  const filter = [{ or: [`attributes.arc_home_location_identity:${locations[0]}`, 'attributes.note=x'] }];
  const named = { description: text('policy'), asset_filter: filter };
  const period = { event_display_type: 'A', closing_event_display_type: 'B', time_period_seconds: '60' };
  for (const policy of [
    { compliance_type: 'COMPLIANCE_SINCE', event_display_type: 'A', time_period_seconds: 3_600 },
    { compliance_type: 'COMPLIANCE_PERIOD_OUTSTANDING', ...period },
    { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['n>=7', `other=${assets[0]}`] }] },
  ])
    await post(
      'v1/compliance_policies',
      { display_name: policy.compliance_type, ...named, ...policy },
      server.tenant.administrator,
    );
  return assets;
};
