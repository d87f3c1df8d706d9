// Blocks, receipts, logs and transactions as nodes answer with them in JSON-RPC. The objects of a block are made once:
// change a copy only.
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { EMPTY_TRIE, NO_UNCLES, type SimulatedBlock, type SimulatedReceipt } from './blocks.ts';
import type { TransactionPlace } from './chainView.ts';
import type { DecodedTransaction } from './transactions.ts';

const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`;

const HEADER_BYTES = 600;
const ZERO_HASH = zeros(32);
const ZERO_NONCE = zeros(8);

/** Remembers the answer for an object. */
export const remember = <K extends object, V>(create: (key: K) => V): ((key: K) => V) => {
  const answers = new WeakMap<K, V>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = create(key);
    answers.set(key, answer);
    return answer;
  };
};

const toPlaceJson = ({ block, receipt }: TransactionPlace) => ({
  blockHash: block.hash,
  blockNumber: toQuantity(block.number),
  transactionHash: receipt.transaction.hash,
  transactionIndex: toQuantity(receipt.index),
});

const toLogsJson = (block: SimulatedBlock, receipt: SimulatedReceipt) => {
  const place = { ...toPlaceJson({ block, receipt }), blockTimestamp: toQuantity(block.timestampSeconds) };
  return receipt.logs.map(({ address, topics, data }, at) => ({
    removed: false,
    logIndex: toQuantity(receipt.firstLogIndex + at),
    ...place,
    address,
    data,
    topics,
  }));
};

/** A log in JSON-RPC. */
export type LogJson = ReturnType<typeof toLogsJson>[number];

/** The logs of a block, in order. */
export const toBlockLogs = remember((block: SimulatedBlock): readonly LogJson[] =>
  block.receipts.flatMap((receipt) => toLogsJson(block, receipt)),
);

const toFees = ({ type, maxFeePerGas, maxPriorityFeePerGas }: DecodedTransaction) =>
  type === 0
    ? {}
    : {
        accessList: [],
        maxFeePerGas: toQuantity(maxFeePerGas),
        maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
      };

/** A transaction; nulls for its place while it is in no block. */
export const toTransactionJson = (transaction: DecodedTransaction, place?: TransactionPlace) => ({
  hash: transaction.hash,
  nonce: toQuantity(transaction.nonce),
  blockHash: place?.block.hash ?? null,
  blockNumber: place === undefined ? null : toQuantity(place.block.number),
  transactionIndex: place === undefined ? null : toQuantity(place.receipt.index),
  from: transaction.from,
  to: transaction.to ?? null,
  value: toQuantity(transaction.value),
  gasPrice: toQuantity(place?.receipt.effectiveGasPrice ?? transaction.maxFeePerGas),
  gas: toQuantity(transaction.gasLimit),
  input: toHex(transaction.data),
  ...(transaction.type === 2 && { chainId: toQuantity(transaction.chainId) }),
  type: toQuantity(transaction.type),
  ...toFees(transaction),
  v: toQuantity(transaction.signature.v),
  r: transaction.signature.r,
  s: transaction.signature.s,
});

const toNewReceiptJson = ({ block, receipt }: TransactionPlace) => ({
  ...toPlaceJson({ block, receipt }),
  type: toQuantity(receipt.transaction.type),
  from: receipt.transaction.from,
  to: receipt.transaction.to ?? null,
  cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
  gasUsed: toQuantity(receipt.gasUsed),
  contractAddress: receipt.contractAddress ?? null,
  logs: toLogsJson(block, receipt),
  logsBloom: receipt.logsBloom,
  status: toQuantity(receipt.status === 'succeeded' ? 1 : 0),
  effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
});

const receiptsOf = remember(
  (_block: SimulatedBlock) => new Map<SimulatedReceipt, ReturnType<typeof toNewReceiptJson>>(),
);

/** The receipt of a mined transaction. */
export const toReceiptJson = (place: TransactionPlace): ReturnType<typeof toNewReceiptJson> => {
  const receipts = receiptsOf(place.block);
  const known = receipts.get(place.receipt) ?? toNewReceiptJson(place);
  receipts.set(place.receipt, known);
  return known;
};

const toSize = ({ receipts }: SimulatedBlock): number =>
  receipts.reduce((size, { transaction }) => size + transaction.raw.length, HEADER_BYTES);

const toRoots = ({ stateRoot, mixHash, transactionsRoot, receiptsRoot, logsBloom }: SimulatedBlock) => ({
  sha3Uncles: NO_UNCLES,
  stateRoot,
  transactionsRoot,
  receiptsRoot,
  logsBloom,
  mixHash,
  nonce: ZERO_NONCE,
  withdrawalsRoot: EMPTY_TRIE,
  parentBeaconBlockRoot: ZERO_HASH,
});

/** A block with the hashes of its transactions. */
export const toBlockJson = remember((block: SimulatedBlock) => ({
  hash: block.hash,
  parentHash: block.parentHash,
  ...toRoots(block),
  number: toQuantity(block.number),
  gasUsed: toQuantity(block.gasUsed),
  gasLimit: toQuantity(block.terms.blockGasLimit),
  extraData: '0x',
  timestamp: toQuantity(block.timestampSeconds),
  difficulty: '0x0',
  totalDifficulty: '0x0',
  uncles: [],
  transactions: block.receipts.map(({ transaction }) => transaction.hash),
  size: toQuantity(toSize(block)),
  baseFeePerGas: toQuantity(block.baseFeePerGas),
  miner: block.terms.coinbase,
  withdrawals: [],
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
}));

/** A block with its transactions. */
export const toFullBlockJson = (block: SimulatedBlock) => ({
  ...toBlockJson(block),
  transactions: block.receipts.map((receipt) => toTransactionJson(receipt.transaction, { block, receipt })),
});
