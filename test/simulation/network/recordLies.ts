// Lies about logs, receipts and transactions.
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';
import {
  believed,
  type Fields,
  type Lie,
  type LyingContext,
  type NodeAnswer,
  onObject,
  onResult,
  readBlock,
  survived,
} from './lie.ts';

const BLOCK_RECEIPTS = ['eth_getBlockReceipts'];
const BLOCK = ['eth_getBlockByNumber'];
const RECEIPT = ['eth_getTransactionReceipt'];
const SEND = ['eth_sendRawTransaction'];

const onReceipts = (change: (receipts: Fields[]) => Fields[]): Lie['falsify'] =>
  onResult((result) => (Array.isArray(result) && result.length > 0 ? change(result as Fields[]) : result));

// Changes the logs of receipts that have some.
const onLogs = (change: (logs: Fields[], context: LyingContext) => Fields[]): Lie['falsify'] =>
  onResult((result, context) =>
    Array.isArray(result) && result.some(({ logs }: { logs: unknown[] }) => logs.length > 0)
      ? result.map((receipt: { logs: Fields[] }) => ({ ...receipt, logs: change(receipt.logs, context) }))
      : result,
  );

const alter = (data: unknown): string => `${String(data).slice(0, 192)}${'7'.repeat(4)}${String(data).slice(196)}`;

const ROOT = 'all receipts of a block must rebuild the root in its header';
const HASH = "a block's header must have its hash";

/** Lies about the logs of blocks, and what proves them. */
export const LOG_LIES = {
  omitReceipts: survived(
    BLOCK_RECEIPTS,
    onReceipts(() => []),
    'a block has as many receipts as transactions',
  ),
  omitLogs: survived(
    BLOCK_RECEIPTS,
    onLogs(() => []),
    ROOT,
  ),
  omitSomeLogs: survived(
    BLOCK_RECEIPTS,
    onLogs((logs) => logs.slice(1)),
    ROOT,
  ),
  alteredLogs: survived(
    BLOCK_RECEIPTS,
    onLogs((logs) => logs.map((log) => ({ ...log, data: alter(log.data) }))),
    ROOT,
  ),
  logsOfOtherContract: survived(
    BLOCK_RECEIPTS,
    onLogs((logs) => logs.map((log) => ({ ...log, address: `0x${'99'.repeat(20)}` }))),
    ROOT,
  ),
  logsOfOtherBlock: survived(
    BLOCK_RECEIPTS,
    onLogs((logs, { inventHash }) => logs.map((log) => ({ ...log, blockHash: inventHash() }))),
    'the place of a log follows from its header, transaction and receipt',
  ),
  removedLogs: survived(
    BLOCK_RECEIPTS,
    onLogs((logs) => logs.map((log) => ({ ...log, removed: true }))),
    'a removed log is refused',
  ),
  repeatedLogs: survived(
    BLOCK_RECEIPTS,
    onLogs((logs) => [...logs, ...logs]),
    ROOT,
  ),
  malformedLogs: survived(
    BLOCK_RECEIPTS,
    onLogs((logs) => logs.map((log) => ({ ...log, data: `${String(log.data).slice(0, -2)}` }))),
    ROOT,
  ),
  failedReceipts: survived(
    BLOCK_RECEIPTS,
    onReceipts((receipts) => receipts.map((receipt) => ({ ...receipt, status: '0x0' }))),
    ROOT,
  ),
  clearedBloom: survived(
    BLOCK,
    onObject((block) => ({ ...block, logsBloom: `0x${'00'.repeat(256)}` })),
    HASH,
  ),
  laterBlockTime: survived(
    BLOCK,
    onObject((block) => ({ ...block, timestamp: toQuantity(Number(block.timestamp) + 1) })),
    HASH,
  ),
  otherParent: survived(
    BLOCK,
    onObject((block, { inventHash }) => ({ ...block, parentHash: inventHash() })),
    HASH,
  ),
  otherTransactionHash: survived(
    BLOCK,
    onObject((block, { inventHash }) => ({
      ...block,
      transactions: (block.transactions as unknown[]).map((transaction) =>
        isJsonObject(transaction) ? { ...transaction, hash: inventHash() } : transaction,
      ),
    })),
    'the hash of a transaction is computed, and its bytes must rebuild the root in the header',
  ),
} satisfies Record<string, Lie>;

/** Number of blocks in which a node looks for another transaction. */
const RECENT_BLOCKS = 40;

// The true receipt of another transaction, the newest.
const findOtherReceipt = (context: LyingContext): NodeAnswer | undefined => {
  const oldest = Math.max(0, context.headNumber - RECENT_BLOCKS);
  for (let number = context.headNumber; number > oldest; number -= 1) {
    const { transactions = [] } = readBlock(context, toQuantity(number)) ?? {};
    const other = (transactions as readonly string[]).find((hash) => hash !== context.params[0]);
    if (other !== undefined) return context.ask('eth_getTransactionReceipt', [other]);
  }
  return undefined;
};

// A receipt in the newest block for a transaction that no block has.
const inventReceipt =
  (status: Hex): Lie['falsify'] =>
  (honest, context) => {
    if ('error' in honest || honest.result !== null) return honest;
    const block = readBlock(context, 'latest');
    if (block === undefined) return honest;
    const { number: blockNumber, hash: blockHash } = block;
    return { result: { transactionHash: context.params[0], blockNumber, blockHash, status, logs: [] } };
  };

const UNPROVEN = 'a receipt is proven by the root of its block before a record leaves the outbox';

/** Lies about receipts and transactions. */
export const RECEIPT_LIES = {
  denyReceipt: survived(
    RECEIPT,
    onResult(() => null),
    'the transaction is sent again, and the contract appends each record once',
  ),
  denyTransaction: survived(
    ['eth_getTransactionByHash'],
    onResult(() => null),
    'the records are submitted again, and the contract appends each record once',
  ),
  receiptOfReplacedBlock: survived(
    RECEIPT,
    onResult((receipt, { params, inventHash, findReplacedReceipt }) => {
      const replaced = findReplacedReceipt(String(params[0]));
      return replaced ?? (isJsonObject(receipt) ? { ...receipt, blockHash: inventHash() } : receipt);
    }),
    "a receipt's block must be on the chain before the receipt counts as final",
  ),
  receiptOfOtherTransaction: survived(
    RECEIPT,
    (honest, context) => ('error' in honest ? honest : (findOtherReceipt(context) ?? honest)),
    'a receipt must have the hash that was queried',
  ),
  malformedReceipt: survived(
    RECEIPT,
    onObject((receipt) => ({ ...receipt, status: '0x2' })),
    'the answer is refused',
  ),
  revertedReceipt: survived(
    RECEIPT,
    onObject((receipt) => ({ ...receipt, status: '0x0' })),
    'before a record is FAILED the index is queried, which has it',
  ),
  succeededReceipt: believed(
    RECEIPT,
    onObject((receipt) => ({ ...receipt, status: '0x1' })),
    'the records of a reverted transaction are submitted again when the lie ends, perhaps after later ones of their asset',
  ),
  inventedSuccess: survived(RECEIPT, inventReceipt('0x1'), UNPROVEN),
  inventedRevert: survived(RECEIPT, inventReceipt('0x0'), UNPROVEN),
  receiptOfEarlierBlock: survived(
    RECEIPT,
    onObject((receipt, context) => {
      const block = readBlock(context, toQuantity(Math.max(0, Number(receipt.blockNumber) - 1)));
      return block === undefined ? receipt : { ...receipt, blockNumber: block.number, blockHash: block.hash };
    }),
    UNPROVEN,
  ),
} satisfies Record<string, Lie>;

/** Lies about submitted transactions. */
export const SUBMISSION_LIES = {
  errorForAccepted: survived(
    SEND,
    (honest) => ('error' in honest ? honest : { error: new RpcError(RPC_CODE.INTERNAL, 'internal error') }),
    'the transaction is looked up',
  ),
  acceptRefused: survived(
    SEND,
    (honest, { inventHash }) => ('error' in honest ? { result: inventHash() } : honest),
    'the transaction is sent again until a receipt exists',
  ),
  discardAccepted: survived(
    SEND,
    onResult((result, { discard }) => {
      discard(String(result));
      return result;
    }),
    'the transaction is sent again until a receipt exists',
  ),
} satisfies Record<string, Lie>;
