import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createOutbox, type Outbox } from '../../../chain/writing/outbox.ts';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { acceptRecord } from '../../support/acceptRecord.ts';
import { useDirectories } from '../../support/directories.ts';
import { watchBatches, withFailingLevel } from '../../support/levelMethod.ts';
import { runs } from '../../support/propertyRuns.ts';
import { HOSTILE_NAMES } from '../../support/recordParts.ts';
import { A_FAILURE, ALPHA, anEvent, assetOf, aTenantRecord, BETA, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const numbered = (event: number, asset = 1): LedgerRecord => anEvent({ identity: eventOf(asset, event) });
const identitiesOf = (entries: readonly OutboxEntry[]): string[] => entries.map(({ record }) => record.identity);

describe('outbox', () => {
  const makeDirectory = useDirectories();
  const open = (directory: string, entriesMax = 1_000): Promise<Outbox> => createOutbox({ directory, entriesMax });
  /** Stays broken after a failed write. */
  const openBreakable = (directory: string, entriesMax = 1_000): Promise<Outbox> =>
    createOutbox({ directory, entriesMax, recoveryPeriodMs: 600_000 });
  const openNew = async (entriesMax?: number): Promise<Outbox> => open(await makeDirectory(), entriesMax);
  const accept = (outbox: Outbox, record: LedgerRecord, tenantIdentity = ALPHA): Promise<OutboxEntry> =>
    acceptRecord(outbox, tenantIdentity, record, encodePayload(record));

  it('returns an entry with everything that it was given, and its stream', async () => {
    const outbox = await openNew();
    const entry = await accept(outbox, numbered(1));
    expect(entry).to.deep.equal({
      sequence: 1,
      tenantIdentity: ALPHA,
      streamIdentity: assetOf(1),
      record: numbered(1),
      payload: encodePayload(numbered(1)),
      status: 'PENDING',
      reason: '',
    });
    expect(outbox.readEntries()).to.deep.equal([entry]);
    await outbox.close();
  });

  it('has every entry after it is opened again, failed ones included', async () => {
    const directory = await makeDirectory();
    const before = await open(directory);
    const hostile = anEvent({
      identity: eventOf(1, 2),
      event_attributes: Object.fromEntries(HOSTILE_NAMES.map((n) => [n, n])),
    });
    for (const record of [numbered(1), hostile, aTenantRecord(ALPHA), numbered(3)]) await accept(before, record);
    await before.fail(before.readEntries()[1]!, A_FAILURE);
    const entries = before.readEntries();
    await before.close();
    const after = await open(directory);
    expect(after.readEntries()).to.deep.equal(entries);
    expect(
      after.readEntries().map(({ status, reason, failureReason }) => [status, reason, failureReason]),
    ).to.deep.equal([
      ['PENDING', '', undefined],
      ['FAILED', 'the chain refused it', 'AUTHOR_UNAVAILABLE'],
      ['PENDING', '', undefined],
      ['PENDING', '', undefined],
    ]);
    await after.close();
  });

  it('has an entry on the disk before it acknowledges it', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    const accepting = accept(outbox, numbered(1));
    expect(outbox.readEntries()).to.deep.equal([]);
    await accepting;
    const copy = await makeDirectory();
    await cp(directory, copy, { recursive: true });
    const restored = await open(copy);
    expect(identitiesOf(restored.readEntries())).to.deep.equal([eventOf(1, 1)]);
    await Promise.all([outbox.close(), restored.close()]);
  });

  it('keeps the order of acceptance, also for concurrent records and after it is opened again', async () => {
    const directory = await makeDirectory();
    const first = await open(directory);
    const identities = Array.from({ length: 30 }, (_, event) => eventOf(event % 3, event));
    const accepted = await Promise.all(identities.slice(0, 20).map((identity) => accept(first, anEvent({ identity }))));
    expect(identitiesOf(accepted)).to.deep.equal(identities.slice(0, 20));
    await first.close();
    const second = await open(directory);
    await Promise.all(identities.slice(20).map((identity) => accept(second, anEvent({ identity }))));
    expect(identitiesOf(second.readEntries())).to.deep.equal(identities);
    const sequences = second.readEntries().map(({ sequence }) => sequence);
    expect(sequences).to.deep.equal([...new Set(sequences)].sort((a, b) => a - b));
    await second.close();
  });

  it('writes all concurrent records in one synced write', async () => {
    const outbox = await openNew();
    const writes = await watchBatches(() =>
      Promise.all(Array.from({ length: 50 }, (_, event) => accept(outbox, numbered(event)))),
    );
    // The entries, and the newest time of acceptance.
    expect(writes).to.deep.equal([{ size: 51, sync: true }]);
    await outbox.close();
  });

  it('gathers records that arrive during one write for the next', async () => {
    const outbox = await openNew();
    const writes = await watchBatches(async () => {
      const first = accept(outbox, numbered(0));
      await Promise.resolve();
      await Promise.resolve();
      const later = Array.from({ length: 9 }, (_, event) => accept(outbox, numbered(event + 1)));
      await Promise.all([first, ...later]);
    });
    // All have the same time of acceptance.
    expect(writes).to.deep.equal([
      { size: 2, sync: true },
      { size: 9, sync: true },
    ]);
    await outbox.close();
  });

  it('syncs every write, so that a power failure can only cut off the last one', async () => {
    const outbox = await openNew();
    const writes = await watchBatches(async () => {
      const [first, second] = await Promise.all([accept(outbox, numbered(1)), accept(outbox, numbered(2))]);
      await outbox.fail(second, A_FAILURE);
      await outbox.remove([first], 1);
    });
    expect(writes.map(({ sync }) => sync)).to.deep.equal([true, true, true]);
    await outbox.close();
  });

  it('refuses records over its limit, also concurrent ones', async () => {
    const outbox = await openNew(4);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, event) => rejectionOf(accept(outbox, numbered(event)))),
    );
    expect(answers).to.deep.equal([...Array(4).fill('NOT_REFUSED'), ...Array(6).fill('OUTBOX_FULL')]);
    expect(outbox.readEntries()).to.have.length(4);
    await outbox.close();
  });

  it('accepts more when there is capacity again, and never contains a refused one', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory, 2);
    await Promise.all([accept(outbox, numbered(1)), accept(outbox, numbered(2))]);
    expect(await rejectionOf(accept(outbox, numbered(3)))).to.equal('OUTBOX_FULL');
    await outbox.remove([outbox.readEntries()[0]!], 1);
    await accept(outbox, numbered(4));
    expect(await rejectionOf(accept(outbox, numbered(5)))).to.equal('OUTBOX_FULL');
    await outbox.close();
    const again = await open(directory, 2);
    expect(identitiesOf(again.readEntries())).to.deep.equal([eventOf(1, 2), eventOf(1, 4)]);
    expect(await rejectionOf(accept(again, numbered(6)))).to.equal('OUTBOX_FULL');
    await again.close();
  });

  it('has no entry whose write failed, and acknowledges nothing after it until it is opened again', async () => {
    const directory = await makeDirectory();
    const outbox = await openBreakable(directory);
    await accept(outbox, numbered(1));
    await withFailingLevel('batch', async () => {
      const outcomes = await Promise.allSettled([accept(outbox, numbered(2)), accept(outbox, numbered(3))]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    });
    expect(await rejectionOf(accept(outbox, numbered(4)))).to.equal('CHAIN_UNAVAILABLE');
    expect(identitiesOf(outbox.readEntries())).to.deep.equal([eventOf(1, 1)]);
    await outbox.remove(outbox.readEntries(), 1);
    expect(outbox.readEntries()).to.deep.equal([]);
    await outbox.close();
    const again = await open(directory);
    expect(identitiesOf(again.readEntries())).to.deep.equal([eventOf(1, 1)]);
    await accept(again, numbered(5));
    await again.close();
  });

  it('reports what keeps it from accepting records', async () => {
    const outbox = await openBreakable(await makeDirectory(), 1);
    expect([outbox.findHealthIssue(), outbox.pendingCount()]).to.deep.equal([undefined, 0]);
    await accept(outbox, numbered(1));
    expect([outbox.findHealthIssue(), outbox.pendingCount()]).to.deep.equal(['1 records wait for the chain', 1]);
    await outbox.fail(outbox.readEntries()[0]!, A_FAILURE);
    expect([outbox.findHealthIssue(), outbox.pendingCount(), outbox.failedCount()]).to.deep.equal([undefined, 0, 1]);
    await withFailingLevel('batch', () => Promise.allSettled([accept(outbox, numbered(2), BETA)]));
    expect(outbox.findHealthIssue()).to.include('the outbox');
    await outbox.close();
  });

  for (const words of ['IO error: /data/000005.log: No space left on device', 'IO error: x: Disk quota exceeded']) {
    it(`distinguishes a full disk (${words.split(': ').at(-1)}) from other failures`, async () => {
      const outbox = await openBreakable(await makeDirectory());
      const full = Object.assign(new Error('the batch failed'), { cause: new Error(words) });
      await withFailingLevel('batch', () => Promise.allSettled([accept(outbox, numbered(1))]), full);
      expect(await rejectionOf(accept(outbox, numbered(2)))).to.equal('STORAGE_FULL');
      await outbox.close();
    });
  }

  it('can be copied while it is open, as it is at that moment', async () => {
    const outbox = await openNew();
    const entries = [await accept(outbox, numbered(1)), await accept(outbox, numbered(2))];
    await outbox.fail(entries[0]!, A_FAILURE);
    const directory = join(await makeDirectory(), 'copy');
    await outbox.copyTo(directory);
    await accept(outbox, numbered(3));
    const copy = await open(directory);
    expect(copy.readEntries()).to.deep.equal(outbox.readEntries().slice(0, 2));
    await copy.close();
    const again = await outbox.copyTo(directory).catch((error: unknown) => error);
    expect(again).to.be.instanceOf(Error);
    await outbox.close();
  });

  it('reads one stream of one tenant, oldest first', async () => {
    const outbox = await openNew();
    const [first, other] = [await accept(outbox, numbered(1)), await accept(outbox, numbered(2, 2))];
    const second = await accept(outbox, numbered(3));
    const foreign = await accept(outbox, numbered(4), BETA);
    expect(outbox.readStream(ALPHA, assetOf(1))).to.deep.equal([first, second]);
    expect(outbox.readStream(ALPHA, assetOf(2))).to.deep.equal([other]);
    expect(outbox.readStream(BETA, assetOf(1))).to.deep.equal([foreign]);
    expect(outbox.readStream(BETA, assetOf(2))).to.deep.equal([]);
    await outbox.fail(first, A_FAILURE);
    expect(outbox.readStream(ALPHA, assetOf(1)).map(({ status }) => status)).to.deep.equal(['FAILED', 'PENDING']);
    await outbox.remove([second, other], 1);
    expect(identitiesOf(outbox.readStream(ALPHA, assetOf(1)))).to.deep.equal([eventOf(1, 1)]);
    expect(outbox.readStream(ALPHA, assetOf(2))).to.deep.equal([]);
    await outbox.close();
  });

  it('finishes accepting before it closes', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    const accepting = accept(outbox, numbered(1));
    await outbox.close();
    await accepting;
    const again = await open(directory);
    expect(again.readEntries()).to.have.length(1);
    await again.close();
  });

  it('equals a list in memory after any history', async () => {
    type Step = { readonly act: 'accept' | 'fail' | 'remove' | 'reopen'; readonly at: number };
    const steps = fc.array(
      fc.record<Step>({ act: fc.constantFrom('accept', 'accept', 'fail', 'remove', 'reopen'), at: fc.nat() }),
      { maxLength: 15 },
    );
    const check = fc.asyncProperty(steps, async (history) => {
      const directory = await makeDirectory();
      let outbox = await open(directory);
      let model: string[] = [];
      for (const [step, { act, at }] of history.entries()) {
        const entry = outbox.readEntries()[at % Math.max(1, model.length)];
        if (act === 'accept') model.push(`${(await accept(outbox, numbered(step, at % 3))).record.identity} PENDING`);
        if (act === 'fail' && entry) await outbox.fail(entry, A_FAILURE);
        if (act === 'remove' && entry) await outbox.remove([entry], 1);
        if (entry)
          model = model.map((line) =>
            act === 'fail' && line.startsWith(entry.record.identity) ? line.replace('PENDING', 'FAILED') : line,
          );
        if (entry && act === 'remove') model = model.filter((line) => !line.startsWith(entry.record.identity));
        if (act === 'reopen') {
          await outbox.close();
          outbox = await open(directory);
        }
        expect(outbox.readEntries().map(({ record, status }) => `${record.identity} ${status}`)).to.deep.equal(model);
      }
      await outbox.close();
    });
    await fc.assert(check, runs(15));
  });
});
