// `Idempotency-Key` (decision 29) without a memory of its own: the key decides the UUID of what is created, so the ledger itself
// knows whether it was used, also after a restart and beside another server.
import { createHash } from 'node:crypto';
import { LedgerError } from '../../ledger/errors.ts';
import { formatUuid } from '../../ledger/identity.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import type { Sender } from '../openapi/handlers.ts';
import type { RunExclusively } from './exclusive.ts';
import type { Acceptance } from './newEvent.ts';

const VERSION = 0x80;
const VARIANT = 0x80;

/** The first 16 bytes of a hash as a UUID of version 8 (RFC 9562 section 5.8). */
const toUuidV8 = (hash: Uint8Array): string => {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = (bytes[6]! & 0x0f) | VERSION;
  bytes[8] = (bytes[8]! & 0x3f) | VARIANT;
  return formatUuid(bytes.toString('hex'));
};

/**
 * UUID of what a caller creates at `path` (without prefix) with a key: the same for the same four, and for no others.
 * Anybody of the tenant who knows all four can compute it; it is a name, not a secret.
 */
export const toKeyedUuid = ({ tenantIdentity, principal }: Sender, path: string, key: string): string => {
  const name = JSON.stringify(['Idempotency-Key', tenantIdentity, principal.issuer, principal.subject, path, key]);
  return toUuidV8(createHash('sha256').update(name).digest());
};

const assertSameRequest = (first: LedgerRecord, toAgain: (acceptance: Acceptance) => LedgerRecord): void => {
  const again = toAgain({ atTimestamp: first.timestamp_accepted, principal: first.principal_accepted });
  const isSame = Buffer.compare(encodePayload(first), encodePayload(again)) === 0;
  if (!isSame) throw new LedgerError('IDEMPOTENCY_CONFLICT');
};

export interface KeyedCreation<First, T> {
  /** Identity of the record that the key decides. */
  readonly identity: string;
  /** The record of that identity, also while it waits for the chain. */
  readonly readFirst: () => Promise<First | undefined>;
  /** The record itself, of what `readFirst` gives. */
  readonly toFirstRecord: (first: First) => LedgerRecord;
  /** The record as this request asks for it, had it been accepted at that time from that principal. */
  readonly toRecord: (acceptance: Acceptance) => LedgerRecord;
  /** Answers with what the first request created. */
  readonly answerFirst: (first: First) => Promise<T>;
  readonly create: () => Promise<T>;
}

/**
 * Creates a record unless it exists. Relies on `readFirst` seeing a record from the moment that its append was answered, and on `runExclusively`
 * for requests of the same key at the same time in this process; two processes are told apart by the contract, which keeps one of them.
 * Rejects with IDEMPOTENCY_CONFLICT when the key was used for another request.
 */
export const createOnce = <First, T>(runExclusively: RunExclusively, creation: KeyedCreation<First, T>): Promise<T> =>
  runExclusively(creation.identity, async () => {
    const first = await creation.readFirst();
    if (first === undefined) return creation.create();
    assertSameRequest(creation.toFirstRecord(first), creation.toRecord);
    return creation.answerFirst(first);
  });
