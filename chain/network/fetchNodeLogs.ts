// Reads the ledger contract's logs from a node, out of proven receipts: what a node answers must lead to the hash of
// the final block, so it can't leave out, invent or change a log.
import type { Steps } from '../../ledger/compliance/steps.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import type { ReceiptLog } from '../../ledger/evidence/receipt.ts';
import { addContractLog, CONTRACT_TOPICS, createContractLogs, weighLogs } from '../contractLogs.ts';
import { runInSlices } from '../jsonRpc/answerSlices.ts';
import { refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { assertHolds } from '../jsonRpc/falseAnswer.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { BlockRef, ContractLogs } from '../port.ts';
import type { RpcLog } from '../recordLog.ts';
import { assertAuthors } from './authors/assertAuthors.ts';
import type { AuthorCheck } from './authors/provenRecords.ts';
import type { SignatureSearch } from './authors/signatureSearch.ts';
import type { BlockRange, HeaderChain, ProvenBlock } from './headerChain.ts';
import { createBloomTest } from './logsBloom.ts';
import { fetchProvenReceipts, type ProvenReceipt } from './provenReceipts.ts';

/** Logs of one contract in a range of blocks, both ends included. */
export interface LogQuery extends BlockRange {
  readonly address: Hex;
  /** Called with the receipts of each block that may have logs, once they are proven. */
  readonly onProven?: (block: ProvenBlock, receipts: readonly ProvenReceipt[]) => void;
  /** Whose records must be proven to be theirs; undefined: nobody's. */
  readonly authors?: AuthorCheck & { readonly search: SignatureSearch };
}

/** Blocks whose receipts are read at once. */
const READ_BLOCKS = 16;

const TOPICS = CONTRACT_TOPICS.map(fromHex);
const PLACE = ['blockHash', 'blockNumber', 'transactionHash', 'transactionIndex', 'logIndex'] as const;

const isPlaced = (claimed: Readonly<Record<string, unknown>>, log: RpcLog): boolean =>
  claimed.removed !== true && PLACE.every((name) => claimed[name] === log[name]);

interface PlacedLog extends RpcLog {
  /** Returns the bytes of all logs of its transaction. */
  readonly weigh: () => number;
}

const add = (logs: ContractLogs, client: JsonRpcClient, log: PlacedLog, { timestampSeconds }: ProvenBlock): void => {
  try {
    addContractLog(logs, log, timestampSeconds, log.weigh);
  } catch (cause) {
    throw refuseAnswer(client, 'a log', cause);
  }
};

const isLogOf = ({ address: emitter, topics: [topic] }: ReceiptLog, contract: Uint8Array): boolean =>
  topic !== undefined && TOPICS.some((known) => isSameBytes(topic, known)) && isSameBytes(emitter, contract);

// A step for each log: a block may have thousands.
function* addLogs(
  logs: ContractLogs,
  client: JsonRpcClient,
  contract: Uint8Array,
  { block, receipts }: { readonly block: ProvenBlock; readonly receipts: readonly ProvenReceipt[] },
): Steps<void> {
  let logIndex = 0;
  for (const [at, { transactionHash, receipt, claimedLogs }] of receipts.entries()) {
    let weight: number | undefined;
    const weigh = (): number => {
      weight ??= weighLogs(receipt.logs);
      return weight;
    };
    for (const [index, proven] of receipt.logs.entries()) {
      const place = {
        blockHash: block.hash,
        blockNumber: toQuantity(block.number),
        transactionHash,
        transactionIndex: toQuantity(at),
        logIndex: toQuantity(logIndex),
      };
      logIndex += 1;
      if (!isLogOf(proven, contract)) continue;
      const claimed = claimedLogs[index]!;
      // The texts have the bytes that are proven.
      const log = { topics: claimed.topics as string[], data: claimed.data as string, ...place };
      assertHolds(client, isPlaced(claimed, log), `another place of a log of block ${block.number}`);
      add(logs, client, { ...log, weigh }, block);
      yield;
    }
  }
}

/**
 * Logs of records and attestations of the blocks `fromBlock` to `toBlock`, both included, all from one node and proven
 * by the hash of `final`, a block at or after them.
 * @throws FalseAnswer when the node's blocks, transactions or receipts contradict that hash; UnprovenAuthor for a
 * record that is not proven to be that of its author.
 */
export const fetchNodeLogs = async (
  client: JsonRpcClient,
  headers: HeaderChain,
  { address, fromBlock, toBlock, onProven, authors }: LogQuery,
  final: BlockRef,
): Promise<ContractLogs> => {
  const proven = await headers.fetchProven(client, { fromBlock, toBlock }, final);
  const mayHaveLogs = createBloomTest(address);
  const blocks = proven.filter(({ logsBloom }) => mayHaveLogs(logsBloom));
  const contract = fromHex(address);
  const logs = createContractLogs();
  for (let from = 0; from < blocks.length; from += READ_BLOCKS) {
    const part = blocks.slice(from, from + READ_BLOCKS);
    const receipts = await fetchProvenReceipts(client, part);
    for (const [at, block] of part.entries()) onProven?.(block, receipts[at]!);
    const before = logs.records.length;
    for (const [at, block] of part.entries())
      await runInSlices(addLogs(logs, client, contract, { block, receipts: receipts[at]! }));
    if (authors === undefined) continue;
    const receiptsOf = new Map(part.map(({ hash }, at) => [hash, receipts[at]!]));
    await assertAuthors(client, { records: logs.records.slice(before), receiptsOf }, authors, final);
  }
  return logs;
};
