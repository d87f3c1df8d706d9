// Checks what the server did with single requests: records have the content that was requested, and a server without
// faults serves every request.
import { isDeepStrictEqual } from 'node:util';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { isCreation } from '../../../ledger/records/event.ts';
import type { CreationRequest, History } from '../clients/history.ts';
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
}

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

// `checkRefusals` checks what the server refused.
const checkLast: Check<RequestCheckInput> = ({ history, failed }) =>
  history.requests
    .filter(({ label }) => label.startsWith(LAST_LABEL))
    .flatMap(({ label, sights, attempts }) => {
      if (sights.length === 0) return [`${label} is never answered: ${JSON.stringify(attempts.at(-1)?.outcome)}`];
      return failed.some((one) => one.label === label) ? [`${label} is FAILED`] : [];
    });

const checkLastReads: Check<RequestCheckInput> = ({ history: { lastFromMs, reads } }) =>
  reads
    .filter(({ sentMs, outcome }) => sentMs >= lastFromMs && outcome === 'lost')
    .map(({ what }) => `a read of ${what} is never answered`);

const CHECKS: Readonly<Record<string, Check<RequestCheckInput>>> = {
  'records have the requested content': checkContent,
  'a server without faults serves requests': checkLast,
  'a server without faults answers reads': checkLastReads,
};

/** Runs all checks of requests. */
export const checkRequests = (input: RequestCheckInput): Violation[] => runChecks(CHECKS, input);
