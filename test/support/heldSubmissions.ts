// Submissions to a fake chain that stay in flight until a test ends them.
import type { Submission } from '../../chain/writing/submission.ts';
import type { SentTransaction } from '../../chain/writing/transactionSender.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { WriterFixture } from './writerFixture.ts';

/** A submission in flight. */
export interface HeldSubmission {
  readonly identities: string[];
  readonly isEstimated: boolean;
  /** A reverted one appends nothing. */
  readonly mine: (given?: Partial<SentTransaction>) => Promise<void>;
  readonly fail: () => void;
}

/** Holds the submissions from now on; returns the list that they are added to. */
export const holdSubmissions = ({ submission }: WriterFixture['chain']): HeldSubmission[] => {
  const { submit } = submission;
  const held: HeldSubmission[] = [];
  const hold: Submission['submit'] = (records, signal, onNonce, isEstimated = false) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      const account = { address: '0x', nonce: held.length } as const;
      held.push({
        identities: records.map(({ record }) => record.identity),
        isEstimated,
        mine: async (given) => {
          const reverted = { hash: '0x', blockNumber: 0, outcome: 'reverted', account } as const;
          const mined = given?.outcome === 'reverted' ? reverted : await submit(records, signal, onNonce);
          resolve({ ...mined, account, ...given });
        },
        fail: () => reject(new LedgerError('TRANSACTION_REFUSED')),
      });
    });
  Object.assign(submission, { submit: hold });
  return held;
};

/** Rejects with the signal's reason when it aborts. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
