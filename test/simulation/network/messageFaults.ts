// Faults of single messages between a client and a node, as networks, proxies and gateways cause them.
import type { Random } from '../world/random.ts';

/**
 * Kinds of faults of one request. `repeatRequest` delivers it twice; `repeatAnswer` answers twice in one body;
 * `staleAnswer` answers with the answer before, `cachedAnswer` with the one before to the same method; `loseAnswer` and
 * `delayAnswer` let the request take effect.
 */
export const MESSAGE_FAULTS = [
  'loseRequest',
  'loseAnswer',
  'delayAnswer',
  'cutAnswer',
  'repeatRequest',
  'repeatAnswer',
  'staleAnswer',
  'cachedAnswer',
  'badGateway',
  'tooManyRequests',
  'notJson',
  'otherId',
] as const;
export type MessageFault = (typeof MESSAGE_FAULTS)[number];

/** An HTTP answer as it arrives. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** Whether the connection breaks after the text. */
  readonly isCut: boolean;
}

/** A period in which a share of a node's messages is faulty. */
export interface LossyEpisode {
  /** From 0 to 1. */
  readonly rate: number;
  readonly kinds: readonly MessageFault[];
  /** The only method whose messages are faulty; all where it is left out. */
  readonly method?: string | undefined;
}

const HTTP_OK = 200;
const BAD_GATEWAY = 502;
const TOO_MANY_REQUESTS = 429;

const complete = (text: string, status = HTTP_OK): HttpAnswer => ({ status, text, isCut: false });

/** The fault of the next message, which is a request of `method` or its answer; undefined for none. */
export const drawMessageFault = (random: Random, episode: LossyEpisode, method: string): MessageFault | undefined => {
  if (episode.method !== undefined && episode.method !== method) return undefined;
  return random.chance(episode.rate) ? random.pick(episode.kinds) : undefined;
};

/** The answer of a gateway in place of the node's; undefined when the request reaches the node. */
export const answerOfGateway = (fault: MessageFault | undefined): HttpAnswer | undefined => {
  if (fault === 'badGateway') return complete('<html><h1>502 Bad Gateway</h1></html>', BAD_GATEWAY);
  return fault === 'tooManyRequests' ? complete('{"message":"rate limit exceeded"}', TOO_MANY_REQUESTS) : undefined;
};

/** Former answers of a node. */
export interface FormerAnswers {
  /** The last one. */
  readonly last: string;
  /** The last one to the same method. */
  readonly ofMethod: string;
}

/** What the client receives for the answer `text`. */
export const toFaultyAnswer = (
  fault: MessageFault | undefined,
  text: string,
  former: FormerAnswers,
  random: Random,
): HttpAnswer => {
  if (fault === 'cutAnswer') {
    return { ...complete(text.slice(0, random.integer(0, text.length - 1))), isCut: random.chance(0.5) };
  }
  if (fault === 'repeatAnswer') return complete(text + text);
  if (fault === 'staleAnswer') return complete(former.last);
  if (fault === 'cachedAnswer') return complete(former.ofMethod);
  if (fault === 'notJson') return complete('upstream connect error or disconnect before headers');
  // The first `"id":` is the envelope's, because the node writes it before the result.
  return complete(fault === 'otherId' ? text.replace(/"id":\d+/, ({ length }) => `"id":${length}`) : text);
};
