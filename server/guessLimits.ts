// Bounds how often somebody may be wrong about a client secret. Who was right from an address before can't be locked out there by what
// others guess elsewhere: for such a pair of client and address only its own failures count.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { LedgerError } from '../ledger/errors.ts';
import { toClientNetwork } from './clientNetworks.ts';
import type { Handler } from './handlers.ts';
import { createDrawers, refuseRate } from './rateLimits.ts';

const FAILURE_SECONDS = 60;
const TRUST_SECONDS = 7 * 24 * 3600;
/** Failures of one client id from everywhere, and of one address for every client id, against those of one pair. */
const WIDE_FACTOR = 10;

type Handle = Handler<'issueToken'>;

/** The failures of one kind of key. Memory is bounded: keys share drawers. */
const createFailures = (failuresMax: number) => {
  const limiter = new RateLimiterMemory({ keyPrefix: '', points: failuresMax, duration: FAILURE_SECONDS });
  const toDrawer = createDrawers();
  return {
    assertFew: async (key: string): Promise<void> => {
      const found = await limiter.get(toDrawer(key));
      if (found === null || found.msBeforeNext <= 0 || found.consumedPoints < failuresMax) return;
      throw refuseRate(found.msBeforeNext, FAILURE_SECONDS);
    },
    add: (key: string) => limiter.penalty(toDrawer(key)),
    forget: (key: string) => limiter.delete(toDrawer(key)),
  };
};

/** The keys that proved themselves within the last seven days. */
const createTrusted = () => {
  const limiter = new RateLimiterMemory({ keyPrefix: '', points: 1, duration: TRUST_SECONDS });
  const toDrawer = createDrawers();
  return {
    has: async (key: string): Promise<boolean> => (await limiter.get(toDrawer(key))) !== null,
    add: (key: string) => limiter.set(toDrawer(key), 1, TRUST_SECONDS),
  };
};

/**
 * The handler of token requests, with wrong secrets counted: `failuresPerMinute` of one client id from one address, ten times as many of
 * one client id, or from one address. Past that it rejects with RATE_LIMITED and looks at no secret. 0: no limit.
 */
export const limitGuesses = (failuresPerMinute: number, issue: Handle): Handle => {
  if (failuresPerMinute === 0) return issue;
  const pairs = createFailures(failuresPerMinute);
  const clients = createFailures(failuresPerMinute * WIDE_FACTOR);
  const networks = createFailures(failuresPerMinute * WIDE_FACTOR);
  const trusted = createTrusted();
  return async (request) => {
    const client = String(request.body.client_id).toLowerCase();
    const network = toClientNetwork(request.address);
    const pair = `${client} ${network}`;
    await pairs.assertFew(pair);
    if (!(await trusted.has(pair))) {
      await clients.assertFew(client);
      await networks.assertFew(network);
    }
    try {
      const answer = await issue(request);
      await Promise.all([trusted.add(pair), pairs.forget(pair)]);
      return answer;
    } catch (error) {
      const isWrong = error instanceof LedgerError && error.code === 'CLIENT_REFUSED';
      if (isWrong) await Promise.all([pairs.add(pair), clients.add(client), networks.add(network)]);
      throw error;
    }
  };
};
