import { expect } from 'chai';
import fc from 'fast-check';
import { codePoints } from '../../../support/codePoints.ts';
import { runs } from '../../../support/propertyRuns.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { OWNER } from '../../support/fakeLedger.ts';
import { useServer } from '../../support/useServer.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

describe('POST v2/assets', () => {
  const server = useServer();
  const create = (json: unknown) => server.request('POST', '/svc/v2/assets', { json });

  it('answers with the complete asset, every default filled in', async () => {
    const { status, body } = await create({});
    expect(status).to.equal(200);
    expect(body.identity).to.match(new RegExp(`^assets/${UUID}$`));
    expect(body).to.eql({
      identity: body.identity,
      behaviours: ['AssetCreator', 'Builtin', 'RecordEvidence'],
      attributes: {},
      confirmation_status: 'CONFIRMED',
      tracked: 'TRACKED',
      owner: OWNER,
      at_time: '2026-11-20T10:15:30.123Z',
      tenant_identity: server.tenant.identity,
      chain_id: '31337',
      proof_mechanism: 'KHIPU',
      public: false,
      storage_integrity: 'TENANT_STORAGE',
    });
  });

  it('records the creation as the first event', async () => {
    const attributes = { arc_display_name: 'Fire door', photos: [{ name: 'a.jpg' }], size: { height: '2 m' } };
    const { body } = await create({ attributes, behaviours: ['Firmware', 'Firmware'], public: true });
    const record = server.ledger.records.at(-1)!;
    const principal = {
      issuer: server.tokens.issuer,
      subject: server.tenant.writer.subject,
      display_name: server.tenant.writer.name,
      email: '',
    };
    expect(record).to.eql({
      type: 'event',
      identity: record.identity,
      behaviour: 'AssetCreator',
      operation: 'NewAsset',
      event_attributes: {},
      asset_attributes: attributes,
      asset_settings: {
        behaviours: ['AssetCreator', 'Builtin', 'Firmware'],
        proof_mechanism: 'KHIPU',
        public: true,
      },
      timestamp_accepted: '2026-11-20T10:15:30.123Z',
      timestamp_declared: '2026-11-20T10:15:30.123Z',
      principal_accepted: principal,
      principal_declared: principal,
    });
    expect(record.identity).to.match(new RegExp(`^${body.identity}/events/${UUID}$`));
    expect(body).to.deep.include({ attributes, public: true, behaviours: ['AssetCreator', 'Builtin', 'Firmware'] });
  });

  it('accepts and ignores chain_id and storage_integrity', async () => {
    for (const chain_id of [8275561723, '8275561723']) {
      const { status, body } = await create({ chain_id, storage_integrity: 'LEDGER' });
      expect(status).to.equal(200);
      expect(body).to.include({ chain_id: '31337', storage_integrity: 'TENANT_STORAGE' });
    }
  });

  it('keeps every documented proof mechanism', async () => {
    for (const proof_mechanism of ['KHIPU', 'SIMPLE_HASH', 'MERKLE_LOG']) {
      expect((await create({ proof_mechanism })).body).to.include({ proof_mechanism });
    }
  });

  it('keeps attributes of any name and value as they are', async () => {
    const text = fc.string({ unit: codePoints, maxLength: 20 });
    const name = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'toString', 'a/b~c'),
      text.filter((t) => t !== ''),
    );
    const map = fc.array(fc.tuple(name, text), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
    const value = fc.oneof(text, map, fc.array(map, { maxLength: 3 }));
    const attributes = fc.array(fc.tuple(name, value), { maxLength: 5 }).map((entries) => Object.fromEntries(entries));
    const isKept = async (given: object) => {
      const { status, body } = await create({ attributes: given });
      expect(status).to.equal(200);
      expect(JSON.stringify(body.attributes)).to.equal(JSON.stringify(given));
    };
    await fc.assert(fc.asyncProperty(attributes, isKept), runs(100));
  });

  it('refuses an unknown behaviour and names the item', async () => {
    expectProblem(
      await create({ behaviours: ['RecordEvidence', 'Teleport'] }),
      400,
      'BEHAVIOUR_UNKNOWN',
      'behaviours/1',
    );
    expectProblem(await create({ behaviours: ['constructor'] }), 400, 'BEHAVIOUR_UNKNOWN', 'behaviours/0');
  });

  it('answers under both prefixes', async () => {
    const { body } = await server.request('POST', '/archivist/v2/assets', { json: {} });
    const { status } = await server.request('GET', `/svc/v2/${body.identity}`);
    expect(status).to.equal(200);
  });
});
