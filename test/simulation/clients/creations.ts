// Clients that create records: they retry with and without `Idempotency-Key`, use a key for two requests, update a
// location twice at the same time, or send a request and disappear.
import { toUuid } from '../../../ledger/identity.ts';
import type { LocationResource } from '../../../ledger/records/location.ts';
import type { Machine } from '../server/machine.ts';
import type { SimulatedHandlers } from '../server/serverProcess.ts';
import { theWorld } from '../world/world.ts';
import { type ClientNetwork, type Exchanged, exchange, wait } from './exchange.ts';
import type { Attempt, CreatedBody, CreationRequest, History, Sight } from './history.ts';
import { describe, type RequestContent, type RequestTarget, toRequest, toRival } from './newRequest.ts';
import { callAs } from './request.ts';

/** How a client sends a request. */
export interface Sending {
  /** Whether a lost request without a key is sent again. */
  readonly repeatsUnkeyed: boolean;
  /** Whether the client disappears after it has sent the request. */
  readonly vanishes: boolean;
  /** Whether the client sends each request with a key twice at the same time. */
  readonly isDoubled: boolean;
  /** Whether the client gives up after some refusals. */
  readonly givesUp: boolean;
}

/** What a client does with one creation. */
export interface Creation extends RequestContent, RequestTarget, Sending {
  /**
   * Milliseconds after which another request with the same key is sent, or another update of the same location;
   * negative: none is.
   */
  readonly rivalMs: number;
}

/** What clients act on. */
export interface ClientWorld {
  readonly machine: Machine;
  readonly network: ClientNetwork;
  readonly history: History;
}

/** Refusals after which a client sends the same request again. `checkRefusals` decides which of them have a reason. */
export const TRANSIENT: readonly string[] = [
  'NOT_RUNNING',
  'STARTING',
  'STOPPING',
  'OUTBOX_FULL',
  'STORAGE_FULL',
  'CHAIN_UNAVAILABLE',
  'CHAIN_MISMATCH',
  'CHAIN_REPLACED',
  'RELAYER_UNFUNDED',
  'INDEX_DAMAGED',
  'INDEX_REBUILDING',
  'AUTHOR_UNAVAILABLE',
];

const ATTEMPTS_MAX = 12;
/** Shortest and longest pause before a client sends a request again. */
export const RETRY_MS = [100, 4_000] as const;

/** What a client sees of a record in an answer that arrives now. */
export const toSight = (sentMs: number, body: CreatedBody): Sight => ({
  sentMs,
  atMs: theWorld().nowMs(),
  identity: body.identity,
  status: body.confirmation_status ?? 'unknown',
  blockNumber: body.block_number ?? 0,
  transactionHash: body.transaction_id ?? '',
});

const toParams = ({ kind, streamIdentity }: CreationRequest): Record<string, string> => {
  if (streamIdentity === undefined) return {};
  return { [kind === 'createEvent' ? 'asset_uuid' : 'uuid']: toUuid(streamIdentity) };
};

const call = (handlers: SimulatedHandlers, request: CreationRequest): Promise<CreatedBody> => {
  const { kind, tenantIdentity, key, body } = request;
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  return callAs<CreatedBody>(tenantIdentity, handlers[kind], { params: toParams(request), headers, body });
};

const note = (text: () => string): void => theWorld().note('client', text);

const recordAnswer = (history: History, request: CreationRequest, sentMs: number, answer: CreatedBody): void => {
  const { kind, tenantIdentity } = request;
  const sight = toSight(sentMs, answer);
  request.sights.push(sight);
  note(() => `${describe(request)}: ${answer.confirmation_status ?? 'answered'}, ${sight.identity}`);
  if (kind === 'updateLocation')
    history.locationSights.push({ sentMs, atMs: sight.atMs, shown: answer as LocationResource });
  else if (kind !== 'createEvent' && sight.status !== 'FAILED') history.addStream(tenantIdentity, sight.identity);
};

const record = (history: History, request: CreationRequest, attempt: Attempt, result: Exchanged<CreatedBody>): void => {
  if (result === 'lost') {
    attempt.outcome = 'lost';
    note(() => `${describe(request)}: no answer`);
  } else if ('refusal' in result) {
    attempt.outcome = result.refusal;
    note(() => `${describe(request)}: refused with ${result.refusal.code}`);
  } else {
    attempt.outcome = 'answered';
    recordAnswer(history, request, attempt.sentMs, result.answer);
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

/** Whether a client sends a request again; `repeatsLost`: also one whose answer never arrived. */
export const mayRepeat = ({ outcome }: Attempt, repeatsLost: boolean): boolean => {
  if (outcome === 'lost') return repeatsLost;
  return typeof outcome === 'object' && TRANSIENT.includes(outcome.code);
};

// Sends a request until it is answered or refused finally, or the client gives up.
const send = async (clients: ClientWorld, request: CreationRequest, sending: Sending): Promise<void> => {
  const { vanishes } = sending;
  const isKeyed = request.key !== undefined;
  const { streamIdentity } = request;
  clients.history.add(request);
  note(() => `sends ${describe(request)}${streamIdentity === undefined ? '' : ` on ${streamIdentity}`}`);
  const random = theWorld().stream('clients');
  for (let tries = 0; tries < ATTEMPTS_MAX || !sending.givesUp; tries += 1) {
    const first = sendOnce(clients, request, vanishes);
    if (isKeyed && sending.isDoubled) await sendOnce(clients, request, vanishes);
    const attempt = await first;
    if (vanishes || !mayRepeat(attempt, isKeyed || sending.repeatsUnkeyed)) return;
    await wait(random.integer(...RETRY_MS));
  }
};

const sendRival = async (clients: ClientWorld, first: CreationRequest, creation: Creation): Promise<void> => {
  const hasRival = first.key !== undefined || first.kind === 'updateLocation';
  if (!hasRival || creation.rivalMs < 0) return;
  await wait(creation.rivalMs);
  await send(clients, toRival(first, creation), { ...creation, vanishes: false });
};

/** Sends a creation, and what follows it, until all are answered or the clients give up. Never rejects. */
export const create = async (clients: ClientWorld, creation: Creation): Promise<void> => {
  const request = toRequest(clients.history, creation);
  await Promise.all([send(clients, request, creation), sendRival(clients, request, creation)]);
};
