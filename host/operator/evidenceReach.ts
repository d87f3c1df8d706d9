// How far an evidence file reaches: its block, the checkpoint that covers it, and whether the server has newer
// records.
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import { readBlock } from '../../ledger/evidence/bundle/blocks.ts';
import { decodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { fromRlpNumber } from '../../ledger/evidence/rlp.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';

/** How far a file reaches. */
export interface EvidenceReach {
  /** Number of the block that the file has. */
  readonly block: number;
  /** Time of that block, RFC 3339. */
  readonly blockTime: string;
  /** Number of the newest block under the file's checkpoint; undefined without a checkpoint. */
  readonly checkpointBlock: number | undefined;
  /** Records of a history or of a tenant's list; undefined for other files. */
  readonly count: number | undefined;
}

interface FileParts {
  readonly claim: { readonly count?: number; readonly parts?: readonly { readonly count: number }[] };
  readonly blocks: readonly unknown[];
  readonly proofs: readonly { readonly kind: string; readonly block: number }[];
}

type ReachedBlock = Pick<EvidenceReach, 'block' | 'blockTime' | 'checkpointBlock'>;

const toReachedBlock = (value: unknown): ReachedBlock => {
  const { header, anchors } = readBlock(value, 'the block of the file');
  const block = fromRlpNumber(header.number);
  const [anchor] = anchors;
  const size = anchor && decodeCheckpoint(decodeSignedNote(anchor.checkpoint).text).size;
  return {
    block,
    blockTime: toBlockTimestamp(fromRlpNumber(header.timestamp)),
    // Entries of the log are successive blocks.
    checkpointBlock: anchor && block + (size! - 1 - anchor.index),
  };
};

// The parts of a merged history are attested in several blocks.
const listReached = ({ claim: { parts }, blocks, proofs }: FileParts): ReachedBlock[] => {
  const last = proofs.findLastIndex(({ kind }) => kind === 'log');
  const logs = parts === undefined ? proofs.slice(last, last + 1) : proofs.slice(0, parts.length);
  return logs.map(({ block }) => toReachedBlock(blocks[block]));
};

/**
 * How far a file of the server reaches: the block of its last log, which for a verdict is that of the asset;
 * or the first of those of a merged history.
 * @throws UnreadableEvidence when its block has another form.
 */
export const readEvidenceReach = (text: string): EvidenceReach => {
  const file = JSON.parse(text) as FileParts;
  const { count, parts } = file.claim;
  const reached = listReached(file).reduce((first, next) => (next.block < first.block ? next : first));
  return { ...reached, count: parts?.reduce((sum, part) => sum + part.count, 0) ?? count };
};

/** Sentences about how far a file reaches. */
export const describeReach = ({ block, blockTime, checkpointBlock, count }: EvidenceReach): string[] => [
  `the file has ${count === undefined ? '' : `${count} records up to `}block ${block} of ${blockTime}`,
  checkpointBlock === undefined
    ? 'no checkpoint covers it yet: only the hash of its block proves it. Run this again after the next checkpoint ' +
      '(a server with CHECKPOINT_SECONDS=0 has none)'
    : `a checkpoint of the blocks up to ${checkpointBlock} covers it`,
];

/** The warning of a file that lags; undefined when the newest record of the server, in `newestBlock`, isn't newer. */
export const describeLag = ({ block }: EvidenceReach, newestBlock: number): string | undefined =>
  newestBlock > block
    ? `the server has newer records, up to block ${newestBlock}, of which the file says nothing: no checkpoint that may be ` +
      'shown covers them. Run this again later; if the server has witnesses, too few may have cosigned'
    : undefined;
