// Chains of sealed headers of QBFT and clique, and a node that has them.
import type { JsonRpcClient } from '../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../chain/jsonRpc/nodeMarks.ts';
import { type Header, sealBft, sealClique } from './sealedHeaders.ts';

/** A block of a chain: who sealed it, and its time. */
export interface SealedBlock {
  readonly sealers: readonly number[];
  readonly seconds: number;
  /** Of BFT. Default: 0. */
  readonly round?: number;
  /** Whether it has transactions. Default: false. */
  readonly isFull?: boolean;
}

const ROOT_OF_SOME = `0x${'17'.repeat(32)}`;
const toQuantity = (number: number): string => `0x${number.toString(16)}`;

const toFields = ({ seconds, isFull }: SealedBlock, number: number, parent: Header | undefined): Header => ({
  number: toQuantity(number),
  timestamp: toQuantity(seconds),
  ...(parent && { parentHash: parent.hash! }),
  ...(isFull && { transactionsRoot: ROOT_OF_SOME }),
});

const link = (
  blocks: readonly SealedBlock[],
  seal: (block: SealedBlock, fields: Header, number: number) => Header,
): Header[] => {
  const headers: Header[] = [];
  for (const [at, block] of blocks.entries()) headers.push(seal(block, toFields(block, at, headers[at - 1]), at));
  return headers;
};

/** A chain of QBFT or IBFT 2.0, block 0 included; without `validators`, a contract names them. */
export const sealBftChain = (
  engine: 'qbft' | 'ibft2',
  validators: readonly number[],
  blocks: readonly SealedBlock[],
): Header[] =>
  // The hash of block 0 omits nothing.
  link(blocks, ({ sealers, round }, fields, number) =>
    sealBft(number === 0 ? 'qbft' : engine, { validators, sealers, fields, ...(round && { round }) }),
  );

/** A chain of clique, block 0 included, whose signers are named there. */
export const sealCliqueChain = (signers: readonly number[], blocks: readonly SealedBlock[]): Header[] =>
  link(blocks, ({ sealers: [sealer] }, fields, number) =>
    number === 0 ? sealClique({ named: signers, fields }) : sealClique({ sealer: sealer!, fields }),
  );

/** So many blocks, one in each `interval` seconds, sealed as `toSealers` states. */
export const makeBlocks = (
  count: number,
  toSealers: (number: number) => readonly number[],
  { interval = 1, isFull = false } = {},
): SealedBlock[] =>
  Array.from({ length: count }, (_, at) => ({
    sealers: at === 0 ? [] : toSealers(at),
    seconds: 1_000 + at * interval,
    isFull: isFull && at > 0,
  }));

/** A node with these headers, and with further answers by method. */
export const toHeaderClient = (
  readHeaders: () => readonly Header[],
  answers: Readonly<Record<string, unknown>> = {},
): JsonRpcClient => {
  const request: JsonRpcClient['request'] = async (method, [number]) => {
    if (method === 'eth_getBlockByNumber') return readHeaders()[Number(number)] ?? null;
    if (Object.hasOwn(answers, method)) return answers[method];
    throw new Error(`no method ${method}`);
  };
  return {
    name: 'http://node',
    marks: createNodeMarks(() => 0),
    request,
    requestBatch: (calls) => Promise.all(calls.map(({ method, params }) => request(method, params))),
  };
};
