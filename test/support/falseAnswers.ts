// Kinds of false answers of a node about the blocks, transactions, receipts and logs of a chain.
import { toQuantity } from '../../chain/jsonRpc/toQuantity.ts';
import { RECORD_APPENDED_TOPIC } from '../../chain/recordLog.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import {
  encodeBlockHeader,
  HEADER_FIELDS,
  type HeaderFieldName,
  toBlockHeader,
} from '../../ledger/evidence/blockHeader.ts';

type Json = Record<string, unknown>;
type Log = Json & { topics: string[]; data: string };
type Receipt = Json & { logs: Log[] };

/** A call, and the node's honest answers to others. */
export interface FalsifiedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
}

export interface FalseAnswerKind {
  readonly name: string;
  /** Whether it answers falsely, too, where the honest answer is that there is nothing. Default: false. */
  readonly invents?: boolean;
  /** The false answer; the honest one where the kind doesn't apply. May change the honest one. */
  falsify(honest: never, call: FalsifiedCall): unknown;
}

const OTHER_HASH = `0x${'5a'.repeat(32)}`;
const OTHER_ADDRESS = `0x${'5a'.repeat(20)}`;

const kind = (
  name: string,
  methods: readonly string[],
  change: (honest: never, call: FalsifiedCall) => unknown,
): FalseAnswerKind => ({
  name,
  falsify: (honest, call) => (methods.includes(call.method) ? change(honest, call) : honest),
});

const RECEIPTS = ['eth_getBlockReceipts', 'eth_getTransactionReceipt'];
const BLOCK = ['eth_getBlockByNumber'];

const isRecord = ({ topics }: Log): boolean => topics[0] === RECORD_APPENDED_TOPIC;

// Changes the receipts of one block, or the one of a transaction.
const ofReceipts = (name: string, change: (receipts: Receipt[]) => Receipt[]): FalseAnswerKind =>
  kind(name, RECEIPTS, (honest: Receipt | Receipt[]) =>
    Array.isArray(honest) ? change(honest) : (change([honest])[0] ?? null),
  );

const ofReceipt = (name: string, change: (receipt: Receipt) => Receipt): FalseAnswerKind =>
  ofReceipts(name, (receipts) => receipts.map((one) => (one.logs.some(isRecord) ? change(one) : one)));

const ofLogs = (name: string, change: (logs: Log[]) => Log[]): FalseAnswerKind =>
  ofReceipt(name, (receipt) => ({ ...receipt, logs: change(receipt.logs) }));

const ofLog = (name: string, change: (log: Log) => object): FalseAnswerKind =>
  ofLogs(name, (logs) => logs.map((log) => (isRecord(log) ? { ...log, ...change(log) } : log)));

const flip = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;

// Word `at` of a log's data ends here.
const flipWord = (name: string, at: number): FalseAnswerKind =>
  ofLog(name, ({ data }) => ({ data: flip(data, 2 + 64 * (at + 1) - 1) }));

const flipTopic = (name: string, at: number): FalseAnswerKind =>
  ofLog(name, ({ topics }) => ({ topics: topics.with(at, flip(topics[at]!, 9)) }));

const LOG_KINDS = [
  ofLogs('no log', () => []),
  ofLogs('the first log left out', (logs) => logs.slice(1)),
  ofLogs('a log in the middle left out', (logs) => (logs.length < 3 ? logs : logs.toSpliced(1, 1))),
  ofLogs('the last log left out', (logs) => logs.slice(0, -1)),
  ofLogs('a log invented', (logs) => [...logs, { ...logs[0]!, data: flip(logs[0]!.data, 400) }]),
  ofLogs('a log twice', (logs) => [...logs, logs[0]!]),
  ofLogs('logs in another order', (logs) => logs.toReversed()),
  ofLog('another payload', ({ data }) => ({ data: flip(data, 2 + 64 * 6 + 9) })),
  ofLog('a shorter payload', ({ data }) => ({ data: data.slice(0, -64) })),
  flipWord('another author', 0),
  flipWord('another sequence', 1),
  flipWord('another digest', 2),
  ofLog('another head', ({ data }) => ({ data: flip(data, 2 + 64 * 3) })),
  flipTopic('another tenant', 1),
  flipTopic('another stream', 2),
  flipTopic('another record', 3),
  flipTopic('another event', 0),
  ofLog('a topic left out', ({ topics }) => ({ topics: topics.slice(0, 3) })),
  ofLog('a log of another contract', () => ({ address: OTHER_ADDRESS })),
  ofLog('a log of another block', () => ({ blockHash: OTHER_HASH })),
  ofLog('a log of another block number', () => ({ blockNumber: '0x1' })),
  ofLog('a log of another transaction', () => ({ transactionHash: OTHER_HASH })),
  ofLog('a log at another place', () => ({ logIndex: '0x77' })),
  ofLog('a log that was removed', () => ({ removed: true })),
] as const;

const RECEIPT_KINDS = [
  ofReceipts('no receipt', () => []),
  ofReceipts('the last receipt left out', (receipts) => receipts.slice(0, -1)),
  ofReceipts('receipts in another order', (receipts) => receipts.toReversed()),
  ofReceipts('a receipt twice', (receipts) => [...receipts, ...receipts.slice(-1)]),
  ofReceipt('another status', (receipt) => ({ ...receipt, status: '0x0' })),
  ofReceipt('other gas', (receipt) => ({ ...receipt, cumulativeGasUsed: '0x5208' })),
  ofReceipt('another type of a receipt', (receipt) => ({ ...receipt, type: '0x1' })),
  ofReceipt("another receipt's filter", (receipt) => ({ ...receipt, logsBloom: `0x${'ff'.repeat(256)}` })),
  ofReceipt('the receipt of another transaction', (receipt) => ({ ...receipt, transactionHash: OTHER_HASH })),
  kind('receipts of the block before', ['eth_getBlockReceipts'], async (_honest, { params: [number], ask }) =>
    ask('eth_getBlockReceipts', [toQuantity(Number(number) - 1)]),
  ),
];

type Block = Json & { transactions: (string | Json)[] };

// Block 0 identifies the chain; tags ask for the head, which is the node's word.
const isNumbered = ({ params: [tag] }: FalsifiedCall): boolean => Number(tag) > 0;

const ofBlock = (name: string, change: (block: Block, call: FalsifiedCall) => unknown): FalseAnswerKind =>
  kind(name, BLOCK, (honest: Block, call) => (isNumbered(call) ? change(honest, call) : honest));

const flipLast = (text: string): string => flip(text, text.length - 1);

/** One kind for each field that the headers of a chain have. */
export const toHeaderKinds = (block: Readonly<Json>): FalseAnswerKind[] =>
  HEADER_FIELDS.filter(([name]) => block[name] != null).map(([name]) =>
    ofBlock(`another ${name} of a header`, (one) => ({
      ...one,
      [name]: one[name] === '0x' ? '0x01' : flipLast(String(one[name])),
    })),
  );

// The same block with its hash, when some of its fields are changed.
const hashAgain = (block: Block): Block => {
  const fields = new Map<HeaderFieldName, Uint8Array>();
  for (const [name, type] of HEADER_FIELDS) {
    if (block[name] == null) continue;
    const digits = String(block[name]).slice(2);
    const number = digits.replace(/^0+/, '');
    const even = number.length % 2 === 0 ? number : `0${number}`;
    fields.set(name, fromHex(`0x${type === 'quantity' ? even : digits}`));
  }
  return { ...block, hash: toHex(keccak256(encodeBlockHeader(toBlockHeader(fields)!))) };
};

const forge = (name: string, change: (block: Block) => object): FalseAnswerKind =>
  ofBlock(name, (block) => hashAgain({ ...block, ...change(block) }));

const ofTransactions = (name: string, change: (transactions: Json[]) => Json[]): FalseAnswerKind =>
  ofBlock(name, (block) =>
    typeof block.transactions[0] === 'object'
      ? { ...block, transactions: change(block.transactions as Json[]) }
      : block,
  );

const ofTransaction = (name: string, change: (transaction: Json) => object): FalseAnswerKind =>
  ofTransactions(name, (transactions) => transactions.map((one) => ({ ...one, ...change(one) })));

const BLOCK_KINDS = [
  ofBlock('another hash of a block', (block) => ({ ...block, hash: OTHER_HASH })),
  ofBlock('an old block', (_block, { params: [number, isFull], ask }) =>
    ask('eth_getBlockByNumber', [toQuantity(Number(number) - 1), isFull]),
  ),
  ofBlock('an old block under this number', async (block, { params: [number, isFull], ask }) => {
    const old = (await ask('eth_getBlockByNumber', [toQuantity(Number(number) - 1), isFull])) as Block;
    return hashAgain({ ...old, number: block.number });
  }),
  forge('an own filter without logs', () => ({ logsBloom: `0x${'00'.repeat(256)}` })),
  forge('an own filter with all logs', () => ({ logsBloom: `0x${'ff'.repeat(256)}` })),
  forge('an own time', ({ timestamp }) => ({ timestamp: toQuantity(Number(timestamp) + 1) })),
  forge('own roots', () => ({ receiptsRoot: OTHER_HASH, transactionsRoot: OTHER_HASH })),
  forge('an own parent', () => ({ parentHash: OTHER_HASH })),
  ofBlock("another chain's header", (block) => hashAgain({ ...block, parentHash: OTHER_HASH, stateRoot: OTHER_HASH })),
  ofTransaction('another hash of a transaction', () => ({ hash: OTHER_HASH })),
  ofTransaction('another call of a transaction', ({ input }) => ({ input: `${String(input)}00` })),
  ofTransaction('another value of a transaction', () => ({ value: '0x77' })),
  ofTransaction('another nonce of a transaction', () => ({ nonce: '0x7777' })),
  ofTransactions('no transaction', () => []),
  ofTransactions('transactions in another order', (transactions) => transactions.toReversed()),
  ofTransactions('a transaction twice', (transactions) => [...transactions, ...transactions]),
];

// Headers of a chain that forks before a block and has its own roots, up to the block before `final`.
const toForked = async ({ ask }: FalsifiedCall, number: number, isFull: unknown, from: number): Promise<Block> => {
  const block = (await ask('eth_getBlockByNumber', [toQuantity(number), isFull])) as Block;
  if (number < from) return block;
  const call: FalsifiedCall = { method: '', params: [], ask };
  const parent = await toForked(call, number - 1, false, from);
  return hashAgain({ ...block, parentHash: parent.hash, stateRoot: OTHER_HASH });
};

/** A chain that forks at block `from`, with own roots and right hashes. Tags show the honest chain. */
export const forkAt = (from: number): FalseAnswerKind =>
  ofBlock('a forked chain', (_block, call) => toForked(call, Number(call.params[0]), call.params[1], from));

/** The same, with its own head. */
export const forkWithHead = (from: number): FalseAnswerKind =>
  kind('a forked chain with its head', BLOCK, (block: Block, call) =>
    Number(block.number) < from ? block : toForked(call, Number(block.number), call.params[1], from),
  );

/** A receipt of each transaction that isn't mined, in the newest block. */
export const INVENTED_RECEIPT: FalseAnswerKind = {
  name: 'an invented receipt',
  invents: true,
  falsify: async (honest: unknown, { method, params: [transactionHash], ask }: FalsifiedCall) => {
    if (method !== 'eth_getTransactionReceipt' || honest !== null) return honest;
    const { number, hash } = (await ask('eth_getBlockByNumber', ['latest', false])) as Block;
    return { transactionHash, blockNumber: number, blockHash: hash, status: '0x1', gasUsed: '0x5208' };
  },
};

/** Headers without the form of the protocol, of numbered blocks. Tags show honest ones. */
export const INVALID_HEADERS = ofBlock('an invalid header', (block) => ({ ...block, stateRoot: '0x' }));

/** Kinds of false answers that are the same on every chain. */
export const FALSE_ANSWERS: readonly FalseAnswerKind[] = [...LOG_KINDS, ...RECEIPT_KINDS, ...BLOCK_KINDS];
