// A chain and an index in memory, as the write path sees them: the contract's rules (all of a transaction or nothing,
// each record exactly once), and faults where real ones happen. Time and order are the test's.
import type { IndexedRecords } from '../../chain/writing/entryCompleter.ts';
import type { Submission, SubmittedRecord } from '../../chain/writing/submission.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { type Commitment, toUncommitted } from '../../ledger/records/commitment.ts';

/**
 * The outcome of one submission: success; the chain is unavailable; it is mined and the answer is lost, with an index
 * that follows the chain or one that doesn't; it is mined and the index can't apply its block.
 */
export const FAULTS = ['none', 'away', 'answerLost', 'answerLostIndexBehind', 'indexAway'] as const;
export type Fault = (typeof FAULTS)[number];

export interface FakeChainAndIndex {
  readonly submission: Submission;
  readonly index: IndexedRecords;
  /** Identities of the records of each transaction that was submitted, mined or not. */
  readonly submitted: string[][];
  /** Records on the chain, in their order. */
  readonly appended: SubmittedRecord[];
  /** Faults of the following submissions; later ones have none. */
  readonly faults: Fault[];
  /** Number of following reads of the index that reject. */
  failingLooks: number;
  /** Runs before each submission; may wait. */
  beforeSubmit: () => Promise<void>;
  /** Runs before the index applies a block; may wait. */
  beforeCatchUp: () => Promise<void>;
  /** Whether the contract refuses a record. */
  refuses: (record: SubmittedRecord) => boolean;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
const unavailable = (): LedgerError => new LedgerError('CHAIN_UNAVAILABLE');

const createState = () => ({
  blocks: 0,
  indexedBlocks: 0,
  isIndexAway: false,
  blockOf: new Map<SubmittedRecord, number>(),
});

export const createFakeChainAndIndex = (): FakeChainAndIndex => {
  const state = createState();
  const { blockOf } = state;
  const find = (tenantIdentity: string, identity: string): SubmittedRecord | undefined =>
    fake.appended.find((known) => known.tenantIdentity === tenantIdentity && known.record.identity === identity);

  // Whether the contract accepts the record; a record that it already has changes nothing.
  const append = (record: SubmittedRecord): boolean => {
    const known = find(record.tenantIdentity, record.record.identity);
    if (known !== undefined) return isSame(known.payload, record.payload);
    if (fake.refuses(record)) return false;
    fake.appended.push(record);
    blockOf.set(record, state.blocks);
    return true;
  };

  // Mines one transaction: all of its records or none. Returns whether it logged an event.
  const mine = (records: readonly SubmittedRecord[]): boolean => {
    state.blocks += 1;
    const { length } = fake.appended;
    if (!records.every(append)) fake.appended.length = length;
    return fake.appended.length > length;
  };

  const toCommitment = (record: SubmittedRecord): Commitment | undefined => {
    const block = blockOf.get(record);
    if (block === undefined || block > state.indexedBlocks) return undefined;
    return { ...toUncommitted('PENDING'), confirmation_status: 'CONFIRMED', block_number: block };
  };

  const fake: FakeChainAndIndex = {
    submitted: [],
    appended: [],
    faults: [],
    failingLooks: 0,
    beforeSubmit: async () => undefined,
    beforeCatchUp: async () => undefined,
    refuses: () => false,
    submission: {
      submit: async (records) => {
        fake.submitted.push(records.map(({ record }) => record.identity));
        await fake.beforeSubmit();
        const fault = fake.faults.shift() ?? 'none';
        if (fault === 'away') throw unavailable();
        const emittedLogs = mine(records);
        if (fault === 'answerLost') state.indexedBlocks = state.blocks;
        if (fault.startsWith('answerLost')) throw unavailable();
        state.isIndexAway = fault === 'indexAway';
        const account = { address: '0x', nonce: state.blocks } as const;
        return { hash: '0x', blockNumber: state.blocks, outcome: emittedLogs ? 'succeeded' : 'unknown', account };
      },
      awaitFinal: async (mined) => mined,
      awaitReplaced: async () => undefined,
      findRemovedAuthor: async () => undefined,
      isPresent: async ({ tenantIdentity, record }) => find(tenantIdentity, record.identity) !== undefined,
    },
    index: {
      catchUpTo: async () => {
        await fake.beforeCatchUp();
        const { isIndexAway } = state;
        state.isIndexAway = false;
        if (isIndexAway) throw unavailable();
        state.indexedBlocks = state.blocks;
      },
      readCommitments: async (records) => {
        if (fake.failingLooks > 0) {
          fake.failingLooks -= 1;
          throw Object.assign(new Error('the disk does not answer'), { code: 'LEVEL_IO_ERROR' });
        }
        return records.map(({ tenantIdentity, record, payload }) => {
          const known = find(tenantIdentity, record.identity);
          return known !== undefined && isSame(known.payload, payload) ? toCommitment(known) : undefined;
        });
      },
      readOthers: async (records) =>
        records.map(({ tenantIdentity, record, payload }) => {
          const known = find(tenantIdentity, record.identity);
          return known !== undefined && !isSame(known.payload, payload) ? toCommitment(known) : undefined;
        }),
    },
  };
  return fake;
};
