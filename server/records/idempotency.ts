// `Idempotency-Key` (decision 29) without a table of used keys: the key decides the UUID of what is created, so the
// ledger itself shows whether a key was used, also after a restart or by another server.
import { createHash } from 'node:crypto';
import { LedgerError } from '../../ledger/errors.ts';
import { formatUuid } from '../../ledger/identity.ts';
import { withoutPlaces } from '../../ledger/records/appendedAgain.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { FOLLOWS_NONE } from '../../ledger/records/version.ts';
import { createRunExclusively } from '../fairness/exclusive.ts';
import type { Caller, CallerIdentity } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';
import { toVersionedAnswer, type Versioned } from './versionTags.ts';

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
 * UUID of what a caller creates with a key at `path` (without prefix). Derived from the tenant, the caller's issuer and
 * subject, the path and the key: equal for equal values, different for any others. It is a name, not a secret: a client
 * that has these values can compute it.
 */
export const toKeyedUuid = ({ tenantIdentity, principal }: CallerIdentity, path: string, key: string): string => {
  const name = JSON.stringify(['Idempotency-Key', tenantIdentity, principal.issuer, principal.subject, path, key]);
  return toUuidV8(createHash('sha256').update(name).digest());
};

/**
 * Asserts that a request describes the record that an earlier one with its key created.
 * @throws LedgerError IDEMPOTENCY_CONFLICT.
 */
export const assertSameRequest = (first: LedgerRecord, toAgain: (acceptance: Acceptance) => LedgerRecord): void => {
  const again = toAgain({ atTimestamp: first.timestamp_accepted, principal: first.principal_accepted });
  // A record of 0.1 that creates something doesn't say that it follows none.
  const whole = 'follows' in again ? { follows: FOLLOWS_NONE, ...first } : first;
  // It may have been appended again since.
  const created = withoutPlaces(whole) as LedgerRecord;
  const isSame = Buffer.compare(encodePayload(created), encodePayload(again)) === 0;
  if (!isSame) throw new LedgerError('IDEMPOTENCY_CONFLICT');
};

/** Chooses the UUID of what is created at a path (without prefix). */
export type NameUuid = (path: string) => string;

/** UUIDs of a new member of a collection, and of the record that creates it. */
export interface CreationUuids {
  readonly uuid: string;
  readonly recordUuid: string;
}

/** The path (without prefix) at which the events of an asset are created. */
export const toEventCollection = (assetUuid: string): string => `v2/assets/${assetUuid}/events`;

/** Names a new member of the collection at a path, and the record that creates it. */
export const nameCreation = (nameUuid: NameUuid, collection: string): CreationUuids => {
  const uuid = nameUuid(collection);
  return { uuid, recordUuid: nameUuid(`${collection}/${uuid}`) };
};

/** How one operation creates its records. A `Creation` is a request with the UUIDs that were chosen for it. */
export interface CreationSteps<Creation, First, T> {
  /** Identity of the record that the request appends. */
  toIdentity(creation: Creation): string;
  /**
   * Resolves with what the ledger has under that identity, also while it waits for the chain. Must see it from the
   * moment that its append resolved.
   */
  readFirst(creation: Creation): Promise<First | undefined>;
  /** The record of what `readFirst` found. */
  toFirstRecord(first: First, creation: Creation): LedgerRecord;
  /** The record that this request describes, had it been accepted at that time from that principal. */
  toRecord(creation: Creation, acceptance: Acceptance): LedgerRecord;
  /** Answers with what the first request created. */
  answerFirst(first: First, creation: Creation): T | Promise<T>;
  /** Appends the record and answers. */
  append(creation: Creation): Promise<T>;
}

/** Whether a writer refused a record because the ledger has another one of its identity. */
export const isDisplaced = (error: unknown): boolean =>
  error instanceof LedgerError && error.code === 'IDENTITY_PRESENT';

/**
 * Creates a record, with a key only once: another request with the same key and content gets the answer of the first.
 * Rejects as `append` does, and with IDEMPOTENCY_CONFLICT when the key was used for another request.
 */
export type CreateOnce<Creation, T> = (
  sender: CallerIdentity,
  key: string | undefined,
  toCreation: (nameUuid: NameUuid) => Creation,
) => Promise<T>;

/**
 * The creation of one operation's records. Requests with the same key run one after the other in this process. Of
 * records that two servers append under the same identity the contract accepts one, and the request of the other is
 * compared with that. Operations that create the same records share `runExclusively`.
 */
export const createCreateOnce = <Creation, First, T>(
  newUuid: () => string,
  steps: CreationSteps<Creation, First, T>,
  runExclusively = createRunExclusively(),
): CreateOnce<Creation, T> => {
  const repeat = async (first: First, creation: Creation): Promise<T> => {
    assertSameRequest(steps.toFirstRecord(first, creation), (acceptance) => steps.toRecord(creation, acceptance));
    return steps.answerFirst(first, creation);
  };
  const createKeyed = async (creation: Creation): Promise<T> => {
    const first = await steps.readFirst(creation);
    if (first !== undefined) return repeat(first, creation);
    try {
      return await steps.append(creation);
    } catch (error) {
      const recorded = isDisplaced(error) ? await steps.readFirst(creation) : undefined;
      if (recorded === undefined) throw error;
      return repeat(recorded, creation);
    }
  };
  return async (sender, key, toCreation) => {
    if (key === undefined) return steps.append(toCreation(() => newUuid()));
    const creation = toCreation((path) => toKeyedUuid(sender, path, key));
    return runExclusively(steps.toIdentity(creation), () => createKeyed(creation));
  };
};

/** What the request that creates a member of a collection contains. */
export interface CreationRequest<Body> {
  readonly caller: Caller;
  readonly body: Body;
}

/** A request to create a member of a collection, with the UUIDs of the member and of its first record. */
export type MemberCreation<Body> = CreationRequest<Body> & CreationUuids;

type KeyedRequest<Body> = CreationRequest<Body> & { readonly headers: { readonly 'Idempotency-Key'?: string } };

const createMember =
  <Body, T>(create: CreateOnce<MemberCreation<Body>, T>, collection: string) =>
  ({ caller, body, headers }: KeyedRequest<Body>): Promise<T> =>
    create(caller, headers['Idempotency-Key'], (nameUuid) => ({
      caller,
      body,
      ...nameCreation(nameUuid, collection),
    }));

/**
 * The handler that creates members of the collection at a path (without prefix) and answers 200 with the new member.
 * Rejects as `CreateOnce` does.
 */
export const createInCollection = <Body, T>(create: CreateOnce<MemberCreation<Body>, T>, collection: string) => {
  const toMember = createMember(create, collection);
  return async (request: KeyedRequest<Body>) => ({ status: 200, body: await toMember(request) }) as const;
};

/** The same for members that change by versions: the answer has the tag of the new member. */
export const createVersionedInCollection = <Body, T extends object>(
  create: CreateOnce<MemberCreation<Body>, Versioned<T>>,
  collection: string,
) => {
  const toMember = createMember(create, collection);
  return async (request: KeyedRequest<Body>) => toVersionedAnswer(await toMember(request));
};
