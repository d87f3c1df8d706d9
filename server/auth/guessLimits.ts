// Bounds how often somebody may be wrong about a client secret. Failures count against the address that they come from, never against the
// client (decision 60): a secret has 256 random bits, so it is not these limits that keep it safe, and a limit on a client id
// would let everybody lock out that client.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { LedgerError } from '../../ledger/errors.ts';
import { toClientNetwork } from '../http/clientNetworks.ts';
import { createToBucket, refuseRate } from '../http/rateLimits.ts';
import type { Handler } from '../openapi/handlers.ts';
import { createRunExclusively } from '../records/exclusive.ts';

const FAILURE_SECONDS = 60;
const TRUST_SECONDS = 7 * 24 * 3600;
/** Failures of one address for every client id, against those of one client id and address. */
const ADDRESS_FACTOR = 10;

type Handle = Handler<'issueToken'>;

/** The failures of one kind of key. Memory is bounded: keys share drawers. */
const createFailures = (failuresMax: number) => {
  const limiter = new RateLimiterMemory({ keyPrefix: '', points: failuresMax, duration: FAILURE_SECONDS });
  const toBucket = createToBucket();
  return {
    assertFew: async (key: string): Promise<void> => {
      const found = await limiter.get(toBucket(key));
      if (found === null || found.msBeforeNext <= 0 || found.consumedPoints < failuresMax) return;
      throw refuseRate(found.msBeforeNext, FAILURE_SECONDS);
    },
    add: (key: string) => limiter.penalty(toBucket(key)),
    forget: (key: string) => limiter.delete(toBucket(key)),
  };
};

/** The keys that proved themselves within the last seven days. */
const createTrusted = () => {
  const limiter = new RateLimiterMemory({ keyPrefix: '', points: 1, duration: TRUST_SECONDS });
  const toBucket = createToBucket();
  return {
    has: async (key: string): Promise<boolean> => (await limiter.get(toBucket(key))) !== null,
    add: (key: string) => limiter.set(toBucket(key), 1, TRUST_SECONDS),
  };
};

/**
 * The handler of token requests, with wrong secrets counted: `failuresPerMinute` of one client id from one address, ten times as many
 * from one address. Past that it rejects with RATE_LIMITED and looks at no secret. Who was right from an address within the last seven
 * days is held there by failures of its own client id alone. 0: no limit.
 */
export const limitGuesses = (failuresPerMinute: number, issue: Handle): Handle => {
  if (failuresPerMinute === 0) return issue;
  const pairs = createFailures(failuresPerMinute);
  const networks = createFailures(failuresPerMinute * ADDRESS_FACTOR);
  const trusted = createTrusted();
  const runExclusively = createRunExclusively();
  const issueOrCount = async (request: Parameters<Handle>[0], network: string): ReturnType<Handle> => {
    const pair = `${String(request.body.client_id).toLowerCase()} ${network}`;
    await pairs.assertFew(pair);
    if (!(await trusted.has(pair))) await networks.assertFew(network);
    try {
      const answer = await issue(request);
      await Promise.all([trusted.add(pair), pairs.forget(pair)]);
      return answer;
    } catch (error) {
      const isWrong = error instanceof LedgerError && error.code === 'CLIENT_REFUSED';
      if (isWrong) await Promise.all([pairs.add(pair), networks.add(network)]);
      throw error;
    }
  };
  return (request) => {
    const network = toClientNetwork(request.address);
    // One after the other for each address: requests at the same time would all be looked at before the first failure counts.
    return runExclusively(network, () => issueOrCount(request, network));
  };
};
