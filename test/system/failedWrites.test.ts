// A complete ledger while one of its databases cannot be written: records that were answered PENDING become CONFIRMED
// without a restart.
import { expect } from 'chai';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { FULL, withFailingLevel, withStepwiseBatches } from '../support/levelMethod.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { until } from '../support/until.ts';

describe('a ledger that cannot write', () => {
  const shared = useSharedLedger({ commitWaitMs: 300 });
  const faults: [name: string, fail: (act: () => Promise<unknown>) => Promise<void>][] = [
    ['chain', (act) => withFailingLevel('put', act, FULL)],
    ['index', (act) => withStepwiseBatches(() => Promise.reject(FULL), act)],
  ];
  for (const [name, fail] of faults) {
    it(`its ${name} answers PENDING, lists the records as PENDING, and later confirms each record once`, async () => {
      const { ledger, alpha } = shared();
      const asset = await alpha.createAsset();
      const findHealthIssues = createFindHealthIssues(
        () => readLedgerState(ledger),
        () => false,
      );
      const events: EventResource[] = [];
      await fail(async () => {
        for (const note of ['first', 'second']) events.push((await alpha.record(asset, note)).body);
        expect((await findHealthIssues()).map(({ name: issue }) => issue)).to.deep.equal([name]);
        expect((await alpha.get(asset.identity)).status).to.equal(200);
      });
      expect(events.map(({ confirmation_status: status }) => status)).to.deep.equal(['PENDING', 'PENDING']);
      await until(async () => ledger.outbox.pendingCount() === 0 && (await findHealthIssues()).length === 0);
      const { body } = await alpha.get<{ events: EventResource[] }>(`${asset.identity}/events`);
      const recorded = body.events.filter(({ operation }) => operation === 'Record').reverse();
      expect(recorded.map(({ identity }) => identity)).to.deep.equal(events.map(({ identity }) => identity));
      expect(recorded.every((event) => event.confirmation_status === 'CONFIRMED')).to.equal(true);
    });
  }

  it('answers a write that is under way when the whole disk fills, and records it once', async () => {
    const { ledger, alpha } = shared();
    const asset = await alpha.createAsset();
    const record = async () => {
      const { status, body } = await alpha.record(asset, 'first');
      expect([status, (body as unknown as { details: { error: string }[] }).details[0]?.error]).to.deep.equal([
        503,
        'STORAGE_FULL',
      ]);
    };
    await withFailingLevel('put', () => withFailingLevel('batch', record, FULL), FULL);
    await until(async () => ledger.outbox.pendingCount() === 0);
    const { body } = await alpha.get<{ events: EventResource[] }>(`${asset.identity}/events`);
    const recorded = body.events.filter(({ operation }) => operation === 'Record');
    expect(recorded.map((event) => event.confirmation_status)).to.deep.equal(['CONFIRMED']);
  });
});
