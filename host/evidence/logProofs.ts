// Proofs of logs for evidence files: the header of the block, with the newest checkpoint that covers it and the first
// one that another ledger has, and the nodes of the receipt trie. Blocks are kept in memory: the one with the newest
// attestation proves many events.
import type { BlockLog, SignedHead } from '../../chain/blockLog/blockLog.ts';
import { proveLoggedBlock } from '../../chain/evidence/blockAnchor.ts';
import type { EvidenceBlock } from '../../chain/evidence/evidenceBlock.ts';
import { createBoundedMap } from '../../indexer/boundedMap.ts';
import type { LogPlace } from '../../indexer/treeView.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { encodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { fromRlpNumber } from '../../ledger/evidence/rlp.ts';
import type { LedgerChain } from '../indexedChain.ts';
import type { FileBlock, FileProof } from './evidenceFile.ts';
import type { RecordedCheckpoint } from './recordedCheckpoints.ts';

/** A proof of a log, and its block. The proof names the block as the first of the file. */
export interface ProvenPlace {
  readonly block: FileBlock;
  readonly proof: Extract<FileProof, { kind: 'log' }>;
  /** Time of the block. */
  readonly timeSeconds: number;
}

/** Proves logs of the contract. */
export interface LogProofs {
  /**
   * Proves a log, with an anchor if the checkpoint covers its block.
   * @throws LedgerError CHAIN_UNAVAILABLE when no node has the block, LOG_CORRUPT when the log has another block.
   */
  prove(place: LogPlace, head: SignedHead | undefined): Promise<ProvenPlace>;
  /** Whether the log is the only one of its transaction, so that its receipt shows nothing else. */
  isAlone(place: LogPlace): Promise<boolean>;
  /** Number of logs of its transaction, which its receipt shows. */
  countLogs(place: LogPlace): Promise<number>;
  /** A block with an anchor as above, for other proofs. @throws LedgerError as `prove`. */
  proveBlock(number: number, head: SignedHead | undefined): Promise<FileBlock>;
}

/** The weight of a block that is kept is that of its logs, in bytes. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;
const BLOCK_BYTES = 4_096;

const weigh = ({ receipts }: EvidenceBlock): number =>
  receipts.flatMap(({ logs }) => logs).reduce((bytes, { data }) => bytes + 2 * data.length + 512, BLOCK_BYTES);

/** Finds the checkpoint that another ledger has and that covers a block; undefined where there is none. */
type FindRecorded = (blockNumber: number) => Promise<RecordedCheckpoint | undefined>;

const findReceipt = ({ receipts, number }: EvidenceBlock, { transactionIndex }: LogPlace) => {
  const receipt = receipts[transactionIndex];
  if (receipt === undefined) throw new Error(`block ${number} has no transaction ${transactionIndex}`);
  return receipt;
};

const countLogsBefore = ({ receipts }: EvidenceBlock, { transactionIndex }: LogPlace): number =>
  receipts.slice(0, transactionIndex).reduce((count, { logs }) => count + logs.length, 0);

/** A block of a chain. @throws LedgerError CHAIN_UNAVAILABLE when no node has it. */
export const fetchNumberedBlock = async (
  chain: Pick<LedgerChain, 'fetchBlockHash' | 'fetchEvidenceBlock'>,
  number: number,
): Promise<EvidenceBlock> => {
  const hash = await chain.fetchBlockHash(number);
  if (hash === undefined) throw new LedgerError('CHAIN_UNAVAILABLE', { message: `no node has block ${number}` });
  return chain.fetchEvidenceBlock({ number, hash });
};

/** The proofs of a chain's logs. `log` is undefined where there is no block log. */
export const createLogProofs = (
  chain: Pick<LedgerChain, 'fetchBlockHash' | 'fetchEvidenceBlock'>,
  log: Pick<BlockLog, 'readTile'> | undefined,
  findRecorded: FindRecorded = async () => undefined,
): LogProofs => {
  const kept = createBoundedMap<EvidenceBlock>(KEPT_BYTES_MAX);

  const fetchBlock = async (number: number): Promise<EvidenceBlock> => {
    const known = kept.get(`${number}`);
    if (known !== undefined) return known;
    const block = await fetchNumberedBlock(chain, number);
    kept.set(`${number}`, block, weigh(block));
    return block;
  };

  const anchor = async (block: EvidenceBlock, head: SignedHead | undefined): Promise<FileBlock['anchors']> => {
    if (log === undefined || head === undefined || block.number > head.newestBlock) return [];
    const stamped = head.timestamp === undefined ? {} : { rfc3161: [toBase64(head.timestamp)] };
    const newest = { kind: 'tlog-proof', proof: await proveLoggedBlock(log, head, block), ...stamped } as const;
    const recorded = await findRecorded(block.number);
    if (recorded === undefined) return [newest];
    const proof = await proveLoggedBlock(log, recorded, block);
    return [newest, { kind: 'tlog-proof', proof, elsewhere: [recorded.record] }];
  };

  const toFileBlock = async (block: EvidenceBlock, head: SignedHead | undefined): Promise<FileBlock> => {
    const { rule, header } = block;
    return { rule, header: toBase64(encodeBlockHeader(header)), anchors: await anchor(block, head) };
  };

  return {
    proveBlock: async (number, head) => toFileBlock(await fetchBlock(number), head),
    prove: async (place, head) => {
      const block = await fetchBlock(place.blockNumber);
      const { header, receiptTrie } = block;
      findReceipt(block, place);
      const { transactionIndex: transaction } = place;
      const nodes = receiptTrie.prove(transaction).map(toBase64);
      return {
        block: await toFileBlock(block, head),
        timeSeconds: fromRlpNumber(header.timestamp),
        proof: { kind: 'log', block: 0, transaction, nodes, log: place.logIndex - countLogsBefore(block, place) },
      };
    },
    isAlone: async (place) => findReceipt(await fetchBlock(place.blockNumber), place).logs.length === 1,
    countLogs: async (place) => findReceipt(await fetchBlock(place.blockNumber), place).logs.length,
  };
};
