// The turns of the event loop that long work of the index takes.
import { expect } from 'chai';
import { LAYOUT_VERSION } from '../../indexer/keys.ts';
import { applyLogs } from '../../indexer/projection/applyLogs.ts';
import type { Write } from '../../indexer/rows/rows.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { CONTRACT } from '../support/fakeChain.ts';
import { useIndexStores } from '../support/indexStores.ts';
import { toRecordLog, toWord } from '../support/recordLogs.ts';
import { aCreation, eventOf } from '../support/records.ts';

const RECORDS = 1_024;
const RECORDS_TOGETHER = 256;
const TENANTS = 2_048;
const WRITES_TOGETHER = 2_048;
const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber: 1, blockHash: toWord(1) };

describe('what the index does with many items', () => {
  const { openStore } = useIndexStores();

  // Counts the turns that others have while a task runs.
  const countTurns = async (task: () => Promise<unknown>): Promise<number> => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await task();
    isOver = true;
    return turns;
  };
  const records = Array.from({ length: RECORDS }, (_, at) =>
    toRecordLog({ record: aCreation({ identity: eventOf(at, 0) }) }, 1, at),
  );

  it('lets others have a turn after 256 records, and after 256 tenants that it only remembers', async () => {
    const store = await openStore();
    const unserved = new Map<Hex, number>(Array.from({ length: TENANTS }, (_, at) => [toWord(at + 1), 1]));
    let stored = 0;
    const apply = async (writes: readonly Write[]): Promise<void> => {
      stored = writes.length;
    };
    const logs = { records, attestations: [] };
    const turns = await countTurns(() => applyLogs({ read: store.read, apply }, logs, cursor, { unserved }));
    expect(stored).to.be.above(RECORDS + TENANTS);
    expect(turns).to.be.at.least((RECORDS + TENANTS) / RECORDS_TOGETHER);
  });

  it('lets others have a turn while it names and encodes the writes of a batch', async () => {
    const store = await openStore();
    const key = (at: number): Buffer => Buffer.concat([Buffer.from([255]), Buffer.from(toWord(at).slice(2), 'hex')]);
    const writes = Array.from({ length: 8 * WRITES_TOGETHER }, (_, at): Write => ({ key: key(at), value: at }));
    const shown = await countTurns(() => store.apply(writes, cursor));
    const written = await countTurns(store.written);
    expect(shown).to.be.at.least(3);
    expect(written).to.be.at.least(7);
    for (const at of [0, writes.length - 1]) expect(store.read(key(at))).to.equal(at);
  });
});
