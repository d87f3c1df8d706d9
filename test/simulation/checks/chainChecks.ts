// Compares what clients requested and were answered with the records that the chain has in the end.
import type { RecordLog } from '../../../chain/port.ts';
import { decodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import type { Attempt, History, Sight } from '../clients/history.ts';
import { labelOf } from '../clients/recordLabel.ts';
import type { Violation } from '../plan/plan.ts';
import { type Check, runChecks } from './runChecks.ts';

/** A record on the final chain. */
export interface ChainRecord {
  readonly log: RecordLog;
  readonly record: LedgerRecord;
  readonly label: string;
}

/** What the checks of the chain need. */
export interface ChainCheckInput {
  readonly history: History;
  /** The records that the run added to the chain, in its order, without those of third parties. */
  readonly records: readonly ChainRecord[];
  /** The records that the server shows as FAILED in the end. */
  readonly failed: readonly {
    readonly tenantIdentity: string;
    readonly record: LedgerRecord;
    readonly identity: string;
    readonly label: string;
  }[];
  /** Identities of the records that the contract refused, alone or with one that it refused alone. */
  readonly refused: ReadonlySet<string>;
  /** When the removal of a tenant's author began, in virtual milliseconds. */
  readonly removals: ReadonlyMap<string, number>;
  /** Kinds of the faults of the run. */
  readonly faults: ReadonlySet<string>;
}

/** Decodes the logs of a chain. */
export const toChainRecords = (logs: readonly RecordLog[]): ChainRecord[] =>
  logs.flatMap((log) => {
    const record = decodePayload(log.payload);
    return record === undefined ? [] : [{ log, record, label: labelOf(record) }];
  });

// An answer names an asset or a location by its own identity, and its first record has a longer one.
/** Whether a sight shows the record with this identity. */
export const isShownBy = (sight: Sight, identity: string): boolean =>
  identity === sight.identity || identity.startsWith(`${sight.identity}/`);

const byLabel = (records: readonly ChainRecord[]): Map<string, ChainRecord[]> =>
  Map.groupBy(records, ({ label }) => label);

const checkAnswered: Check<ChainCheckInput> = ({ history, records, failed }) => {
  const known = byLabel(records);
  return history.requests.flatMap(({ kind, label, sights }) =>
    sights.flatMap((sight) => {
      if (failed.some((one) => one.label === label && isShownBy(sight, one.identity))) return [];
      const count = (known.get(label) ?? []).filter(({ record }) => isShownBy(sight, record.identity)).length;
      // An answer to an update has the identity of the location, and a repeated update may be recorded again.
      return count === 1 || (count > 1 && kind === 'updateLocation')
        ? []
        : [`${label} was answered as ${sight.identity}, and the chain has it ${count} times`];
    }),
  );
};

// A refused write may be on the disk all the same until the outbox is written again. A version that changed nothing is
// on the chain.
const mayHaveWritten = ({ outcome }: Attempt, faults: ReadonlySet<string>): boolean =>
  typeof outcome !== 'object' ||
  outcome.code === 'VERSION_CONFLICT' ||
  faults.has('diskFull') ||
  faults.has('diskErrors');

const checkRequested: Check<ChainCheckInput> = ({ history, records, faults }) => {
  const requests = new Map(history.requests.map((request) => [request.label, request]));
  return [...byLabel(records)].flatMap(([label, found]) => {
    const request = requests.get(label);
    if (request === undefined) return [`the chain has ${found[0]!.record.identity}, which no client requested`];
    const most =
      request.key !== undefined ? 1 : request.attempts.filter((attempt) => mayHaveWritten(attempt, faults)).length;
    if (found.length > most)
      return [`${label} was sent ${most} times without a refusal, and the chain has it ${found.length} times`];
    const { streamIdentity = '' } = request;
    const elsewhere = found.find(({ record }) => !record.identity.startsWith(streamIdentity));
    if (elsewhere === undefined) return [];
    return [`${label} is recorded as ${elsewhere.record.identity}, not in ${streamIdentity}`];
  });
};

const checkConfirmed: Check<ChainCheckInput> = ({ history, records }) => {
  const known = byLabel(records);
  return history.requests.flatMap((request) =>
    request.sights
      .filter(({ status }) => status === 'CONFIRMED')
      .flatMap((sight) => {
        const found = (known.get(request.label) ?? []).find(({ record }) => isShownBy(sight, record.identity));
        if (found === undefined) return [`${request.label} was CONFIRMED, and the chain doesn't have it`];
        const { blockNumber, transactionHash } = found.log;
        const isSame =
          request.kind === 'createAsset' ||
          (sight.blockNumber === blockNumber && sight.transactionHash === transactionHash);
        return isSame
          ? []
          : [`${request.label} was CONFIRMED in block ${sight.blockNumber}, and the chain has it in ${blockNumber}`];
      }),
  );
};

const checkFailed: Check<ChainCheckInput> = ({ records, failed, refused }) => {
  const known = new Set(records.map(({ record }) => record.identity));
  return failed.flatMap(({ identity }) => [
    ...(known.has(identity) ? [`${identity} is FAILED, and the chain has it`] : []),
    ...(refused.has(identity) ? [] : [`${identity} is FAILED, and the contract did not refuse it`]),
  ]);
};

const checkShownFailed: Check<ChainCheckInput> = ({ history, failed }) =>
  history.requests.flatMap(({ label, sights }) =>
    sights
      .filter((sight) => sight.status === 'FAILED' && !failed.some(({ identity }) => isShownBy(sight, identity)))
      .map((sight) => `${label} was answered as FAILED, and ${sight.identity} is not`),
  );

// A record may be accepted long before the contract refuses it, but no answer shows that before the removal.
const checkEarlyFailed: Check<ChainCheckInput> = ({ history, removals }) =>
  history.requests.flatMap(({ label, tenantIdentity, sights }) => {
    const removedMs = removals.get(tenantIdentity) ?? Number.POSITIVE_INFINITY;
    return sights.some(({ status, atMs }) => status === 'FAILED' && atMs < removedMs)
      ? [`${label} was answered as FAILED before its author was removed`]
      : [];
  });

const isFinal = ({ status }: Sight): boolean => status === 'CONFIRMED' || status === 'FAILED';

const checkStatuses: Check<ChainCheckInput> = ({ history }) =>
  history.requests.flatMap(({ label, sights }) =>
    sights.filter(isFinal).flatMap((before) =>
      sights
        .filter(({ identity, sentMs, status }) => {
          const isLater = identity === before.identity && sentMs >= before.atMs;
          return isLater && status !== before.status && status !== 'unknown';
        })
        .map(({ status }) => `${label} was ${before.status} and is ${status} later`),
    ),
  );

const CHECKS: Readonly<Record<string, Check<ChainCheckInput>>> = {
  'answered records exist exactly once': checkAnswered,
  'nothing exists that was not requested': checkRequested,
  'CONFIRMED is true': checkConfirmed,
  'FAILED is true': checkFailed,
  'FAILED follows a removal': checkEarlyFailed,
  'FAILED is never revoked': checkShownFailed,
  'statuses never go back': checkStatuses,
};

/** Runs all checks of the chain. */
export const checkChain = (input: ChainCheckInput): Violation[] => runChecks(CHECKS, input);
