// Which records may follow later ones of their asset.
import { expect } from 'chai';
import type { ChainRecord } from './chainChecks.ts';
import { findLate } from './lateRecords.ts';
import { checkOrder } from './orderChecks.ts';
import type { RecordSubmissions } from './submissions.ts';

const [LATE, OTHER] = ['assets/1/events/late', 'assets/1/events/other'];
const AGAIN_MS = 500;
const NONE = { reverted: new Set<string>(), replaced: new Set<string>() };

const recordOf = (identity: string, timestamp_accepted: string): ChainRecord =>
  ({
    log: { streamKey: 'assets/1' },
    record: { type: 'event', operation: 'Record', identity, timestamp_accepted },
    label: identity,
  }) as unknown as ChainRecord;

const submittedAt = (...atMs: number[]): RecordSubmissions => ({
  firstMs: atMs[0]!,
  lastMs: atMs.at(-1)!,
  process: undefined,
  processMs: atMs.at(-1)!,
  isAgain: atMs.length > 1,
});

// On the chain, the record that was accepted first follows the other one.
const findWrong = (otherMs: number, refused: readonly string[]): string[] => {
  const records = [recordOf(OTHER, '2026-01-01T00:00:02Z'), recordOf(LATE, '2026-01-01T00:00:01Z')];
  const submissions = new Map([
    [LATE, submittedAt(100, AGAIN_MS)],
    [OTHER, submittedAt(otherMs)],
  ]);
  const late = findLate({ undone: NONE, refused: new Set(refused), submissions });
  return checkOrder({ history: { requests: [] } as never, records, late, submissions }).map(({ check }) => check);
};

describe('a record that follows a later one', () => {
  it('is wrong', () => {
    expect(findWrong(AGAIN_MS - 1, [])).to.deep.equal(['acceptance times never go back']);
  });

  it('is right when it was refused, and the other one was sent before its next submission', () => {
    expect(findWrong(AGAIN_MS - 1, [LATE])).to.deep.equal([]);
  });

  it('is wrong when the other one was sent after that', () => {
    expect(findWrong(AGAIN_MS + 1, [LATE])).to.deep.equal(['acceptance times never go back']);
  });
});
