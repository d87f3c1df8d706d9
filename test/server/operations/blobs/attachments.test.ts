import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset, createAnEvent } from '../../support/requests.ts';
import type { RequestOptions, ServerAnswer } from '../../support/testServer.ts';
import { upload } from '../../support/uploads.ts';
import { useServer } from '../../support/useServer.ts';

const MISSING = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const inMap = (identity: string) => ({ photo: { arc_attribute_type: 'arc_attachment', arc_blob_identity: identity } });
const inList = (identity: string) => ({ photos: [{ note: 'no attachment' }, inMap(identity).photo] });
const toUuid = (identity: string): string => identity.slice(identity.lastIndexOf('/') + 1);

interface Record {
  /** Below `v2/attachments/assets` and `v2/attachments/publicassets`. */
  readonly path: string;
  readonly content: string;
}

describe('GET v2/attachments', () => {
  const server = useServer();
  let info: Map<string, unknown>;
  before(() => {
    info = new Map();
  });

  const uploadOne = async (content: string): Promise<string> => {
    const { body } = await upload(server, content, 'text/plain');
    info.set(content, body);
    return body.identity;
  };

  // An asset with a blob in an attribute map, one that was attached since, and events that attach one each.
  const createAttachments = async (isPublic: boolean): Promise<Record[]> => {
    const name = isPublic ? 'public' : 'private';
    const [own, listed, seen] = [
      await uploadOne(`${name} own`),
      await uploadOne(`${name} listed`),
      await uploadOne(`${name} seen`),
    ];
    const assetUuid = await createAnAsset(server, {
      public: isPublic,
      behaviours: ['RecordEvidence', 'Attachments'],
      attributes: inMap(own),
    });
    const { hash } = info.get(`${name} listed`) as { hash: { value: string } };
    const attached = await createAnEvent(server, assetUuid, {
      behaviour: 'Attachments',
      operation: 'Attach',
      event_attributes: {
        arc_append_attachments: [
          {
            arc_attachment_identity: listed,
            arc_display_name: 'a',
            arc_hash_value: hash.value,
            arc_hash_alg: 'sha256',
          },
        ],
      },
    });
    const recorded = await createAnEvent(server, assetUuid, {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: inMap(seen),
    });
    const changed = await createAnEvent(server, assetUuid, {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      asset_attributes: { last: inMap(seen).photo },
    });
    const eventPath = (event: { identity: string }) => `${assetUuid}/events/${toUuid(event.identity)}`;
    return [
      { path: `${assetUuid}/${toUuid(own)}`, content: `${name} own` },
      { path: `${assetUuid}/${toUuid(listed)}`, content: `${name} listed` },
      { path: `${eventPath(attached)}/${toUuid(listed)}`, content: `${name} listed` },
      { path: `${eventPath(recorded)}/${toUuid(seen)}`, content: `${name} seen` },
      { path: `${eventPath(changed)}/${toUuid(seen)}`, content: `${name} seen` },
    ];
  };

  it('returns what a map inside a list attaches, for assets and events, with and without a token', async () => {
    const [own, seen, changed] = [
      await uploadOne('list own'),
      await uploadOne('list seen'),
      await uploadOne('changed'),
    ];
    const assetUuid = await createAnAsset(server, { public: true, attributes: inList(own) });
    const record = (given: object) =>
      createAnEvent(server, assetUuid, { behaviour: 'RecordEvidence', operation: 'Record', ...given });
    const event = await record({ event_attributes: inList(seen), asset_attributes: { more: inList(changed).photos } });
    const eventPath = `${assetUuid}/events/${toUuid(event.identity)}`;
    const cases: [path: string, content: string][] = [
      [`${assetUuid}/${toUuid(own)}`, 'list own'],
      [`${assetUuid}/${toUuid(changed)}`, 'changed'],
      [`${eventPath}/${toUuid(seen)}`, 'list seen'],
      [`${eventPath}/${toUuid(changed)}`, 'changed'],
    ];
    for (const [path, content] of cases) {
      expect([path, (await get(`assets/${path}`)).body]).to.eql([path, content]);
      expect([path, (await get(`publicassets/${path}`, anonymous)).body]).to.eql([path, content]);
    }
    expectProblem(await get(`assets/${assetUuid}/${toUuid(seen)}`), 404, 'ATTACHMENT_NOT_FOUND');
  });

  const get = (path: string, options: RequestOptions = {}) =>
    server.request('GET', `/svc/v2/attachments/${path}`, options);
  const anonymous: RequestOptions = { as: null };

  for (const isPublic of [false, true]) {
    it(`returns to the tenant what its ${isPublic ? 'public' : 'private'} asset and its events attach`, async () => {
      for (const { path, content } of await createAttachments(isPublic)) {
        const as = { as: server.tenant.reader };
        const answer = await get(`assets/${path}`, as);
        expect([path, answer.status, answer.body]).to.eql([path, 200, content]);
        expect(answer.headers.get('content-type')).to.equal('text/plain');
        expect((await get(`assets/${path}/info`, as)).body).to.eql(info.get(content));
      }
    });
  }

  it('returns without a token what a public asset and its events attach, without who uploaded it', async () => {
    for (const { path, content } of await createAttachments(true)) {
      const answer = await get(`publicassets/${path}`, anonymous);
      expect([path, answer.status, answer.body]).to.eql([path, 200, content]);
      const known = { ...(info.get(content) as object), issuer: '', subject: '' };
      expect((await get(`publicassets/${path}/info`, anonymous)).body).to.eql(known);
      const legacy = await get(`v2/publicassets/${path}`, anonymous);
      expect([legacy.status, legacy.body]).to.eql([200, content]);
      expect((await get(`v2/publicassets/${path}/info`, anonymous)).body).to.eql(known);
    }
  });

  it('answers ranges, conditions and strict requests as blobs do', async () => {
    const [{ path }] = (await createAttachments(true)) as [Record];
    for (const [prefix, options] of [
      ['assets', {}],
      ['publicassets', anonymous],
    ] as const) {
      const part = await get(`${prefix}/${path}`, { ...options, headers: { range: 'bytes=0-5' } });
      expect([part.status, part.body]).to.eql([206, 'public']);
      const etag = part.headers.get('etag')!;
      expect((await get(`${prefix}/${path}`, { ...options, headers: { 'if-none-match': etag } })).status).to.equal(304);
      expectProblem(await get(`${prefix}/${path}?strict=true`, options), 400, 'BLOB_NOT_SCANNED');
      expect((await get(`${prefix}/${path}?allow_insecure=true`, options)).status).to.equal(200);
    }
  });

  it('answers alike whichever record is missing', async () => {
    const [own, listed, attached, recorded] = (await createAttachments(true)) as [Record, Record, Record, Record];
    const hidden = await createAttachments(false);
    const unattached = toUuid(await uploadOne('unattached'));
    const assetUuid = own.path.slice(0, 36);
    const blobOf = ({ path }: Record): string => toUuid(path);
    const eventOf = ({ path }: Record): string => path.slice(0, path.lastIndexOf('/'));
    const missing = [
      `${assetUuid}/${MISSING}`,
      `${MISSING}/${blobOf(own)}`,
      `${assetUuid}/${unattached}`,
      `${eventOf(attached)}/${blobOf(own)}`,
      `${eventOf(recorded)}/${blobOf(listed)}`,
      `${assetUuid}/events/${MISSING}/${blobOf(listed)}`,
      `${MISSING}/events/${toUuid(eventOf(attached))}/${blobOf(listed)}`,
    ];
    const answers: ServerAnswer[] = [];
    for (const path of missing) {
      for (const suffix of ['', '/info']) {
        answers.push(await get(`assets/${path}${suffix}`), await get(`publicassets/${path}${suffix}`, anonymous));
      }
    }
    for (const { path } of hidden) answers.push(await get(`publicassets/${path}`, anonymous));
    for (const { path } of hidden) answers.push(await get(`publicassets/${path}/info`, anonymous));
    for (const { path } of hidden) answers.push(await get(`assets/${path}`, { as: server.otherTenant.root }));
    for (const answer of answers) expectProblem(answer, 404, 'ATTACHMENT_NOT_FOUND');
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
  });

  it("never returns another tenant's blob, whatever an attribute contains", async () => {
    const identity = await uploadOne('of the first tenant');
    const as = server.otherTenant.writer;
    const assetUuid = await createAnAsset(server, { public: true, attributes: inMap(identity) }, { as });
    expectProblem(await get(`assets/${assetUuid}/${toUuid(identity)}`, { as }), 404, 'ATTACHMENT_NOT_FOUND');
    expectProblem(await get(`publicassets/${assetUuid}/${toUuid(identity)}`, anonymous), 404, 'ATTACHMENT_NOT_FOUND');
  });

  it('requires a token and UUIDs', async () => {
    expectProblem(await get(`assets/${MISSING}/${MISSING}`, anonymous), 401, 'UNAUTHENTICATED');
    expectProblem(await get(`assets/1/${MISSING}`), 400, 'IDENTITY_INVALID', 'asset_uuid');
    expectProblem(await get(`publicassets/${MISSING}/1`, anonymous), 400, 'IDENTITY_INVALID', 'uuid');
    expectProblem(await get(`assets/${MISSING}/events/-/${MISSING}`), 400, 'IDENTITY_INVALID', 'event_uuid');
  });
});
