// Checks what the server did with single requests: refusals have a reason, records have the content that was requested,
// and a server without faults serves every request.
import { isDeepStrictEqual } from 'node:util';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { isCreation } from '../../../ledger/records/event.ts';
import { TRANSIENT } from '../clients/creations.ts';
import type { Attempt, CreationRequest, History } from '../clients/history.ts';
import { LAST_LABEL } from '../clients/lastRequests.ts';
import { toCaller } from '../clients/request.ts';
import type { Violation } from '../plan/plan.ts';
import type { ChainRecord } from './chainChecks.ts';
import { type Check, runChecks } from './runChecks.ts';

/** What the checks of requests need. */
export interface RequestCheckInput {
  readonly history: History;
  readonly records: readonly ChainRecord[];
  /** The records that the server shows as FAILED in the end. */
  readonly failed: readonly { readonly identity: string; readonly label: string }[];
  /** Kinds of the faults of the run. */
  readonly faults: ReadonlySet<string>;
}

// Refusals of a request that adds a record to a resource.
const NOT_FOUND: Readonly<Partial<Record<CreationRequest['kind'], string>>> = {
  createEvent: 'ASSET_NOT_FOUND',
  updateLocation: 'LOCATION_NOT_FOUND',
};

// Faults without which these refusals have no reason.
const REASONS: Readonly<Record<string, readonly string[]>> = {
  STORAGE_FULL: ['diskFull', 'diskErrors'],
  RELAYER_UNFUNDED: ['emptyRelayer', 'feeSpike', 'lie', 'foreignNonce'],
  CHAIN_MISMATCH: ['lie'],
  INDEX_DAMAGED: ['diskFull', 'diskErrors', 'kill', 'killAtStart'],
  INDEX_REBUILDING: ['diskFull', 'diskErrors', 'kill', 'killAtStart'],
};

/**
 * Whether a resource may be missing although an answer has shown it: its creation may have failed after it was answered
 * as PENDING.
 */
export const mayBeMissing = (streamIdentity: string, { failed }: Pick<RequestCheckInput, 'failed'>): boolean =>
  failed.some(({ identity }) => identity.startsWith(`${streamIdentity}/`));

const hasReason = (code: string, request: CreationRequest, input: RequestCheckInput): boolean => {
  const { kind, streamIdentity } = request;
  if (code === NOT_FOUND[kind]) return streamIdentity !== undefined && mayBeMissing(streamIdentity, input);
  // `checkKeys` checks whether the key was used.
  if (code === 'IDEMPOTENCY_CONFLICT') return true;
  const { faults } = input;
  return TRANSIENT.includes(code) && (REASONS[code]?.some((kind) => faults.has(kind)) ?? true);
};

const checkRefusals: Check<RequestCheckInput> = (input) =>
  input.history.requests.flatMap((request) =>
    request.attempts.flatMap(({ outcome }) => {
      if (typeof outcome !== 'object' || hasReason(outcome.refusal, request, input)) return [];
      return [`${request.label} was refused with ${outcome.refusal}`];
    }),
  );

const toShown = (kind: CreationRequest['kind'], { record }: ChainRecord): object => {
  if (record.type === 'location') {
    const { display_name, latitude, longitude, attributes } = record;
    return { display_name, latitude: Number(latitude), longitude: Number(longitude), attributes };
  }
  if (record.type !== 'event') return {};
  const { behaviour, operation, event_attributes, asset_attributes } = record;
  return kind === 'createAsset' ? { attributes: asset_attributes } : { behaviour, operation, event_attributes };
};

const differs = (request: CreationRequest, item: ChainRecord): boolean => {
  const { kind, tenantIdentity } = request;
  const { record, log } = item;
  const isCreated = record.type === 'event' && isCreation(record);
  const accepted = 'principal_accepted' in record ? record.principal_accepted : undefined;
  return (
    log.tenantKey !== toHex(toKey(tenantIdentity)) ||
    (kind === 'createAsset') !== isCreated ||
    !isDeepStrictEqual(accepted, toCaller(tenantIdentity).principal) ||
    // `checkLocations` checks what an update changes.
    (kind !== 'updateLocation' && !isDeepStrictEqual(toShown(kind, item), request.body))
  );
};

const checkContent: Check<RequestCheckInput> = ({ history, records }) => {
  const requests = new Map(history.requests.map((request) => [request.label, request]));
  return records.flatMap((item) => {
    const request = requests.get(item.label);
    if (request === undefined || !differs(request, item)) return [];
    return [`${item.label} is recorded with other content: ${JSON.stringify(item.record)}`];
  });
};

const isServed = ({ outcome }: Attempt): boolean => typeof outcome !== 'object' || outcome.refusal === 'OUTBOX_FULL';

const checkLast: Check<RequestCheckInput> = ({ history, failed }) =>
  history.requests
    .filter(({ label }) => label.startsWith(LAST_LABEL))
    .flatMap(({ label, sights, attempts }) => {
      const refused = attempts.find((attempt) => !isServed(attempt));
      if (refused !== undefined) return [`${label}: ${JSON.stringify(refused.outcome)}`];
      if (sights.length === 0) return [`${label} is never answered: ${JSON.stringify(attempts.at(-1)?.outcome)}`];
      return failed.some((one) => one.label === label) ? [`${label} is FAILED`] : [];
    });

const CHECKS: Readonly<Record<string, Check<RequestCheckInput>>> = {
  'refusals have a reason': checkRefusals,
  'records have the requested content': checkContent,
  'a server without faults serves requests': checkLast,
};

/** Runs all checks of requests. */
export const checkRequests = (input: RequestCheckInput): Violation[] => runChecks(CHECKS, input);
