// A node in memory: its blocks and its answers to each method, with faults on demand.
import { readHeader } from '../../chain/jsonRpc/headerFields.ts';
import type { JsonRpcClient } from '../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../chain/jsonRpc/nodeMarks.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { type BlockHeader, hashHeader } from '../../ledger/evidence/blockHeader.ts';

type ClientMethod = (...params: never[]) => unknown;

export interface FakeClient extends JsonRpcClient {
  /** Number of the newest block. */
  head: number;
  isDown: boolean;
  /** The chain that the blocks from this number on belong to. */
  fork: { name: string; from: number };
  readonly methods: Record<string, ClientMethod>;
  readonly requested: string[];
}

const toBytes32 = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

const toFields = (chain: string, number: number, parentHash: Hex) => ({
  number: `0x${number.toString(16)}`,
  parentHash,
  sha3Uncles: toBytes32(1),
  miner: `0x${'00'.repeat(20)}`,
  stateRoot: toBytes32(2),
  transactionsRoot: toBytes32(3),
  receiptsRoot: toBytes32(4),
  logsBloom: `0x${'00'.repeat(256)}`,
  difficulty: '0x0',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  timestamp: '0x64',
  extraData: toHex(Buffer.from(chain)),
  mixHash: toBytes32(5),
  nonce: `0x${'00'.repeat(8)}`,
  baseFeePerGas: '0x1',
});

const toHash = (fields: ReturnType<typeof toFields>): Hex => toHex(hashHeader(readHeader(fields) as BlockHeader));

/** Hashes of the chains by name, in order. */
const HASHES = new Map<string, Hex[]>();

/** The hash of a block of a chain; that of a fork is the same as if it had always been a chain of its own. */
export const hashOf = (chain: string, number: number): Hex => {
  const hashes = HASHES.get(chain) ?? [];
  HASHES.set(chain, hashes);
  for (let next = hashes.length; next <= number; next += 1)
    hashes.push(toHash(toFields(chain, next, hashes.at(-1) ?? toBytes32(0))));
  return hashes[number] ?? toBytes32(0);
};

/** A node at block 10 of the chain `one`. */
export const createFakeClient = (name: string): FakeClient => {
  const toNumber = (tag: string): number => (tag.startsWith('0x') ? Number(tag) : client.head);
  const client: FakeClient = {
    name,
    marks: createNodeMarks(() => 0),
    head: 10,
    isDown: false,
    fork: { name: 'one', from: 0 },
    requested: [],
    methods: {
      eth_chainId: () => '0x1',
      eth_getTransactionReceipt: () => null,
      eth_getBlockByNumber: (tag: string) => {
        const number = toNumber(tag);
        if (number > client.head) return null;
        const chain = number >= client.fork.from ? client.fork.name : 'one';
        const parentHash = hashOf(number > client.fork.from ? client.fork.name : 'one', number - 1);
        return { ...toFields(chain, number, parentHash), hash: hashOf(chain, number), transactions: [] };
      },
    },
    request: async (method, params) => {
      client.requested.push(method);
      if (client.isDown) throw new LedgerError('CHAIN_UNAVAILABLE', { message: `${name} is down` });
      return client.methods[method]!(...(params as never[]));
    },
    requestBatch: (calls) => Promise.all(calls.map(({ method, params }) => client.request(method, params))),
  };
  return client;
};
