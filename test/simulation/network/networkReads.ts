// What checks read of a simulated network: its final chain, an account's transactions, and what waits in pools.
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import type { RecordLog } from '../../../chain/port.ts';
import { decodeRecordLog, RECORD_APPENDED_TOPIC } from '../../../chain/recordLog.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import type { SimulatedBlock, SimulatedReceipt } from '../chain/blocks.ts';
import { readAccount } from '../chain/chainState.ts';
import { toBlockLogs } from '../chain/rpcJson.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import type { UndoneRecords } from '../chains/chainKind.ts';
import type { SimulatedNetwork } from './network.ts';
import type { Peer } from './peer.ts';

/** The blocks of the canonical chain that are final, genesis first. */
export const readFinalBlocks = ({ chain, tree }: SimulatedNetwork): readonly SimulatedBlock[] =>
  tree.canonical.blocks.slice(0, chain.finalNumber + 1);

/** `RecordAppended` logs of a contract in final blocks, and the account that sent each one's transaction. */
export const readFinalLogs = (network: SimulatedNetwork, contract: Hex): { log: RecordLog; from: Hex }[] =>
  readFinalBlocks(network).flatMap((block) => {
    const senders = new Map(block.receipts.map(({ transaction: { hash, from } }) => [hash, from]));
    return toBlockLogs(block)
      .filter(({ address, topics }) => address === contract && topics[0] === RECORD_APPENDED_TOPIC)
      .map((log) => ({ log: decodeRecordLog(log, block.timestampSeconds), from: senders.get(log.transactionHash)! }));
  });

/** Receipts of an account's transactions in the canonical chain, in order of nonces. */
export const readMined = ({ tree }: SimulatedNetwork, address: Hex): SimulatedReceipt[] =>
  tree.canonical.blocks.flatMap(({ receipts }) => receipts.filter(({ transaction }) => transaction.from === address));

type SignedBatchTuple = readonly [tenant: Hex, author: Hex, records: readonly (readonly [stream: Hex, id: Hex])[]];

// Keys of the records that a transaction of the relayer appends.
const readRecordKeys = (data: Hex): Hex[] => {
  const [batches] = ledgerInterface.decodeFunctionData('appendSigned', data) as unknown as [SignedBatchTuple[]];
  return batches.flatMap(([, , records]) => records.map(([, id]) => id));
};

interface Relayer {
  readonly relayer: Hex;
  readonly contract: Hex;
}

const readSent = (blocks: readonly SimulatedBlock[], { relayer }: Relayer): SimulatedReceipt[] =>
  blocks.flatMap(({ receipts }) => receipts.filter(({ transaction }) => transaction.from === relayer));

const isCallOf = ({ contract }: Relayer, { transaction }: SimulatedReceipt): boolean => transaction.to === contract;

const toKeys = ({ transaction }: SimulatedReceipt): Hex[] => readRecordKeys(toHex(transaction.data));

/** The records whose transaction was in a block that a reorg has replaced, and is not in the final chain as it was. */
export const readUndone = (network: SimulatedNetwork, account: Relayer): UndoneRecords => {
  const calls = readSent(network.tree.replaced, account).filter((one) => isCallOf(account, one));
  const sent = readSent(readFinalBlocks(network), account);
  const foreign = new Set(sent.filter((one) => !isCallOf(account, one)).map(({ transaction }) => transaction.nonce));
  const succeeded = calls.filter(({ status }) => status === 'succeeded');
  // A replacement has the same data.
  const before = new Set(succeeded.map(({ transaction }) => toHex(transaction.data)));
  const reverted = sent.filter((one) => one.status === 'reverted' && before.has(toHex(one.transaction.data)));
  return {
    // A record alone is FAILED.
    reverted: new Set(
      reverted
        .map(toKeys)
        .filter(({ length }) => length > 1)
        .flat(),
    ),
    replaced: new Set(calls.filter(({ transaction }) => foreign.has(transaction.nonce)).flatMap(toKeys)),
  };
};

/** The validator and the nodes. */
export const peersOf = ({ validator, nodes }: SimulatedNetwork): Peer[] => [
  validator,
  ...nodes.map(({ peer }) => peer),
];

/** An account's transactions that wait in any pool and that no block of the canonical chain has made impossible. */
export const readWaiting = (network: SimulatedNetwork, address: Hex): DecodedTransaction[] => {
  const { nonce } = readAccount(network.chain.head.state, address);
  const waiting = peersOf(network).flatMap(({ pool }) => pool.list());
  const unique = new Map(waiting.map((transaction) => [transaction.hash, transaction]));
  return [...unique.values()].filter((transaction) => transaction.from === address && transaction.nonce >= nonce);
};

/** Nonces that are missing before an account's waiting transactions: as long as they are, these are never mined. */
export const findNonceGaps = (network: SimulatedNetwork, address: Hex): number[] => {
  const nonces = new Set(readWaiting(network, address).map(({ nonce }) => nonce));
  const gaps: number[] = [];
  const first = readAccount(network.chain.head.state, address).nonce;
  for (let nonce = first; nonce < Math.max(first, ...nonces); nonce += 1) if (!nonces.has(nonce)) gaps.push(nonce);
  return gaps;
};

/**
 * The first nonce of an account's waiting transactions for which each bids less than the base fee; infinite if there is
 * none, or if a nonce is missing.
 */
export const findUnderpricedNonce = (network: SimulatedNetwork, address: Hex): number => {
  if (findNonceGaps(network, address).length > 0) return Number.POSITIVE_INFINITY;
  const waiting = readWaiting(network, address);
  const { baseFeePerGas } = network.chain.head;
  const priced = new Set(waiting.filter(({ maxFeePerGas }) => maxFeePerGas >= baseFeePerGas).map(({ nonce }) => nonce));
  return Math.min(...waiting.map(({ nonce }) => nonce).filter((nonce) => !priced.has(nonce)));
};

/** Where a transaction is and was, in one sentence for the story of a run. */
export const describeTransaction = (network: SimulatedNetwork, hash: Hex): string => {
  const places = network.tree.placesOf(hash).map(({ block, receipt }) => {
    const isCanonical = network.tree.canonical.blocks[block.number] === block;
    return `${receipt.status} in ${isCanonical ? 'block' : 'the replaced block'} ${block.number}`;
  });
  const pools = [
    ...(network.validator.pool.find(hash) === undefined ? [] : ["the validator's pool"]),
    ...network.nodes.filter(({ peer }) => peer.pool.find(hash)).map(({ name }) => `the pool of ${name}`),
  ].map((pool) => `waits in ${pool}`);
  return `${hash} ${[...places, ...pools].join(', ') || 'is nowhere'}`;
};
