// The record of a checkpoint on another ledger, from the evidence of its event.
import { parseBundle } from '../../ledger/evidence/bundle/bundle.ts';
import { Refuted } from '../../ledger/evidence/bundle/findings.ts';
import { checkElsewhere } from '../../ledger/evidence/bundle/roots.ts';
import type { LedgerTrust } from '../../ledger/evidence/bundle/trust.ts';
import { decodeSignedNote, encodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { decodeTlogProof, encodeTlogProof } from '../../ledger/evidence/tlogProof.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { FileElsewhere, FileParts } from './evidenceFile.ts';
import { OtherLedgerRefusal } from './otherLedgerRefusal.ts';

/** UTF-16 units of a record as JSON, which all evidence files of the blocks that it covers have. */
const RECORD_LENGTH_MAX = 12 * 1024;

type FileAnchor = FileElsewhere['block']['anchors'][number];

// Nobody here can tell whether the signature of another key is right, and a wrong one refutes all files with the record
// for a reader who knows the key.
const keepNamed = ({ kind, proof }: FileAnchor, { logs, witnesses }: LedgerTrust): FileAnchor[] => {
  const { index, path, checkpoint } = decodeTlogProof(proof);
  const { text, signatures } = decodeSignedNote(checkpoint);
  const found = [...logs, ...witnesses].flatMap(
    (key) => signatures.find(({ name, id }) => name === key.name && id === key.id) ?? [],
  );
  const kept = [...new Set(found)];
  if (kept.length === 0) return [];
  return [{ kind, proof: encodeTlogProof({ index, path, checkpoint: encodeSignedNote({ text, signatures: kept }) }) }];
};

// Of its anchors only the first: time stamps and records elsewhere don't count there, and every file has the record.
const toRecord = (text: string, trust: LedgerTrust): FileElsewhere => {
  parseBundle(text);
  const { ledger, blocks, proofs } = JSON.parse(text) as Pick<FileElsewhere, 'ledger'> & FileParts;
  const [[block], [proof]] = [blocks, proofs];
  if (block === undefined || proof?.kind !== 'log') throw new OtherLedgerRefusal('its evidence is not by a log');
  const { rule, header } = block;
  const anchors = block.anchors.slice(0, 1).flatMap((anchor) => keepNamed(anchor, trust));
  return { ledger, block: { rule, header, anchors }, proof };
};

const hasRoots = ({ logs, validators }: LedgerTrust): boolean => logs.length > 0 || validators.length > 0;

const asRefusal = (cause: unknown): unknown =>
  cause instanceof Refuted || cause instanceof UnreadableEvidence
    ? new OtherLedgerRefusal(`its evidence is refuted: ${cause.message}`, { cause })
    : cause;

/**
 * The record of a checkpoint in the evidence of an event, which is under one of the roots of `trust` if it names a log
 * or validators. Of the signatures there it has those of the log and the witnesses that `trust` names.
 * @param message the text of the checkpoint that the log signs.
 * @throws OtherLedgerRefusal when the evidence doesn't prove that.
 */
export const readOtherRecord = async (
  text: string,
  message: Uint8Array,
  trust: LedgerTrust,
): Promise<FileElsewhere> => {
  try {
    const record = toRecord(text, trust);
    if (JSON.stringify(record).length > RECORD_LENGTH_MAX)
      throw new OtherLedgerRefusal(`its record has more than ${RECORD_LENGTH_MAX} characters`);
    const isUnderRoot = await checkElsewhere(record, message, trust);
    if (isUnderRoot || !hasRoots(trust)) return record;
  } catch (cause) {
    throw asRefusal(cause);
  }
  throw new OtherLedgerRefusal('its evidence is under none of the roots in ANCHOR_TRUST_FILE');
};
