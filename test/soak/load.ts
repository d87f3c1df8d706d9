// The clients of a soak test. Each has an asset of its own and posts one event after another at a common rate: most
// with an idempotency key, which they repeat until they have an answer, some without, and some disconnect at once.
import { randomUUID } from 'node:crypto';
import { createRandom } from '../../bench/random.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { delay } from '../support/until.ts';
import type { EventPost, PostAnswer, PostEvent } from './postEvent.ts';
import { type LoadRequest, type Manner, toPlace } from './requests.ts';
import type { RunningServer, SoakedServer } from './soakedServer.ts';

/** Counts of what clients met. */
export interface LoadCounts {
  answered: number;
  pending: number;
  repeated: number;
  vanished: number;
  /** Connections that a kill of the server ended. */
  interrupted: number;
  /** Connections that ended while the server was running. */
  lost: number;
  /** Answers 429 and 503, by status. */
  refused: number;
}

/** No counts. */
export const createLoadCounts = (): LoadCounts => ({
  answered: 0,
  pending: 0,
  repeated: 0,
  vanished: 0,
  interrupted: 0,
  lost: 0,
  refused: 0,
});

/** A client: its asset, and every request that it made, by number. */
export interface SoakClient {
  readonly asset: string;
  readonly requests: LoadRequest[];
  readonly random: () => number;
}

/** A client of an asset; the asset's place in the list is the seed of the client's choices. */
export const createSoakClient = (asset: string, number: number): SoakClient => ({
  asset,
  requests: [],
  random: createRandom(number),
});

export interface Load {
  readonly server: SoakedServer;
  readonly clients: readonly SoakClient[];
  readonly postEvent: PostEvent;
  readonly counts: LoadCounts;
}

const VANISHING = 0.02;
const WITHOUT_KEY = 0.2;
const REPEATING = 0.03;
const VANISH_MS_MAX = 20;
const REFUSAL_PAUSE_MS = 100;
const LATE_MS_MAX = 100;
const REFUSALS = [429, 503];

// After a pause of the server the clients continue at the same rate: what they didn't send is not made up for.
const createPace = (perSecond: number): (() => Promise<void>) => {
  let slotMs = performance.now();
  return async () => {
    const nowMs = performance.now();
    slotMs = Math.max(slotMs + 1_000 / perSecond, nowMs - LATE_MS_MAX);
    if (slotMs > nowMs) await delay(slotMs - nowMs);
  };
};

const chooseManner = (random: () => number): Manner => {
  const choice = random();
  if (choice < VANISHING) return 'vanishing';
  return choice < VANISHING + WITHOUT_KEY ? 'without key' : 'with key';
};

const toBody = (number: number): string =>
  JSON.stringify({
    behaviour: 'RecordEvidence',
    operation: 'Record',
    event_attributes: {
      arc_display_type: 'Inspection',
      arc_description: `everything was in order, for the ${number}th time`,
      number: String(number),
      inspector: 'Ida Holm',
    },
    asset_attributes: { last_inspection: String(number) },
  });

const take = ({ counts }: Load, request: LoadRequest, body: string): void => {
  const event = JSON.parse(body) as EventResource;
  const place = toPlace(event);
  if (request.answers.length > 0) counts.repeated += 1;
  else counts.answered += 1;
  if (place.status === 'PENDING') counts.pending += 1;
  request.answers.push(place);
};

// Undefined: there is no answer, because the connection ended.
const tryToPost = async (load: Load, server: RunningServer, post: EventPost): Promise<PostAnswer | undefined> => {
  try {
    return await load.postEvent(server, post);
  } catch {
    if (post.vanishAfterMs !== undefined) load.counts.vanished += 1;
    else if (load.server.current() === server) load.counts.lost += 1;
    else load.counts.interrupted += 1;
    return undefined;
  }
};

// Resolves with whether the request was answered with its event. A refusal is no answer.
const attempt = async (load: Load, request: LoadRequest, post: EventPost): Promise<boolean> => {
  const server = await load.server.ready();
  const answer = await tryToPost(load, server, post);
  // A connection that ended while the server runs: the server may still accept the record, after later ones.
  if (answer === undefined && load.server.current() === server) request.isOvertakable = true;
  if (answer?.status === 200) take(load, request, answer.body);
  else if (answer !== undefined && !REFUSALS.includes(answer.status))
    throw new Error(`${post.asset} answers ${answer.status}: ${answer.body}`);
  else if (answer !== undefined) {
    load.counts.refused += 1;
    await delay(REFUSAL_PAUSE_MS);
  }
  return answer?.status === 200;
};

const postOne = async (load: Load, { asset, requests, random }: SoakClient): Promise<void> => {
  const manner = chooseManner(random);
  const request: LoadRequest = { manner, answers: [], isOvertakable: manner === 'vanishing' };
  const post: EventPost = {
    asset,
    body: toBody(requests.length),
    key: manner === 'with key' ? randomUUID() : undefined,
    vanishAfterMs: manner === 'vanishing' ? random() * VANISH_MS_MAX : undefined,
  };
  requests.push(request);
  const isAnswered = await attempt(load, request, post);
  if (manner !== 'with key') return;
  for (let isDone = isAnswered; !isDone; ) isDone = await attempt(load, request, post);
  if (random() < REPEATING) await attempt(load, request, post);
};

/**
 * Runs all clients at a common rate (Infinity: each posts when it has its answer) until `isOver`. Resolves when each
 * has its last answer.
 */
export const runLoadUntil = async (load: Load, perSecond: number, isOver: () => boolean): Promise<void> => {
  const pace = createPace(perSecond);
  const runClient = async (client: SoakClient): Promise<void> => {
    for (;;) {
      await pace();
      if (isOver()) return;
      await postOne(load, client);
    }
  };
  await Promise.all(load.clients.map(runClient));
};

/** The same for so many milliseconds. */
export const runLoad = (load: Load, perSecond: number, durationMs: number): Promise<void> => {
  const endMs = performance.now() + durationMs;
  return runLoadUntil(load, perSecond, () => performance.now() >= endMs);
};
