// Whether the contract stores exactly the record that an event's JSON claims.
import { toDomainSeparator, toRecordDigest } from '../../encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../encoding/hex.ts';
import type { EventClaim } from '../../verification.ts';
import { assertProved } from './findings.ts';

/** What the contract's `recordOf` answers. */
export interface StoredRecord {
  /** The first 28 bytes of the record's digest; zeros without a record. */
  readonly hash: Hex;
  /** Position in its stream, from 1; 0 without a record. */
  readonly sequence: number;
}

const HASH_HEX_CHARACTERS = 2 + 28 * 2;

/** The digest of the claimed record. @throws Refuted when the contract stores none, or another one. */
export const requireStored = (
  { content }: EventClaim,
  { chainId, contract }: { chainId: number; contract: Hex },
  { hash, sequence }: StoredRecord,
): Hex => {
  assertProved(sequence !== 0, 'content', 'the contract has no record of this identity for this tenant');
  const digest = toHex(toRecordDigest(toDomainSeparator({ chainId, contract: fromHex(contract) }), content));
  const isSame = digest.slice(0, HASH_HEX_CHARACTERS) === hash.toLowerCase();
  assertProved(isSame, 'content', 'the contract has a record of this identity, with other content, author or asset');
  return digest;
};
