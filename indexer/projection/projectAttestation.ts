// The projection of what the contract was made to attest. It must agree with the records before it: the index doesn't
// go on after a contradiction. Anybody can attest any name, so names of unknown tenants are ignored, and of the names
// that don't exist a tenant keeps the newest ones. What is attested in a large receipt is ignored, too: each evidence
// file would have the receipt.
import type { AttestedLog } from '../../chain/port.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { appendAttestation, decodeAttestations } from '../rows/attestationRow.ts';
import { decodeLeafIndex, headOf } from '../rows/leafRow.ts';
import { absenceCountKey, absenceKey, attestedNameKey, attestedTreeKey, streamLeafKey } from '../treeKeys.ts';
import { type Change, type ReadRow, row } from './changes.ts';
import { readLeafCount, readLeafRow, readTreeRoot } from './projectLeaf.ts';

/** Names of a tenant that don't exist and whose attestations are kept. */
export const ABSENCES_MAX = 65_536;

/** Size of the logs of a receipt whose attestations are kept: those that a server sends have at most 8 names. */
const RECEIPT_BYTES_MAX = 2_048;

type AttestedTreeLog = Extract<AttestedLog, { event: 'TenantAttested' }>;
type AttestedNameLog = Exclude<AttestedLog, AttestedTreeLog>;

/** The error for logs of the contract that contradict each other. `what`: a clause about the log. */
export const createContradiction = (blockNumber: number, what: string): LedgerError =>
  new LedgerError('CHAIN_CORRUPT', {
    message: `The logs of block ${blockNumber} contradict those before them: ${what}. Stop the server, and run: npm run rebuild`,
  });

const projectTree = (log: AttestedTreeLog, read: ReadRow): Change[] => {
  const { tenantKey, blockNumber, receiptBytes, size, root } = log;
  const count = readLeafCount(read, tenantKey);
  if (size !== count) throw createContradiction(blockNumber, `a tree has ${size} records, not ${count}`);
  if (!isSameBytes(root, readTreeRoot(read, tenantKey)))
    throw createContradiction(blockNumber, `a tree of ${size} records has another root`);
  if (size === 0 || receiptBytes > RECEIPT_BYTES_MAX) return [];
  const key = attestedTreeKey(tenantKey);
  return [row(key, appendAttestation(read(key) as Uint8Array | undefined, { ...log, hash: root, count: size }))];
};

const isPresent = (row: Uint8Array | undefined): boolean => (decodeAttestations(row).at(-1)?.count ?? 0) > 0;

// The name takes the place of the oldest absent one, which is forgotten unless it exists meanwhile.
const addAbsence = ({ tenantKey }: AttestedNameLog, nameKey: Buffer, read: ReadRow): Change[] => {
  const countKey = absenceCountKey(tenantKey);
  const count = (read(countKey) as number | undefined) ?? 0;
  const slotKey = absenceKey(tenantKey, count % ABSENCES_MAX);
  const name = nameKey.toString('hex');
  const forgotten = read(slotKey) as string | undefined;
  const forgottenKey = forgotten === undefined || forgotten === name ? undefined : Buffer.from(forgotten, 'hex');
  const isForgotten = forgottenKey !== undefined && !isPresent(read(forgottenKey) as Uint8Array | undefined);
  return [...(isForgotten ? [row(forgottenKey, undefined)] : []), row(slotKey, name), row(countKey, count + 1)];
};

const assertStream = ({ tenantKey, key, count, hash, blockNumber }: AttestedNameLog, read: ReadRow): void => {
  const last = count === 0 ? undefined : read(streamLeafKey(tenantKey, key, count));
  const isKnown =
    count === 0 ||
    (last !== undefined &&
      isSameBytes(headOf(readLeafRow(read, tenantKey, decodeLeafIndex(last as Uint8Array))), hash));
  if (!isKnown || read(streamLeafKey(tenantKey, key, count + 1)) !== undefined)
    throw createContradiction(blockNumber, `a stream of ${count} records has another head or number of records`);
};

const projectName = (log: AttestedNameLog, read: ReadRow): Change[] => {
  const { tenantKey, event, key, count, hash, receiptBytes } = log;
  if (readLeafCount(read, tenantKey) === 0) return [];
  if (event === 'StreamAttested') assertStream(log, read);
  if (receiptBytes > RECEIPT_BYTES_MAX) return [];
  const nameKey = attestedNameKey(tenantKey, event === 'StreamAttested' ? 'stream' : 'record', key);
  const known = read(nameKey) as Uint8Array | undefined;
  const absence = known === undefined && count === 0 ? addAbsence(log, nameKey, read) : [];
  return [...absence, row(nameKey, appendAttestation(known, { ...log, hash, count }))];
};

/**
 * The changes of the index for an attestation, after the changes of all logs before it.
 * @throws LedgerError CHAIN_CORRUPT if it contradicts them.
 */
export const projectAttestation = (log: AttestedLog, read: ReadRow): Change[] =>
  log.event === 'TenantAttested' ? projectTree(log, read) : projectName(log, read);
