import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { toPrincipal } from '../../../ledger/principal.ts';
import { toKeyedUuid } from '../../../server/records/idempotency.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { aRecord, createAnAsset, createAnEvent } from '../support/requests.ts';
import type { RequestOptions } from '../support/testServer.ts';
import { useNewServer } from '../support/useServer.ts';

const KEY = { 'Idempotency-Key': 'inspection-17' };

describe('Idempotency-Key', () => {
  const server = useNewServer();

  const postAsset = (json: unknown, options: RequestOptions = {}) =>
    server.request('POST', '/svc/v2/assets', { json, headers: KEY, ...options });
  const postEvent = (assetUuid: string, json: unknown, options: RequestOptions = {}) =>
    server.request('POST', `/svc/v2/assets/${assetUuid}/events`, { json, headers: KEY, ...options });

  it('repeats the first answer for the same asset, and creates nothing', async () => {
    const first = await postAsset({ attributes: { a: 'b', c: 'd' } });
    server.clock.atMs += 60_000;
    const again = await postAsset({ behaviours: ['RecordEvidence'], public: false, attributes: { c: 'd', a: 'b' } });
    expect([again.status, again.body]).to.eql([200, first.body]);
    expect(server.ledger.records).to.have.length(1);
  });

  it('repeats the first answer for the same asset after it has changed', async () => {
    const first = await postAsset({ attributes: { a: 'first' } });
    await createAnEvent(
      server,
      first.body.identity.slice('assets/'.length),
      aRecord({ asset_attributes: { a: 'second' } }),
    );
    expect((await postAsset({ attributes: { a: 'first' } })).body).to.eql(first.body);
  });

  it('repeats the first answer for the same event, even if it would be refused now', async () => {
    const assetUuid = await createAnAsset(server);
    const intent = aRecord({ event_attributes: { a: 'b' }, timestamp_declared: '2026-01-01T00:00:00Z' });
    const first = await postEvent(assetUuid, intent);
    await createAnEvent(server, assetUuid, {
      behaviour: 'Builtin',
      operation: 'Remove',
      event_attributes: { arc_behaviour_name: 'RecordEvidence' },
    });
    server.clock.atMs += 60_000;
    const written = server.ledger.records.length;
    const again = await postEvent(assetUuid, intent);
    expect([again.status, again.body]).to.eql([200, first.body]);
    expect(server.ledger.records).to.have.length(written);
  });

  it('identifies a caller by issuer and subject, whatever name the token has', async () => {
    const first = await postAsset({});
    const again = await postAsset({}, { as: { ...server.tenant.writer, name: 'renamed' } });
    expect(again.body).to.eql(first.body);
  });

  it('answers 409 to another request with the same key, and writes nothing', async () => {
    const assetUuid = await createAnAsset(server);
    await postAsset({ attributes: { a: 'b' } });
    await postEvent(assetUuid, aRecord());
    const written = server.ledger.records.length;
    for (const other of [{}, { attributes: { a: 'c' } }, { attributes: { a: 'b' }, public: true }]) {
      expectProblem(await postAsset(other), 409, 'IDEMPOTENCY_CONFLICT');
    }
    const timed = aRecord({ timestamp_declared: '2026-01-01T00:00:00Z' });
    for (const other of [timed, aRecord({ event_attributes: { a: 'b' } }), aRecord({ operation: 'Other' })]) {
      expectProblem(await postEvent(assetUuid, other), 409, 'IDEMPOTENCY_CONFLICT');
    }
    expect(server.ledger.records).to.have.length(written);
  });

  // Long enough for requests that came together to be in the handler together.
  const appendSlowly = async (): Promise<void> => {
    for (let turn = 0; turn < 200; turn += 1) await setImmediate();
  };

  it('creates one record for many equal concurrent requests', async () => {
    server.ledger.beforeAppend = appendSlowly;
    const assetUuid = await createAnAsset(server);
    const events = await Promise.all(Array.from({ length: 20 }, () => postEvent(assetUuid, aRecord())));
    const assets = await Promise.all(Array.from({ length: 20 }, () => postAsset({})));
    for (const answers of [events, assets]) {
      expect(new Set(answers.map(({ status }) => status))).to.eql(new Set([200]));
      for (const { body } of answers) expect(body).to.eql(answers[0]!.body);
    }
    expect(server.ledger.records).to.have.length(3);
  });

  it('accepts one of several different concurrent requests', async () => {
    server.ledger.beforeAppend = appendSlowly;
    const requests = Array.from({ length: 8 }, (_, index) => postAsset({ attributes: { a: String(index) } }));
    const statuses = (await Promise.all(requests)).map(({ status }) => status).sort();
    expect(statuses).to.eql([200, ...Array(7).fill(409)]);
    expect(server.ledger.records).to.have.length(1);
  });

  it('leaves the key free when the first request was refused', async () => {
    server.ledger.beforeAppend = async () => {
      throw new LedgerError('OUTBOX_FULL');
    };
    expectProblem(await postAsset({ attributes: { a: 'b' } }), 503, 'OUTBOX_FULL');
    server.ledger.beforeAppend = async () => {};
    expect((await postAsset({ attributes: { c: 'd' } })).status).to.equal(200);
  });

  it('means another record for another caller, another tenant, another asset and another kind', async () => {
    const assetUuid = await createAnAsset(server);
    const otherUuid = await createAnAsset(server);
    const answers = [
      await postAsset({}),
      await postAsset({}, { as: server.tenant.root }),
      await postAsset({}, { as: server.otherTenant.writer }),
      await postEvent(assetUuid, aRecord()),
      await postEvent(otherUuid, aRecord()),
    ];
    expect(new Set(answers.map(({ body }) => body.identity)).size).to.equal(answers.length);
    expect(server.ledger.records).to.have.length(2 + answers.length);
  });

  it('means the same record under both prefixes', async () => {
    const first = await postAsset({});
    const again = await server.request('POST', '/archivist/v2/assets', { json: {}, headers: KEY });
    expect(again.body).to.eql(first.body);
  });

  it('accepts an event with the same key on the asset that it created', async () => {
    const { body } = await postAsset({});
    expect((await postEvent(body.identity.slice('assets/'.length), aRecord())).status).to.equal(200);
  });
});

describe('toKeyedUuid', () => {
  const caller = { tenantIdentity: 'tenant/1', principal: toPrincipal({ issuer: 'i', subject: 's' }) };

  it('is a UUID of version 8, equal for the same four values and no others', () => {
    const uuid = toKeyedUuid(caller, 'p', 'k');
    expect(uuid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(toKeyedUuid({ ...caller, principal: { ...caller.principal, display_name: 'n' } }, 'p', 'k')).to.equal(uuid);
    const others = [
      toKeyedUuid({ ...caller, tenantIdentity: 'tenant/2' }, 'p', 'k'),
      toKeyedUuid({ ...caller, principal: toPrincipal({ issuer: 'i', subject: 't' }) }, 'p', 'k'),
      toKeyedUuid({ ...caller, principal: toPrincipal({ issuer: 'is', subject: '' }) }, 'p', 'k'),
      toKeyedUuid({ ...caller, principal: toPrincipal({ issuer: 'j', subject: 's' }) }, 'p', 'k'),
      toKeyedUuid(caller, 'q', 'k'),
      toKeyedUuid(caller, 'p', 'l'),
      toKeyedUuid(caller, 'pk', ''),
    ];
    expect(new Set([uuid, ...others]).size).to.equal(others.length + 1);
  });
});
