// A node in memory: its blocks and its answers to each method, with faults on demand.
import type { JsonRpcClient } from '../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../chain/jsonRpc/nodeMarks.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { LedgerError } from '../../ledger/errors.ts';

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

export const hashOf = (chain: string, number: number): Hex => toHex(keccak256(Buffer.from(`${chain} ${number}`)));

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
        const hash = hashOf(chain, number);
        return {
          number: `0x${number.toString(16)}`,
          hash,
          parentHash: hashOf(number > client.fork.from ? client.fork.name : 'one', number - 1),
          transactions: [],
          timestamp: '0x64',
          gasLimit: '0x1c9c380',
          baseFeePerGas: '0x1',
        };
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
