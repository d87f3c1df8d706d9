// Lines of a request after lines of the same asset that the writer refuses: they are checked without these.
import { expect } from 'chai';
import { LedgerError, refuseField } from '../../../../ledger/errors.ts';
import type { LedgerRecord } from '../../../../ledger/records/record.ts';
import { openLineClient } from '../../support/lineClient.ts';
import { postLines, toLines } from '../../support/lines.ts';
import { aRecord, createALocation, createAnAsset } from '../../support/requests.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const isMarked = (record: LedgerRecord): boolean =>
  record.type === 'event' && record.event_attributes.mark === 'refused';

describe('lines after a refused line', () => {
  let server: TestServer;
  let asset: string;
  const aLine = (behaviour: string, operation: string, changes: Record<string, unknown> = {}) =>
    aRecord({ asset_identity: `assets/${asset}`, behaviour, operation, ...changes });
  const aChange = (operation: 'Add' | 'Remove', name: string, mark = 'recorded') =>
    aLine('Builtin', operation, { event_attributes: { arc_behaviour_name: name, mark } });
  const anUpdate = (changes: Record<string, unknown> = {}) =>
    aLine('Firmware', 'Update', {
      event_attributes: { arc_description: 'new' },
      asset_attributes: { arc_firmware_version: '1' },
      ...changes,
    });
  const post = async (lines: readonly unknown[]): Promise<string[]> => {
    const results = await postLines(server, toLines(lines), { query: '?fields=identity' });
    return results.map(({ status, error }) => error?.details[0]?.error ?? status);
  };

  beforeEach(async () => {
    server = await startTestServer();
    asset = await createAnAsset(server, { behaviours: ['RecordEvidence'] });
    server.ledger.beforeBegin = (record) => {
      if (isMarked(record)) throw refuseField('RECORD_TOO_LARGE', 'body', 'is too large');
    };
  });
  afterEach(async () => {
    expect(server.unexpected).to.eql([]);
    await server.close();
  });

  it('do not use a behaviour that a refused line adds', async () => {
    const lines = [
      anUpdate(),
      aChange('Add', 'Firmware', 'refused'),
      anUpdate(),
      aChange('Add', 'Firmware'),
      anUpdate(),
    ];
    expect(await post(lines)).to.eql(['BEHAVIOUR_NOT_LISTED', 'RECORD_TOO_LARGE', 'BEHAVIOUR_NOT_LISTED', 200, 200]);
    const { body } = await server.request('GET', `/svc/v2/assets/${asset}/events`);
    expect(body.events.map(({ operation }: { operation: string }) => operation)).to.eql(['Update', 'Add', 'NewAsset']);
  });

  it('have the behaviour that a refused line removes', async () => {
    const lines = [aChange('Remove', 'RecordEvidence', 'refused'), aLine('RecordEvidence', 'Record')];
    expect(await post(lines)).to.eql(['RECORD_TOO_LARGE', 200]);
  });

  it('of other assets are recorded in their places', async () => {
    const other = await createAnAsset(server, { behaviours: ['RecordEvidence'] });
    const ofOther = { ...aLine('RecordEvidence', 'Record'), asset_identity: `assets/${other}` };
    const refused = aChange('Add', 'Firmware', 'refused');
    const results = await post([
      refused,
      ofOther,
      refused,
      refused,
      anUpdate(),
      ofOther,
      aLine('RecordEvidence', 'Record'),
    ]);
    const [large, unlisted] = ['RECORD_TOO_LARGE', 'BEHAVIOUR_NOT_LISTED'];
    expect(results).to.eql([large, 200, large, large, unlisted, 200, 200]);
  });

  it('may have its key', async () => {
    const key = { idempotency_key: 'key' };
    const lines = [
      { ...aChange('Add', 'Firmware', 'refused'), ...key },
      { ...aLine('RecordEvidence', 'Record'), ...key },
      { ...aLine('RecordEvidence', 'Record'), ...key },
      { ...aChange('Add', 'Firmware'), ...key },
    ];
    expect(await post(lines)).to.eql(['RECORD_TOO_LARGE', 200, 200, 'IDEMPOTENCY_CONFLICT']);
    expect(server.ledger.records.filter((record) => record.type === 'event')).to.have.length(2);
  });

  it('follow a refusal that names the line, not the body', async () => {
    const [{ error }] = await postLines(server, toLines([aChange('Add', 'Firmware', 'refused')]));
    expect(error.details[0]).to.deep.include({ error: 'RECORD_TOO_LARGE', field: 'line' });
  });

  it('are checked again when it is refused during their check', async () => {
    const { identity: location } = await createALocation(server);
    const refused = Promise.withResolvers<void>();
    const appending = Promise.withResolvers<void>();
    server.ledger.beforeAppend = (record) => {
      appending.resolve();
      return record.type === 'event' && record.operation === 'Add' ? refused.promise : Promise.resolve();
    };
    const checking = Promise.withResolvers<void>();
    const checked = Promise.withResolvers<void>();
    const { view } = server.ledger;
    const { readLocation } = view;
    Object.assign(view, {
      readLocation: async (...args: Parameters<typeof readLocation>) => {
        checking.resolve();
        await checked.promise;
        return readLocation(...args);
      },
    });
    const client = await openLineClient(server);
    client.write(toLines([aChange('Add', 'Firmware')]));
    await appending.promise;
    const atHome = { arc_home_location_identity: location };
    client.write(toLines([aLine('RecordEvidence', 'Record', { asset_attributes: atHome }), anUpdate()]));
    await checking.promise;
    refused.reject(new LedgerError('STORAGE_FULL'));
    expect((await client.read()).error.details[0].error).to.equal('STORAGE_FULL');
    checked.resolve();
    expect((await client.read()).status).to.equal(200);
    expect((await client.read()).error.details[0].error).to.equal('BEHAVIOUR_NOT_LISTED');
    client.sent.end();
  });
});
