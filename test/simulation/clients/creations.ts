// Clients that create records: they retry with and without `Idempotency-Key`, or send a request and disappear.

import { toUuid } from '../../../ledger/identity.ts';
import type { Commitment } from '../../../ledger/records/commitment.ts';
import type { Machine } from '../server/machine.ts';
import type { SimulatedHandlers } from '../server/serverProcess.ts';
import { theWorld } from '../world/world.ts';
import { type ClientNetwork, type Exchanged, exchange, wait } from './exchange.ts';
import type { Attempt, CreationRequest, History, Sight } from './history.ts';
import { callAs } from './request.ts';

/** What a client does with one creation. */
export interface Creation {
  readonly kind: CreationRequest['kind'];
  readonly label: string;
  readonly tenantIdentity: string;
  /** Chooses the asset of an event. */
  readonly assetNumber: number;
  readonly isKeyed: boolean;
  /** Whether a lost request without a key is sent again. */
  readonly repeatsUnkeyed: boolean;
  /** Whether the client disappears after it has sent the request. */
  readonly vanishes: boolean;
  /** Whether the client sends each request with a key twice at the same time. */
  readonly isDoubled: boolean;
}

/** What clients act on. */
export interface ClientWorld {
  readonly machine: Machine;
  readonly network: ClientNetwork;
  readonly history: History;
}

/** Refusals after which the same request may succeed. */
export const TRANSIENT: readonly string[] = [
  'NOT_RUNNING',
  'STARTING',
  'STOPPING',
  'OUTBOX_FULL',
  'STORAGE_FULL',
  'CHAIN_UNAVAILABLE',
  'CHAIN_MISMATCH',
  'RELAYER_UNFUNDED',
  'INDEX_DAMAGED',
  'INDEX_REBUILDING',
  'AUTHOR_UNAVAILABLE',
];

const ATTEMPTS_MAX = 12;
const RETRY_MS = [100, 4_000] as const;

/** The part of an answer that is the same for all resources. */
export type CreatedBody = { readonly identity: string } & Partial<Commitment>;

/** What a client sees of a record in an answer that arrives now. */
export const toSight = (sentMs: number, body: CreatedBody): Sight => ({
  sentMs,
  atMs: theWorld().nowMs(),
  identity: body.identity,
  status: body.confirmation_status ?? 'unknown',
  blockNumber: body.block_number ?? 0,
  transactionHash: body.transaction_id ?? '',
});

/** The body of a creation. */
export const toBody = ({ kind, label }: Pick<CreationRequest, 'kind' | 'label'>): object => {
  const attributes = { label };
  if (kind === 'createAsset') return { attributes };
  if (kind === 'createLocation') return { display_name: label, latitude: 1, longitude: 2, attributes };
  const event_attributes = { ...attributes, arc_display_type: 'note' };
  return { behaviour: 'RecordEvidence', operation: 'Record', event_attributes };
};

const call = (handlers: SimulatedHandlers, request: CreationRequest): Promise<CreatedBody> => {
  const { kind, tenantIdentity, label, isKeyed, assetUuid } = request;
  return callAs<CreatedBody>(tenantIdentity, handlers[kind], {
    params: assetUuid === undefined ? {} : { asset_uuid: assetUuid },
    headers: isKeyed ? { 'Idempotency-Key': label } : {},
    body: toBody(request),
  });
};

const describe = ({ kind, label, isKeyed }: CreationRequest): string =>
  `${kind} ${label}${isKeyed ? ' (with a key)' : ''}`;

const note = (text: () => string): void => theWorld().note('client', text);

const record = (history: History, request: CreationRequest, attempt: Attempt, result: Exchanged<CreatedBody>): void => {
  if (result === 'lost') {
    attempt.outcome = 'lost';
    note(() => `${describe(request)}: no answer`);
  } else if ('refusal' in result) {
    attempt.outcome = result;
    note(() => `${describe(request)}: refused with ${result.refusal}`);
  } else {
    const sight = toSight(attempt.sentMs, result.answer);
    attempt.outcome = 'answered';
    request.sights.push(sight);
    note(() => `${describe(request)}: ${sight.status}, ${sight.identity}`);
    if (request.kind === 'createAsset' && sight.status !== 'FAILED')
      history.addAsset(request.tenantIdentity, toUuid(sight.identity));
  }
};

const sendOnce = async (
  { machine, network, history }: ClientWorld,
  request: CreationRequest,
  vanishes: boolean,
): Promise<Attempt> => {
  const attempt: Attempt = { sentMs: theWorld().nowMs(), outcome: 'pending' };
  request.attempts.push(attempt);
  const result = await exchange(machine, network, (handlers) => call(handlers, request));
  record(history, request, attempt, vanishes ? 'lost' : result);
  return attempt;
};

const mayRepeat = ({ outcome }: Attempt, { isKeyed, repeatsUnkeyed }: Creation): boolean => {
  if (outcome === 'lost') return isKeyed || repeatsUnkeyed;
  return typeof outcome === 'object' && TRANSIENT.includes(outcome.refusal);
};

/** Sends a creation until it is answered or refused finally, or the client gives up. Never rejects. */
export const create = async (clients: ClientWorld, creation: Creation): Promise<void> => {
  const { kind, label, tenantIdentity, isKeyed } = creation;
  const assets = clients.history.assetsOf(tenantIdentity);
  const assetUuid = kind === 'createEvent' ? assets[creation.assetNumber % assets.length] : undefined;
  const request: CreationRequest = { label, kind, tenantIdentity, assetUuid, isKeyed, attempts: [], sights: [] };
  clients.history.add(request);
  note(() => `sends ${describe(request)}${assetUuid === undefined ? '' : ` on assets/${assetUuid}`}`);
  const random = theWorld().stream('clients');
  for (let tries = 0; tries < ATTEMPTS_MAX; tries += 1) {
    const sending = sendOnce(clients, request, creation.vanishes);
    if (isKeyed && creation.isDoubled) await sendOnce(clients, request, creation.vanishes);
    const attempt = await sending;
    if (creation.vanishes || !mayRepeat(attempt, creation)) return;
    await wait(random.integer(...RETRY_MS));
  }
};
