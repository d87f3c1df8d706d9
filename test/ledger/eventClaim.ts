// A commitment, and the claim of an event that is shown with it.
import { Wallet } from 'ethers';
import { type RecordContent, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import { parseEventClaim } from '../../ledger/verification.ts';

export const commitment: Commitment = {
  confirmation_status: 'CONFIRMED',
  timestamp_committed: '2026-11-20T12:00:01Z',
  block_number: 7,
  transaction_index: 0,
  log_index: 3,
  transaction_id: `0x${'88'.repeat(32)}`,
  from: new Wallet(`0x${'11'.repeat(32)}`).address,
};

/** The claim of a resource. */
export const claimOf = (json: unknown) => {
  const claim = parseEventClaim(json);
  if (typeof claim === 'string') throw new Error(claim);
  return claim;
};

/** The digest of a record of a ledger whose domain separator is zero. */
export const digestOf = (content: RecordContent): string => toHex(toRecordDigest(new Uint8Array(32), content));
