// A client that is built only from the document: generated types, and a library that turns them into requests.
import { expect } from 'chai';
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../../../server/openapi/api.gen.ts';
import { SECRET } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

describe('a client generated from the document', () => {
  const server = useServer();
  let client: Client<paths>;
  before(async () => {
    const { token } = await server.tokens.issue(server.tenant.writer);
    client = createClient<paths>({
      baseUrl: `${server.url}/svc`,
      headers: { authorization: `Bearer ${token}` },
      // Each member of an object parameter becomes a separate parameter: `style: form`, `explode: true`.
      querySerializer: { object: { style: 'form', explode: true } },
    });
  });

  const createDoor = async (attributes: Record<string, string>) => {
    const { data } = await client.POST('/v2/assets', { body: { attributes, public: true } });
    return data!.identity.slice('assets/'.length);
  };

  it('creates a location, an asset with this home location, and an event', async () => {
    const place = await client.POST('/v2/locations', {
      body: { display_name: 'Depot North', latitude: '51.500', longitude: -0.1276 },
    });
    expect(place.data).to.include({ latitude: '51.500', longitude: '-0.1276' });
    const uuid = await createDoor({ kind: 'home', arc_home_location_identity: place.data!.identity });
    const event = await client.POST('/v2/assets/{asset_uuid}/events', {
      params: { path: { asset_uuid: uuid }, header: { 'Idempotency-Key': 'inspection-1' } },
      body: {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        event_attributes: { arc_display_type: 'Inspection', photos: [{ name: 'a.jpg' }] },
        asset_attributes: { state: 'dry & well' },
      },
    });
    expect(event.data).to.include({ operation: 'Record', confirmation_status: 'CONFIRMED' });
    const asset = await client.GET('/v2/assets/{uuid}', { params: { path: { uuid } } });
    expect(asset.data!.attributes).to.include({ state: 'dry & well' });
    const before = await client.GET('/v2/assets/{uuid}', {
      params: { path: { uuid }, query: { at_time: '2020-01-01T00:00:00Z' } },
    });
    expect(before.response.status).to.equal(404);
    expect(before.error!.details[0]!.error).to.equal('ASSET_NOT_FOUND');
  });

  it('changes a location, and finds it by its new values', async () => {
    const { data } = await client.POST('/v2/locations', {
      body: { display_name: 'Yard', latitude: 1, longitude: 1, attributes: { phone: '1' } },
    });
    const uuid = data!.identity.slice('locations/'.length);
    await client.PATCH('/v2/locations/{uuid}', { params: { path: { uuid } }, body: { attributes: { phone: '2' } } });
    const found = await client.GET('/v2/locations', {
      params: {
        query: { attribute_filters: { 'attributes.phone': '2' }, order_by: 'DISPLAY_NAME', page_size: 5 },
        header: { 'x-request-total-count': 'true' },
      },
    });
    expect(found.data!.locations.map(({ identity }) => identity)).to.eql([data!.identity]);
    expect(found.response.headers.get('x-total-count')).to.equal('1');
    const read = await client.GET('/v2/locations/{uuid}', { params: { path: { uuid } } });
    expect(read.data).to.eql(found.data!.locations[0]);
  });

  it('lists pages of records that match filters on fields and attributes', async () => {
    const made: string[] = [];
    for (const colour of ['red', 'green', 'red', 'red']) {
      made.push(`assets/${await createDoor({ kind: 'list', 'paint & colour': colour })}`);
    }
    const seen: string[] = [];
    let page_token: string | undefined;
    do {
      const { data } = await client.GET('/v2/assets', {
        params: {
          query:
            page_token === undefined
              ? {
                  attribute_filters: { 'attributes.kind': 'list', 'attributes.serial!': '*' },
                  privacy: 'PUBLIC',
                  behaviours: 'RecordEvidence',
                  page_size: 3,
                }
              : { page_token },
        },
      });
      seen.push(...data!.assets.map(({ identity }) => identity));
      page_token = data!.next_page_token === '' ? undefined : data!.next_page_token;
    } while (page_token !== undefined);
    expect(seen).to.eql(made.toReversed());
  });

  it('lists events by time, principal, event attributes and asset attributes', async () => {
    const asset_uuid = await createDoor({ kind: 'events' });
    const { subject } = server.tenant.writer;
    const { data, response } = await client.GET('/v2/assets/{asset_uuid}/events', {
      params: {
        path: { asset_uuid: '-' },
        query: {
          attribute_filters: { 'asset.attributes.kind': 'events', 'event_attributes.kind!': '*' },
          timestamp_accepted_since: '2026-11-20T11:15:30+01:00',
          'principal_accepted.subject': subject,
          order_by: 'SIMPLEHASHV1',
        },
      },
    });
    expect(data!.events.map(({ asset_identity }) => asset_identity)).to.eql([`assets/${asset_uuid}`]);
    expect(response.headers.get('x-total-count')).to.equal('1');
  });

  it('reads public records without a token', async () => {
    const uuid = await createDoor({ kind: 'public' });
    const { data } = await client.GET('/v2/assets/{uuid}:publicurl', { params: { path: { uuid } } });
    expect(data!.publicurl).to.equal(`${server.url}/svc/v2/publicassets/${uuid}`);
    const anonymous = createClient<paths>({ baseUrl: `${server.url}/svc` });
    const asset = await anonymous.GET('/v2/publicassets/{uuid}', { params: { path: { uuid } } });
    expect(asset.data!.attributes).to.eql({ kind: 'public' });
    const events = await anonymous.GET('/v2/publicassets/{asset_uuid}/events', {
      params: { path: { asset_uuid: uuid }, query: { page_size: 1 } },
    });
    expect(events.data!.events[0]!.principal_accepted.subject).to.equal('');
  });

  it('gets a token with its secret, and reads with it', async () => {
    const anonymous = createClient<paths>({ baseUrl: `${server.url}/svc` });
    const { data, response } = await anonymous.POST('/iam/v1/appidp/token', {
      body: {
        grant_type: 'client_credentials',
        client_id: server.tenant.reader.clientId!,
        client_secret: SECRET,
      },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      bodySerializer: (body) => new URLSearchParams(body as Record<string, string>).toString(),
    });
    expect(data).to.include({ token_type: 'Bearer', expires_in: 3600 });
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const headers = { authorization: `Bearer ${data!.access_token}` };
    const assets = await anonymous.GET('/v2/assets', { headers, params: { query: { page_size: 1 } } });
    expect(assets.data!.assets).to.have.length(1);
    const refused = await anonymous.POST('/v2/assets', { headers, body: {} });
    expect(refused.error!.details).to.eql([
      { error: 'FORBIDDEN', field: 'authorization', description: 'lacks the right "writer"' },
    ]);
  });

  const uploadFile = async (content: string) => {
    const { data } = await client.POST('/v1/blobs', {
      body: { file: content },
      bodySerializer: ({ file }) => {
        const form = new FormData();
        form.append('file', new File([file], 'report.txt', { type: 'text/plain' }));
        return form;
      },
    });
    return data!;
  };
  const createAttachable = async () => {
    const { data } = await client.POST('/v2/assets', { body: { behaviours: ['Attachments'], public: true } });
    return data!.identity.slice('assets/'.length);
  };
  const attach = (asset_uuid: string, { identity, hash }: Awaited<ReturnType<typeof uploadFile>>) =>
    client.POST('/v2/assets/{asset_uuid}/events', {
      params: { path: { asset_uuid } },
      body: {
        behaviour: 'Attachments',
        operation: 'Attach',
        event_attributes: {
          arc_append_attachments: [
            {
              arc_attachment_identity: identity,
              arc_display_name: 'Report',
              arc_hash_value: hash.value,
              arc_hash_alg: hash.alg,
            },
          ],
        },
      },
    });

  it('uploads a file, reads its metadata, downloads it, and finds it by its hash', async () => {
    const blob = await uploadFile('hinges greased');
    expect(blob).to.include({ mime_type: 'text/plain', size: 14, scanned_status: 'NOT_SCANNED' });
    const path = { uuid: blob.identity.slice('blobs/'.length) };
    const info = await client.GET('/v1/blobs/{uuid}/info', { params: { path } });
    expect(info.data).to.eql(blob);
    const part = await client.GET('/v1/blobs/{uuid}', {
      params: { path, header: { Range: 'bytes=7-13' } },
      parseAs: 'text',
    });
    expect([part.response.status, part.data]).to.eql([206, 'greased']);
    const found = await client.GET('/v1/blobs', { params: { query: { hash: blob.hash.value } } });
    expect(found.data!.blobs).to.eql([{ ...blob, attached_by: [], attached_by_total: 0 }]);
  });

  it('attaches a file, and reads it as an attachment of the asset and of the event', async () => {
    const asset_uuid = await createAttachable();
    const blob = await uploadFile('closer adjusted');
    const uuid = blob.identity.slice('blobs/'.length);
    const { data: event } = await attach(asset_uuid, blob);
    expect(event!.asset_attributes.arc_attachments).to.eql(event!.event_attributes.arc_append_attachments);
    const event_uuid = event!.identity.split('/').at(-1)!;
    const ofAsset = await client.GET('/v2/attachments/assets/{asset_uuid}/{uuid}/info', {
      params: { path: { asset_uuid, uuid } },
    });
    const ofEvent = await client.GET('/v2/attachments/assets/{asset_uuid}/events/{event_uuid}/{uuid}/info', {
      params: { path: { asset_uuid, event_uuid, uuid } },
    });
    expect([ofAsset.data, ofEvent.data]).to.eql([blob, blob]);
    const anonymous = createClient<paths>({ baseUrl: `${server.url}/svc` });
    const inPublic = await anonymous.GET('/v2/attachments/publicassets/{asset_uuid}/{uuid}/info', {
      params: { path: { asset_uuid, uuid } },
    });
    expect(inPublic.data).to.eql({ ...blob, issuer: '', subject: '' });
    const content = await anonymous.GET('/v2/attachments/publicassets/{asset_uuid}/events/{event_uuid}/{uuid}', {
      params: { path: { asset_uuid, event_uuid, uuid } },
      parseAs: 'text',
    });
    expect(content.data).to.equal('closer adjusted');
  });

  it('reads the invalid field in a typed error', async () => {
    const asset_uuid = await createAttachable();
    const { data, error, response } = await attach(asset_uuid, {
      ...(await uploadFile('not attachable')),
      identity: 'blobs/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11',
    });
    expect([response.status, data]).to.eql([400, undefined]);
    const problem: components['schemas']['Problem'] = error!;
    expect(problem.code).to.equal(3);
    expect(problem.message).to.be.a('string');
    const [detail] = problem.details;
    const code: components['schemas']['ErrorCode'] = detail!.error;
    expect(code).to.equal('ATTACHMENT_INVALID');
    expect(detail!.field).to.equal('event_attributes/arc_append_attachments/0');
  });

  it('reads the keys of tokens at the path in the document', async () => {
    const { data } = await createClient<paths>({ baseUrl: server.url }).GET('/.well-known/jwks.json');
    expect(data!.keys[0]).to.include({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
  });
});
