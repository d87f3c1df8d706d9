// What records state of files: no form of reference names another hash than the file has, who may not read a file has
// to name its hash, and no file is served that isn't what a record states.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { EventRecord } from '../../../ledger/records/event.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { aRecord, createAnAsset } from '../support/requests.ts';
import type { RequestOptions } from '../support/testServer.ts';
import { upload } from '../support/uploads.ts';
import { useServer } from '../support/useServer.ts';

const WRONG = '0'.repeat(64);

interface Blob {
  readonly identity: string;
  readonly hash: { readonly value: string };
}

const inMap = ({ identity }: Blob, hash?: string, algorithm = 'SHA256') => ({
  arc_attribute_type: 'arc_attachment',
  arc_blob_identity: identity,
  arc_display_name: 'x',
  ...(hash !== undefined && { arc_blob_hash_value: hash, arc_blob_hash_alg: algorithm }),
});
const inItem = ({ identity }: Blob, hash?: string, algorithm = 'SHA256') => ({
  arc_attachment_identity: identity,
  arc_display_name: 'x',
  ...(hash !== undefined && { arc_hash_value: hash, arc_hash_alg: algorithm }),
});

/** Attributes that refer to a blob in each form, and the path of the reference. */
const FORMS: readonly [path: string, toAttributes: (blob: Blob, hash?: string, algorithm?: string) => object][] = [
  ['file', (...of) => ({ file: inMap(...of) })],
  ['arc_primary_image', (...of) => ({ arc_primary_image: inMap(...of) })],
  ['list/0', (...of) => ({ list: [inMap(...of)] })],
  ['arc_attachments/0', (...of) => ({ arc_attachments: [inItem(...of)] })],
  ['arc_attachments/0', (...of) => ({ arc_attachments: [inMap(...of)] })],
];

describe('what records state of files', () => {
  const server = useServer();
  let blob: Blob;
  let asset: string;
  before(async () => {
    blob = (await upload(server, 'a file')).body;
    asset = await createAnAsset(server, { public: true, attributes: { n: '7' } });
    const permission = {
      user_attributes: [{ or: [`subject=${server.tenant.roleless.subject}`] }],
      asset_attributes_read: ['*'],
      asset_attributes_write: ['*'],
      event_arc_display_type_read: ['*'],
      event_arc_display_type_write: ['*'],
      behaviours: ['*'],
    };
    const policy = {
      display_name: 'gauge',
      filters: [{ or: ['attributes.n=7'] }],
      access_permissions: [permission],
    };
    const { status } = await server.request('POST', '/svc/iam/v1/access_policies', {
      json: policy,
      as: server.tenant.root,
    });
    expect(status).to.equal(200);
  });

  const post = (path: string, json: unknown, options: RequestOptions = {}) =>
    server.request('POST', `/svc/v2/${path}`, { json, ...options });
  const record = (json: Record<string, unknown>, options?: RequestOptions) =>
    post(`assets/${asset}/events`, aRecord(json), options);
  const asRoleless = () => ({ as: server.tenant.roleless });

  it('name no hash but that of the file, in every form, in assets and events', async () => {
    for (const [path, toAttributes] of FORMS) {
      const { value } = blob.hash;
      for (const [hash, algorithm, isRight] of [
        [value, 'SHA256', true],
        [value.toUpperCase(), 'sha-256', true],
        [undefined, undefined, true],
        [WRONG, 'SHA256', false],
        [value, 'MD5', false],
      ] as const) {
        const attributes = toAttributes(blob, hash, algorithm);
        const answers: [string, Awaited<ReturnType<typeof post>>][] = [
          [`attributes/${path}`, await post('assets', { attributes })],
          [`asset_attributes/${path}`, await record({ asset_attributes: attributes })],
          [`event_attributes/${path}`, await record({ event_attributes: attributes })],
        ];
        for (const [field, answer] of answers)
          if (isRight) expect([field, answer.status]).to.eql([field, 200]);
          else expectProblem(answer, 400, 'ATTACHMENT_INVALID', field);
      }
    }
  });

  it('may name files that are not here, such as those of another ledger', async () => {
    const other = { identity: `blobs/${randomUUID()}`, hash: { value: WRONG } };
    expect((await record({ event_attributes: { file: inMap(other, WRONG, 'SHA512') } })).status).to.equal(200);
  });

  it('name the hash when their sender may not read the file', async () => {
    for (const [path, toAttributes] of FORMS)
      for (const map of ['event_attributes', 'asset_attributes'])
        for (const hash of [undefined, WRONG, '']) {
          const answer = await record({ [map]: toAttributes(blob, hash) }, asRoleless());
          expectProblem(answer, 400, 'ATTACHMENT_INVALID', `${map}/${path}`);
        }
    const { body } = await record({ event_attributes: { file: inMap(blob, blob.hash.value) } }, asRoleless());
    const uuid = blob.identity.slice('blobs/'.length);
    const read = await server.request('GET', `/svc/v2/attachments/${body.identity}/${uuid}`, asRoleless());
    expect([read.status, read.body]).to.eql([200, 'a file']);
  });

  // As a writer records it without this server, or an earlier version did.
  it('are an error where they state another hash than the file has', async () => {
    const own = await createAnAsset(server, { public: true });
    const { body } = await post(`assets/${own}/events`, aRecord({ event_attributes: { file: inMap(blob) } }));
    const { type: _type, ...written } = server.ledger.records.at(-1) as EventRecord;
    const append = async (file: object): Promise<string> => {
      const identity = `assets/${own}/events/${randomUUID()}`;
      const named = { ...written, type: 'event', identity, event_attributes: { file }, asset_attributes: { file } };
      await server.ledger.writer.append(server.tenant.identity, named as never);
      return identity;
    };
    const uuid = blob.identity.slice('blobs/'.length);
    const get = (path: string) => server.request('GET', `/svc/v2/attachments/${path}/${uuid}`);
    const getPublic = (path: string) =>
      server.request('GET', `/svc/v2/attachments/public${path}/${uuid}`, { as: null });
    expect((await get(body.identity)).status).to.equal(200);
    for (const wrong of [inMap(blob, WRONG), inMap(blob, blob.hash.value, 'MD5')]) {
      const event = await append(wrong);
      for (const path of [event, `assets/${own}`])
        for (const answer of [await get(path), await getPublic(path)])
          expectProblem(answer, 409, 'ATTACHMENT_MISMATCH', 'hash');
    }
  });
});
