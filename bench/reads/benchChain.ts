// A chain port that generates its blocks when they are fetched, so that a ledger of any size needs little memory. It
// measures the cost of that, so that it can be subtracted from the follower's.
import type { FollowedChain, RecordLog } from '../../chain/port.ts';
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { createRandom } from '../random.ts';
import { type Cost, minus, plus, readCost } from './cost.ts';
import type { BenchTenant } from './readsLedger.ts';

/** The address of the contract whose logs the chain has. */
export const BENCH_CONTRACT: Hex = `0x${'c0'.repeat(20)}`;

/** Its EIP-712 domain separator. */
export const BENCH_DOMAIN = toDomainSeparator({ chainId: 1, contract: fromHex(BENCH_CONTRACT) });

const AUTHOR: Hex = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
/** The most records of one transaction of an installation. */
const BLOCK_RECORDS_MAX = 200;
/** One of this many blocks belongs to the second tenant. */
const SECOND_TENANT_EVERY = 50;

interface Block {
  readonly tenant: BenchTenant;
  readonly records: number;
  readonly timestampSeconds: number;
}

/** A chain that can be read once, from its beginning. */
export interface BenchChain extends FollowedChain {
  readonly blocks: number;
  /** The cost of generating logs so far. */
  readonly generation: () => Cost;
}

/** The hash of a block. */
export const hashOf = (block: number): Hex => toHex(keccak256(Buffer.from(`block ${block}`)));

// Blocks of 1 to 200 records, whose sizes are uniformly distributed on a logarithmic scale.
const planBlocks = (first: BenchTenant, second: BenchTenant): Block[] => {
  const random = createRandom(first.events);
  const left = new Map([first, second].map((tenant) => [tenant, tenant.events + 1]));
  const blocks: Block[] = [];
  while ([...left.values()].some((records) => records > 0)) {
    const turn = blocks.length % SECOND_TENANT_EVERY === SECOND_TENANT_EVERY - 1 ? second : first;
    const tenant = left.get(turn)! > 0 ? turn : turn === first ? second : first;
    const records = Math.min(left.get(tenant)!, Math.floor((BLOCK_RECORDS_MAX + 1) ** random()));
    left.set(tenant, left.get(tenant)! - records);
    const last = tenant.events - left.get(tenant)!;
    blocks.push({ tenant, records, timestampSeconds: Math.ceil(tenant.toCommittedMs(last) / 1000) });
  }
  return blocks;
};

const createKeys = () => {
  const keys = new Map<string, Hex>();
  return (identity: string): Hex => {
    const key = keys.get(identity) ?? toHex(toKey(identity));
    keys.set(identity, key);
    return key;
  };
};

const toContent = (record: LedgerRecord, keyOf: (identity: string) => Hex) => ({
  streamKey: keyOf(toStreamIdentityOf(record)),
  recordKey: toHex(toKey(record.identity)),
  author: AUTHOR,
  payload: encodePayload(record),
});

type Content = ReturnType<typeof toContent> & { readonly tenantKey: Hex };

// Computes what the contract does: digests, and the ends of streams.
const createStreams = () => {
  const ends = new Map<string, { readonly sequence: number; readonly head: Uint8Array }>();
  return (content: Content): Pick<RecordLog, 'digest' | 'sequence' | 'head'> => {
    const { tenantKey, streamKey, recordKey, author, payload } = content;
    const digest = toRecordDigest(BENCH_DOMAIN, {
      tenantKey: fromHex(tenantKey),
      streamKey: fromHex(streamKey),
      recordKey: fromHex(recordKey),
      author: fromHex(author),
      payload,
    });
    const name = `${tenantKey} ${streamKey}`;
    const { sequence, head } = ends.get(name) ?? { sequence: 0, head: EMPTY_HEAD };
    const end = { sequence: sequence + 1, head: advanceHead(head, digest) };
    ends.set(name, end);
    return { digest: toHex(digest), sequence: end.sequence, head: toHex(end.head) };
  };
};

/** A block's place in the chain and in time. */
export interface LoggedBlock {
  readonly number: number;
  readonly timestampSeconds: number;
}

/** Returns the function that converts the records of one tenant in a block to its logs. */
export const createToLogs = () => {
  const keyOf = createKeys();
  const extend = createStreams();
  return (
    { number, timestampSeconds }: LoggedBlock,
    tenantIdentity: string,
    records: readonly LedgerRecord[],
  ): RecordLog[] => {
    const place = { blockNumber: number, blockHash: hashOf(number), blockTimestampSeconds: timestampSeconds };
    const transaction = { transactionHash: toHex(keccak256(Buffer.from(`transaction ${number}`))) };
    const common = { tenantKey: keyOf(tenantIdentity), ...place, ...transaction, transactionIndex: 0 };
    return records.map((record, logIndex) => {
      const content = { ...toContent(record, keyOf), ...common };
      return { ...content, ...extend(content), logIndex };
    });
  };
};

/** Creates the chain with the records of two tenants. */
export const createBenchChain = (first: BenchTenant, second: BenchTenant): BenchChain => {
  const blocks = planBlocks(first, second);
  const toLogs = createToLogs();
  let generation: Cost = { elapsedMs: 0, cpuMs: 0 };

  const toLogsOf = (number: number): RecordLog[] => {
    const { tenant, records, timestampSeconds } = blocks[number - 1]!;
    return toLogs({ number, timestampSeconds }, tenant.identity, tenant.take(records));
  };

  return {
    blocks: blocks.length,
    generation: () => generation,
    fetchFinalHead: async () => ({ number: blocks.length, hash: hashOf(blocks.length) }),
    fetchBlockHash: async (number) => hashOf(number),
    fetchContractLogs: async ({ fromBlock, toBlock }) => {
      const started = readCost();
      const logs: RecordLog[] = [];
      for (let block = fromBlock; block <= toBlock; block += 1) logs.push(...toLogsOf(block));
      generation = plus(generation, minus(readCost(), started));
      return { records: logs, attestations: [] };
    },
  };
};
