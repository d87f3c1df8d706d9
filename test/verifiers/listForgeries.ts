// Forgeries of lists of a tenant's records, with second files that the claim names.
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import { withLeaves } from './complianceOriginals.ts';
import { type Forge, type Forgery, put, take } from './forge.ts';

const LIST = 'list';
const OTHER_UUID = '11111111-1111-4111-8111-111111111111';

const leaves =
  (change: (bytes: Uint8Array) => Uint8Array, count?: number): Forge =>
  ({ file, trust, leaves: own }) => {
    const made = withLeaves(file, change(fromBase64(own!)));
    const claim = { ...(made.file.claim as EvidenceFile), ...(count === undefined ? {} : { count }) };
    return { ...made, file: { ...made.file, claim }, trust };
  };

export const LIST_FORGERIES: Readonly<Record<string, Forgery>> = {
  'a list without its last record': [LIST, leaves((bytes) => bytes.subarray(0, -80))],
  'a list without its first record': [LIST, leaves((bytes) => bytes.subarray(80))],
  'a list with two records exchanged': [
    LIST,
    leaves((bytes) => concatBytes([bytes.subarray(80, 160), bytes.subarray(0, 80), bytes.subarray(160)])),
  ],
  'a list with a record twice': [LIST, leaves((bytes) => concatBytes([bytes, bytes.subarray(-80)]))],
  'a list with a record of zeros': [LIST, leaves((bytes) => concatBytes([bytes, new Uint8Array(80)]))],
  'a list with half a record': [LIST, leaves((bytes) => concatBytes([bytes, new Uint8Array(40)]))],
  'a list with a byte after it': [LIST, leaves((bytes) => concatBytes([bytes, new Uint8Array(1)]))],
  'a list of nothing': [LIST, leaves(() => new Uint8Array(), 0)],
  'a list of its root': [LIST, leaves((bytes) => bytes.subarray(0, 80), 1)],
  'a list with another time in a record': [LIST, leaves((bytes) => bytes.with(79, bytes[79]! ^ 1))],
  'a list whose file was changed': [
    LIST,
    (original) => ({ ...original, leaves: toBase64(fromBase64(original.leaves!).with(0, 0)) }),
  ],
  'a list with the hash of another file': [LIST, put('claim/leaves_sha256', `0x${'ab'.repeat(32)}`)],
  'a list of another tenant': [LIST, put('claim/tenant_identity', `tenant/${OTHER_UUID}`)],
  'a list with another count': [LIST, put('claim/count', 1)],
  'a list under an earlier tree': [LIST, take('event in the tree', 'blocks')],
  'a list with its leaves inside': [LIST, (original, known) => put('leaves', original.leaves!)(original, known)],
  'a list as a history': [LIST, put('claim/kind', 'history')],
  'a list by the log of a stream': [LIST, take('history', 'proofs', 'blocks')],
};
