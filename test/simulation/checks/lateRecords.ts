// The records that may follow later ones of their asset or location, because the server submitted them again after
// those: a reorg has undone their transaction, or the contract refused a record alone, and the server ended before that
// was final.
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import type { UndoneRecords } from '../chains/chainKind.ts';
import type { Submissions } from './submissions.ts';

/**
 * By identity, the virtual time in milliseconds at which such a record was submitted again. Only records that were
 * submitted before that time may precede it.
 */
export type LateRecords = ReadonlyMap<string, number>;

interface LateInput {
  readonly undone: UndoneRecords;
  /** Identities of the records that the contract refused, alone or with one that it refused alone. */
  readonly refused: ReadonlySet<string>;
  readonly submissions: Submissions['records'];
}

/** Whether a process submitted a record after another one had. */
export const isAnySubmittedAgain = (submissions: Submissions['records']): boolean =>
  [...submissions.values()].some(({ isAgain }) => isAgain);

/** The late records of a run. */
export const findLate = ({ undone, refused, submissions }: LateInput): LateRecords => {
  const late = new Map<string, number>();
  for (const [identity, { lastMs, processMs, isAgain }] of submissions) {
    const key = toHex(toKey(identity));
    // Its sender gives it another nonce by itself, after those in use.
    if (undone.replaced.has(key)) late.set(identity, Number.POSITIVE_INFINITY);
    else if (undone.reverted.has(key)) late.set(identity, lastMs);
    else if (isAgain && refused.has(identity)) late.set(identity, processMs);
  }
  return late;
};
