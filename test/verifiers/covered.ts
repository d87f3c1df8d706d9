// What a proof of an evidence file reaches: of a file that is accepted it is the same as of the original.
import { toHex } from '../../ledger/encoding/hex.ts';
import { fromBase64 } from '../../ledger/evidence/base64.ts';
import { toBlockHash } from '../../ledger/evidence/blockHash.ts';
import { decodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import type { FileBlock } from './originals.ts';

const COVERED = [
  'identity',
  'asset_identity',
  'tenant_identity',
  'behaviour',
  'operation',
  'event_attributes',
  'asset_attributes',
  'asset_settings',
  'timestamp_accepted',
  'timestamp_declared',
  'timestamp_committed',
  'principal_accepted',
  'principal_declared',
  'confirmation_status',
  'block_number',
  'from',
];

const toCoveredEvent = (event: EvidenceFile, isLogged: boolean): Json => {
  const names = isLogged ? [...COVERED, 'transaction_index'] : COVERED;
  const contribution = Object.hasOwn(event, 'contribution') ? ['contribution'] : [];
  const members = [...names, ...contribution].map((name) => [name, event[name]!] as const);
  if (event.operation !== 'Attach') return Object.fromEntries(members);
  const { arc_attachments: _, ...attributes } = event.asset_attributes as EvidenceFile;
  return { ...Object.fromEntries(members), asset_attributes: attributes };
};

const toCoveredBlock = ({ rule, header }: FileBlock): string =>
  toHex(toBlockHash(decodeBlockHeader(fromBase64(header)), rule)!);

// A key that follows from the payload may be stated, too.
const toCoveredRecord = ({ author, payload, id }: EvidenceFile): Json => {
  const { identity } = JSON.parse(
    Buffer.from(payload as string, 'base64')
      .subarray(1)
      .toString(),
  ) as EvidenceFile;
  return [author!, payload!, id ?? toHex(toKey(identity as string))];
};

/** The covered parts of an accepted file, in one form; `blocks` are their hashes. */
export const toCovered = (file: EvidenceFile): EvidenceFile & { blocks: string[] } => {
  const { ledger, claim, blocks, proofs, digests = '', leaves = '', records = [] } = file;
  // A verdict may be the same at another time.
  const { event, at: _, ...others } = claim as { event?: EvidenceFile } & EvidenceFile;
  // The account answers a question of its own: without it, that one isn't answered.
  const claimed = (proofs as EvidenceFile[]).filter(({ kind }) => kind !== 'account');
  const isLogged = claimed.length === 1;
  return {
    ledger: ledger!,
    claim: event === undefined ? others : [others, toCoveredEvent(event, isLogged)],
    blocks: (blocks as unknown as FileBlock[]).map(toCoveredBlock),
    proofs: claimed,
    digests,
    leaves,
    records: (records as EvidenceFile[]).map(toCoveredRecord),
  };
};
