// Batches that are projected while the previous one is being written must lead to the same rows as batches that are
// written one by one.
import { expect } from 'chai';
import type { RecordLog } from '../../../chain/port.ts';
import { LAYOUT_VERSION, newerRecordsKey } from '../../../indexer/keys.ts';
import { applyLogs } from '../../../indexer/projection/applyLogs.ts';
import type { Cursor } from '../../../indexer/rows/rows.ts';
import type { IndexStore } from '../../../indexer/store.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { CONTRACT } from '../../support/fakeChain.ts';
import { type StepwiseBatch, withStepwiseBatches } from '../../support/levelMethod.ts';
import { toRecordLog, toWord } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, eventOf } from '../../support/records.ts';
import { openIndex, rowsOf } from '../../support/viewFixture.ts';

const toCursor = (blockNumber: number): Cursor => ({
  layoutVersion: LAYOUT_VERSION,
  contract: CONTRACT,
  blockNumber,
  blockHash: toWord(blockNumber),
});

const aColoured = (asset: number, colour: string): LedgerRecord =>
  aCreation({ identity: eventOf(asset, 0), asset_attributes: { colour } });

// The second batch empties the list of red assets, the third adds to it again.
const BATCHES: readonly (readonly LedgerRecord[])[] = [
  [aTenantRecord(ALPHA), aColoured(1, 'red')],
  [anEvent({ identity: eventOf(1, 1), asset_attributes: { colour: 'blue' } })],
  [aColoured(2, 'red')],
];

const toLogs = (batch: readonly LedgerRecord[], at: number): RecordLog[] =>
  batch.map((record, logIndex) => toRecordLog({ record }, at + 1, logIndex));

describe('logs that are applied to an index', () => {
  const makeDirectory = useDirectories();

  const withStore = async <T>(act: (index: Awaited<ReturnType<typeof openIndex>>) => Promise<T>): Promise<T> => {
    const index = await openIndex(await makeDirectory());
    try {
      return await act(index);
    } finally {
      await index.store.close();
    }
  };

  /** Applies all batches; each is written only after the next one was projected. */
  const applyBehind = async (store: IndexStore): Promise<void> => {
    let release = (): void => undefined;
    const hold = async ({ write }: StepwiseBatch): Promise<void> => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await write();
    };
    await withStepwiseBatches(hold, async () => {
      for (const [at, batch] of BATCHES.entries()) {
        const applied = applyLogs(store, { records: toLogs(batch, at), attestations: [] }, toCursor(at + 1));
        release();
        await applied;
        await new Promise(setImmediate);
      }
      release();
      await store.written();
    });
  };

  it('counts those whose payload version is unknown, from the first block on, in any batches', async () => {
    const toLog = (payload: Uint8Array, at: number): RecordLog =>
      toRecordLog({ record: anEvent(), changed: { payload } }, at + 2);
    const sealed = Uint8Array.of(2, 0x7b, 0x7d);
    // No record: without a version, of version 1 and not JSON, of version 1 and not a record's.
    const others = [new Uint8Array(), Uint8Array.of(1, 2), Buffer.from('\u0001{}')];
    const logs = [...others, sealed, Uint8Array.of(0), Uint8Array.of(0x7b)].map(toLog);
    const readRows = (batches: readonly RecordLog[][]) =>
      withStore(async ({ store, take }) => {
        for (const batch of batches) await take(batch);
        return [store.read(newerRecordsKey()), (await rowsOf(store)).length];
      });
    // Besides the count and the cursor: a row of each leaf, those of tree, stream, record and bytes, and three of the
    // author.
    const counted = [{ count: 3, firstBlock: 5 }, 2 + logs.length + 7];
    expect(await readRows([logs])).to.deep.equal(counted);
    expect(await readRows(logs.map((log) => [log]))).to.deep.equal(counted);
    expect(await readRows([logs.slice(0, 3)])).to.deep.equal([undefined, 1 + 3 + 7]);
  });

  it('reads a row that the batch in flight deletes as missing', async () => {
    const expected = await withStore(async ({ store, take }) => {
      for (const [at, batch] of BATCHES.entries()) await take(toLogs(batch, at));
      return rowsOf(store);
    });
    const rows = await withStore(async ({ store }) => {
      await applyBehind(store);
      return rowsOf(store);
    });
    expect(rows).to.deep.equal(expected);
  });

  it('let other events be processed while there are many', async () => {
    const events = Array.from({ length: 1_024 }, (_, at) => anEvent({ identity: eventOf(1, at + 1) }));
    const records = [aTenantRecord(ALPHA), aColoured(1, 'red'), ...events].map((record, at) =>
      toRecordLog({ record }, 1, at),
    );
    await withStore(async ({ store }) => {
      let others = 0;
      let isApplied = false;
      const readCursor = (): void => {
        if (store.readCursor() !== undefined) isApplied = true;
        if (!isApplied) others += 1;
        if (!isApplied) setImmediate(readCursor);
      };
      const applied = applyLogs(store, { records, attestations: [] }, toCursor(1));
      setImmediate(readCursor);
      await applied;
      isApplied = true;
      // The last pause may come after the cursor is shown.
      expect(others).to.be.at.least(3);
    });
  });
});
