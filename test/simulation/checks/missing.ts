// What may be missing although an answer has shown it: only what belongs to a creation that the contract refused, or
// that follows on the chain, because a reorg has reverted its batch.
import { toStreamIdentityOf } from '../../../ledger/identity.ts';
import type { History } from '../clients/history.ts';
import type { ChainCheckInput } from './chainChecks.ts';
import { findWithoutEffect } from './orderChecks.ts';

/** What decides which resources may be missing. */
export interface FailedInput extends Pick<ChainCheckInput, 'records' | 'failed' | 'removals'> {
  readonly history: Pick<History, 'requests'>;
}

// The assets and locations whose creation failed, with the time at which the removal of their author began.
const findFailedCreations = ({ history, failed, removals }: FailedInput): Map<string, number> => {
  const creations = history.requests.filter(({ kind }) => kind === 'createAsset' || kind === 'createLocation');
  const labels = new Set(creations.map(({ label }) => label));
  return new Map(
    failed
      .filter(({ label }) => labels.has(label))
      .map(({ record, tenantIdentity }) => [
        toStreamIdentityOf(record),
        removals.get(tenantIdentity) ?? Number.POSITIVE_INFINITY,
      ]),
  );
};

/** Whether answers that arrive at a virtual time may lack what earlier ones have shown. */
export interface Missing {
  /**
   * Whether an asset accepts no event. A refused creation leaves its asset in place, as FAILED: it is read and listed.
   */
  asset(identity: string, atMs: number): boolean;
  /**
   * Whether an event is missing: the chain has appended it, and its asset was not in the index then. A refused event
   * stays in place, as FAILED.
   */
  event(identity: string, atMs: number): boolean;
  /** Whether a location is missing, which a refused creation removes. */
  location(identity: string, atMs: number): boolean;
}

/** What may be missing in a run, with the records that the server shows as FAILED in the end. */
export const findMissing = (input: FailedInput): Missing => {
  const creations = findFailedCreations(input);
  const failed = new Set(input.failed.map(({ identity }) => identity));
  const withoutEffect = new Set(findWithoutEffect(input.records).map(({ record }) => record.identity));
  const hasFailed = (stream: string, atMs: number): boolean =>
    atMs >= (creations.get(stream) ?? Number.POSITIVE_INFINITY);
  return {
    asset: hasFailed,
    event: (identity, atMs) =>
      withoutEffect.has(identity) || (!failed.has(identity) && hasFailed(identity.split('/events/')[0]!, atMs)),
    location: hasFailed,
  };
};
