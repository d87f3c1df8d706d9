// The bounds of batches, as a run's settings decide them.
import { expect } from 'chai';
import type { SubmittedRecord } from '../../../chain/writing/submission.ts';
import type { ChainOfRun } from '../chains/chainKind.ts';
import type { Fault, Plan } from '../plan/plan.ts';
import type { OpenServer } from '../server/serverProcess.ts';
import { createBounds } from './bounds.ts';

const SETTINGS = {
  outboxEntriesMax: 3,
  batchRecordsMax: 2,
  batchBytesMax: 10,
  transactionsInFlight: 3,
  minedBatchesMax: 2,
};
const toPlan = (chain: Plan['chain']): Plan => ({ seed: 1, chain, settings: SETTINGS, requests: [], faults: [] });
const recordOf = (bytes: number): SubmittedRecord => ({ payload: new Uint8Array(bytes) }) as SubmittedRecord;
const serverOf = (entries: readonly SubmittedRecord[]): OpenServer =>
  ({ ledger: { outbox: { readEntries: () => entries } } }) as unknown as OpenServer;

const findExcess = (batches: readonly (readonly SubmittedRecord[])[], chain: Plan['chain'] = 'network'): string[] => {
  const bounds = createBounds(toPlan(chain));
  const entries: SubmittedRecord[] = [];
  for (const batch of batches) {
    entries.push(...batch);
    bounds.onBatch(batch, serverOf(entries));
  }
  return bounds.check().map(({ text }) => text);
};

describe('the bounds of a run', () => {
  it('limit the records and the bytes of a batch', () => {
    expect(findExcess([[recordOf(5), recordOf(5)]])).to.deep.equal([]);
    expect(findExcess([[recordOf(5), recordOf(6)]])).to.deep.equal(['11 bytes in a batch, not at most 10']);
    expect(findExcess([[recordOf(1), recordOf(1), recordOf(1)]])).to.deep.equal([
      '3 records in a batch, not at most 2',
    ]);
  });

  it('allow a record that is larger than a batch, alone', () => {
    expect(findExcess([[recordOf(11)]])).to.deep.equal([]);
  });

  it('limit the batches that are not completed: those in flight, and those that are mined', () => {
    const batches = Array.from({ length: 6 }, () => [recordOf(1)]);
    expect(findExcess(batches.slice(1))).to.deep.equal([]);
    expect(findExcess(batches)).to.deep.equal(['6 batches not completed, not at most 5']);
    expect(findExcess(batches, 'embedded')).to.deep.equal(['6 batches not completed, not at most 2']);
  });

  it('limit the nonces that wait in pools to one for each submission, and those that faults take', () => {
    const observe = (waiting: number, submissions: number, faults: readonly Fault[] = []): string[] => {
      const bounds = createBounds({ ...toPlan('network'), faults });
      for (let at = 0; at < submissions; at += 1) bounds.onBatch([recordOf(1)], undefined);
      bounds.observe(undefined, { countWaiting: () => waiting } as ChainOfRun);
      return bounds.check().map(({ text }) => text);
    };
    expect(observe(2, 2)).to.deep.equal([]);
    expect(observe(3, 2)).to.deep.equal(['3 nonces that wait in pools, not at most 2']);
    expect(observe(3, 2, [{ kind: 'foreignNonce', atMs: 0 }])).to.deep.equal([]);
    const stray = { kind: 'strayTransactions', atMs: 0, nonces: 3 };
    expect(observe(7, 2, [stray])).to.deep.equal([]);
    expect(observe(8, 2, [stray])).to.deep.equal(['8 nonces that wait in pools, not at most 7']);
  });

  it('count a part of a batch that is submitted again with its batch, and no completed batch', () => {
    const batch = [recordOf(1), recordOf(1)];
    expect(findExcess([batch, batch.slice(0, 1), batch.slice(1), batch])).to.deep.equal([]);
    const bounds = createBounds(toPlan('network'));
    for (let at = 0; at < 5; at += 1) {
      const record = recordOf(1);
      bounds.onBatch([record], serverOf([record]));
    }
    expect(bounds.check()).to.deep.equal([]);
  });
});
