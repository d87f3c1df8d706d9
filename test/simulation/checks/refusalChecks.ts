// Refusals of creations, reads and pages of lists: one rule for all. A code is allowed only for a reason: a fault that
// has begun, or the state of the server at that moment. After the faults, only a full outbox is a reason, and for a
// moment a database whose files a fault kept LevelDB from changing.
import type { Attempt, CreationRequest, History, Refusal } from '../clients/history.ts';
import type { Fault, Plan, Violation } from '../plan/plan.ts';
import { type FailedInput, findMissing, type Missing } from './missing.ts';
import { type Check, runChecks } from './runChecks.ts';

/** What the checks of refusals need. */
export interface RefusalCheckInput extends FailedInput {
  readonly history: Pick<History, 'requests' | 'reads' | 'lastFromMs'>;
  readonly plan: Pick<Plan, 'faults' | 'settings'>;
  /** Labels of the versions of locations on the chain that changed nothing. */
  readonly conflicting: ReadonlySet<string>;
}

interface Refused {
  /** What the client requested, for messages. */
  readonly what: string;
  /** What the request reads or adds to; undefined: nothing that a record has created. */
  readonly identity: string | undefined;
  readonly isRead: boolean;
  /** Of a creation. */
  readonly tenantIdentity?: string;
  readonly refusal: Refusal;
}

const DISK: readonly string[] = ['diskFull', 'diskErrors'];
const KILLS: readonly string[] = ['kill', 'killAtStart', 'killNow'];
/** A start that was stopped begins with a stop. */
const STOPS: readonly string[] = ['stop', 'killAtStart', 'failReplay'];
/** A start fails without a node that answers. */
const NODES: readonly string[] = [
  'hangNode',
  'lagNode',
  'limitNode',
  'lie',
  'loseMessages',
  'restartNode',
  'slowNode',
  'stopNode',
];
/** A start fails, too, with a relayer that cannot pay for the largest record. */
const FUNDS: readonly string[] = ['emptyRelayer', 'feeSpike', 'lie', 'foreignNonce'];

// The faults without which a code has no reason. Other codes have none.
const OF_ALL: Readonly<Record<string, readonly string[]>> = {
  NOT_RUNNING: [...KILLS, ...STOPS, ...DISK, ...NODES, ...FUNDS],
  STORAGE_FULL: DISK,
  INDEX_DAMAGED: [...DISK, ...KILLS],
  INDEX_REBUILDING: [...DISK, ...KILLS],
  CHAIN_UNAVAILABLE: ['failReplay'],
};
const OF_CREATIONS: Readonly<Record<string, readonly string[]>> = {
  ...OF_ALL,
  STOPPING: STOPS,
  CHAIN_UNAVAILABLE: [...DISK, 'failReplay'],
  RELAYER_UNFUNDED: FUNDS,
  CHAIN_MISMATCH: ['lie'],
  CHAIN_REPLACED: ['lie'],
};

type IsMissing = (identity: string, refused: Refused, missing: Missing) => boolean;

/** Refusals of requests for a resource that doesn't exist. An asset that an answer has shown is always read. */
const NOT_FOUND: Readonly<Record<string, IsMissing>> = {
  ASSET_NOT_FOUND: (identity, { isRead, refusal }, missing) => !isRead && missing.asset(identity, refusal.atMs),
  EVENT_NOT_FOUND: (identity, { refusal }, missing) => missing.event(identity, refusal.atMs),
  LOCATION_NOT_FOUND: (identity, { refusal }, missing) => missing.location(identity, refusal.atMs),
};

/** LevelDB reports at the next write that it could not change its files; the server opens it again after a second. */
const REPORTED_LATE_MS = 2_500;
const CODES_OF_WRITES: readonly string[] = ['CHAIN_UNAVAILABLE', 'STORAGE_FULL'];

const hasBegun = (faults: readonly Fault[], kinds: readonly string[], atMs: number): boolean =>
  faults.some((fault) => kinds.includes(fault.kind) && fault.atMs <= atMs);

/** The number of records that one tenant may have in the outbox: a tenth of all places is left for the others. */
export const toTenantMax = (entriesMax: number): number => entriesMax - Math.floor(entriesMax / 10);

// A tenant may have nine times as many records as places are free, and leaves a tenth of all places for others.
const isShareUsed = ({ outboxCountMax, outboxFailed }: Refusal, entriesMax: number): boolean => {
  const ofFree = 9 * Math.max(0, entriesMax - outboxCountMax);
  return outboxCountMax + outboxFailed >= Math.min(ofFree, toTenantMax(entriesMax));
};

const hasReason = (refused: Refused, input: RefusalCheckInput, missing: Missing): boolean => {
  const { identity, isRead, refusal } = refused;
  const { code, atMs, starts } = refusal;
  const { faults, settings } = input.plan;
  const isMissing = NOT_FOUND[code];
  if (isMissing !== undefined) return identity !== undefined && isMissing(identity, refused, missing);
  if (code === 'VERSION_CONFLICT') return input.conflicting.has(refused.what);
  if (code === 'AUTHOR_UNAVAILABLE') return atMs >= (input.removals.get(refused.tenantIdentity ?? '') ?? Infinity);
  // `checkKeys` checks whether the key was used.
  if (code === 'IDEMPOTENCY_CONFLICT') return !isRead;
  if (code === 'OUTBOX_FULL') return !isRead && isShareUsed(refusal, settings.outboxEntriesMax!);
  const isReportedLate =
    !isRead && CODES_OF_WRITES.includes(code) && atMs < input.history.lastFromMs + REPORTED_LATE_MS;
  if (atMs >= input.history.lastFromMs && !isReportedLate) return false;
  const isFirstStart = code === 'NOT_RUNNING' && starts === 1;
  return isFirstStart || hasBegun(faults, (isRead ? OF_ALL : OF_CREATIONS)[code] ?? [], atMs);
};

const isRefusal = (outcome: Attempt['outcome']): outcome is Refusal => typeof outcome === 'object';

const ofCreation = ({ label, tenantIdentity, streamIdentity, attempts }: CreationRequest): Refused[] =>
  attempts
    .map(({ outcome }) => outcome)
    .filter(isRefusal)
    .map((refusal) => ({ what: label, tenantIdentity, identity: streamIdentity, isRead: false, refusal }));

const findRefused = ({ requests, reads }: RefusalCheckInput['history']): Refused[] => [
  ...requests.flatMap(ofCreation),
  ...reads.flatMap(({ what, identity, outcome }) =>
    isRefusal(outcome) ? [{ what: `a read of ${what}`, identity, isRead: true, refusal: outcome }] : [],
  ),
];

const checkReasons: Check<RefusalCheckInput> = (input) => {
  const missing = findMissing(input);
  return findRefused(input.history)
    .filter((refused) => !hasReason(refused, input, missing))
    .map(({ what, refusal: { code, atMs } }) => `${what} was refused with ${code} at ${Math.round(atMs)} ms`);
};

const CHECKS: Readonly<Record<string, Check<RefusalCheckInput>>> = { 'refusals have a reason': checkReasons };

/** Runs all checks of refusals. */
export const checkRefusals = (input: RefusalCheckInput): Violation[] => runChecks(CHECKS, input);
