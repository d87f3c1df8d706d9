// The record of one version of a subject: another organisation, by the public keys of its wallets. The newest version
// in the stream holds; all of them stay on the ledger.
import { toChecksumAddress } from '../encoding/address.ts';
import { fromHex, type Hex } from '../encoding/hex.ts';
import { isTimestamp } from '../encoding/timestamp.ts';
import { toKeyAddress } from '../evidence/sealers.ts';
import { toStreamIdentityOf } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import type { Commitment } from './commitment.ts';
import { areStrings, type Checks, hasFields, isMatch, isString, isVersionOf } from './fieldChecks.ts';
import { isFollows } from './version.ts';

/** The fields of a subject that clients set. */
export interface SubjectContent {
  readonly display_name: string;
  /** Public keys on secp256k1, each uncompressed (SEC 1): `04`, then x and y, in hexadecimal. */
  readonly wallet_pub_key: readonly string[];
  /** Public keys of the ancestor's private transactions, which mean nothing here. */
  readonly tessera_pub_key: readonly string[];
}

/** One version of a subject. */
export interface SubjectRecord extends SubjectContent {
  readonly type: 'subject';
  /** `subjects/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  /** Identity of the version that it replaces; empty in the first one. */
  readonly follows: string;
  /** Whether this record deletes the subject; its other fields repeat the subject's content. */
  readonly is_deleted: boolean;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

/** Whether a value has the form of an uncompressed public key. It may still be no point of the curve. */
export const isWalletKey = isMatch(/^04[0-9a-fA-F]{128}$/);

const CHECKS: Checks<SubjectRecord> = {
  type: (value) => value === 'subject',
  identity: isVersionOf('subjects/'),
  follows: isFollows('subjects/'),
  display_name: isString,
  wallet_pub_key: (value) => Array.isArray(value) && value.every(isWalletKey),
  tessera_pub_key: areStrings,
  is_deleted: (value) => typeof value === 'boolean',
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether an untrusted value is a version of a subject, with all of its fields and no others. */
export const isSubjectRecord = (value: unknown): value is SubjectRecord => hasFields(value, CHECKS);

/** The address of a wallet, in lower case, from its public key as `isWalletKey` checks it. */
export const toWalletAddress = (publicKey: string): Hex => toKeyAddress(fromHex(`0x${publicKey.slice(2)}`));

/** A subject, as its newest version defines it. */
export interface Subject extends SubjectContent {
  readonly identity: string;
  /** The addresses of its wallets, with EIP-55 checksum, in the order of their public keys. */
  readonly wallet_address: readonly string[];
}

/** A subject of this identity, with the addresses of its wallets. */
export const withAddresses = (
  identity: string,
  { display_name, wallet_pub_key, tessera_pub_key }: SubjectContent,
): Subject => ({
  identity,
  display_name,
  wallet_pub_key,
  wallet_address: wallet_pub_key.map((key) => toChecksumAddress(toWalletAddress(key))),
  tessera_pub_key,
});

/** The subject as of a version; undefined where the version deletes it. */
export const toSubject = (record: SubjectRecord): Subject | undefined =>
  record.is_deleted ? undefined : withAddresses(toStreamIdentityOf(record), record);

/** The status of the newest version of a subject. */
export type SubjectStatus = Pick<Commitment, 'confirmation_status' | 'failure_reason'>;

/** A subject as the API shows it. */
export interface SubjectResource extends Subject, SubjectStatus {
  /** Identity of the tenant that has the subject. */
  readonly tenant: string;
}

/** The resource of a subject. */
export const toSubjectResource = (
  subject: Subject,
  tenant: string,
  { confirmation_status, failure_reason }: SubjectStatus,
): SubjectResource => ({
  identity: subject.identity,
  display_name: subject.display_name,
  wallet_pub_key: subject.wallet_pub_key,
  wallet_address: subject.wallet_address,
  tessera_pub_key: subject.tessera_pub_key,
  tenant,
  confirmation_status,
  ...(failure_reason !== undefined && { failure_reason }),
});
