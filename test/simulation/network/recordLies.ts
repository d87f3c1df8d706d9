// Lies about logs, receipts and transactions.
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';
import {
  believed,
  type Lie,
  type LyingContext,
  type NodeAnswer,
  onLogs,
  onObject,
  onResult,
  readBlock,
  survived,
} from './lie.ts';

const LOGS = ['eth_getLogs'];
const RECEIPT = ['eth_getTransactionReceipt'];
const SEND = ['eth_sendRawTransaction'];

const isByHash = ({ params }: LyingContext): boolean => isJsonObject(params[0]) && 'blockHash' in params[0];

/** Lies about logs. */
export const LOG_LIES = {
  omitBlockLogs: survived(
    LOGS,
    onResult((result, context) => (isByHash(context) ? [] : result)),
    "the header's bloom filter and the receipts show that a block has logs",
  ),
  omitRangeLogs: believed(
    LOGS,
    onResult((result, context) => (isByHash(context) ? result : [])),
    'a query of more than 4 blocks is not compared with headers',
  ),
  omitSomeLogs: believed(
    LOGS,
    onLogs((logs) => logs.slice(1)),
    'only an empty answer is compared with the bloom filter; receipts must be proven',
  ),
  logsOfOtherContract: survived(
    LOGS,
    onLogs((logs) => logs.map((log) => ({ ...log, address: `0x${'99'.repeat(20)}` }))),
    'every log must have the address of the contract',
  ),
  logsOfOtherBlock: survived(
    LOGS,
    onLogs((logs, { inventHash }) => logs.map((log) => ({ ...log, blockHash: inventHash() }))),
    'every log must have the number and the hash of its header',
  ),
  removedLogs: survived(
    LOGS,
    onLogs((logs) => logs.map((log) => ({ ...log, removed: true }))),
    'a removed log is refused',
  ),
  repeatedLogs: survived(
    LOGS,
    onLogs((logs) => [...logs, ...logs]),
    'logs must be in order, each once',
  ),
  reorderedLogs: survived(
    LOGS,
    onLogs((logs) => logs.toReversed()),
    'logs must be in order, each once',
  ),
  malformedLogs: survived(
    LOGS,
    onLogs((logs) => logs.map((log) => ({ ...log, data: `${String(log.data).slice(0, -2)}` }))),
    'a log that the contract cannot have emitted is refused',
  ),
  alteredLogs: believed(
    LOGS,
    onLogs((logs) =>
      logs.map((log) => ({
        ...log,
        data: `${String(log.data).slice(0, 192)}${'7'.repeat(4)}${String(log.data).slice(196)}`,
      })),
    ),
    'digests are not compared with payloads while indexing; receipts must be proven',
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

const INVENTED = 'a receipt is believed when its block is on the chain; receipts must be proven';

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
    'the record of a reverted transaction stays in the outbox until a restart; receipts must be proven',
  ),
  inventedSuccess: believed(RECEIPT, inventReceipt('0x1'), INVENTED),
  inventedRevert: believed(RECEIPT, inventReceipt('0x0'), INVENTED),
  receiptOfEarlierBlock: believed(
    RECEIPT,
    onObject((receipt, context) => {
      const block = readBlock(context, toQuantity(Math.max(0, Number(receipt.blockNumber) - 1)));
      return block === undefined ? receipt : { ...receipt, blockNumber: block.number, blockHash: block.hash };
    }),
    INVENTED,
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
