// Limits wrong client secrets. Failures count against the address that sends them, never against the client (decision
// 60): a secret has 256 random bits, so its safety doesn't depend on these limits, and a limit on a client id would let
// any third party lock out that client.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { LedgerError } from '../../ledger/errors.ts';
import { createRunExclusively } from '../fairness/exclusive.ts';
import { NETWORK_FACTORS, toClientNetwork, toClientNetworks } from '../http/clientNetworks.ts';
import { createToBucket, refuseRate } from '../http/rateLimits.ts';
import type { Handler } from '../openapi/handlers.ts';

const FAILURE_SECONDS = 60;
const TRUST_SECONDS = 7 * 24 * 3600;
/** Factor between the failures of one address for all client ids, and those for one client id. */
const ADDRESS_FACTOR = 10;

type TokenHandler = Handler<'issueToken'>;

/** Counts the failures of one kind of key. Memory is bounded, because keys share buckets. */
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

/** Counts the failures of the networks of an address, of which the wider ones may have several times as many. */
const createNetworkFailures = (failuresMax: number) => {
  const levels = NETWORK_FACTORS.map((factor) => createFailures(failuresMax * factor));
  const count = async (address: string, task: 'assertFew' | 'add'): Promise<void> => {
    for (const [at, network] of toClientNetworks(address).entries()) await levels[at]![task](network);
  };
  return {
    assertFew: (address: string) => count(address, 'assertFew'),
    add: (address: string) => count(address, 'add'),
  };
};

/** The keys with a correct secret within the last seven days. */
const createTrusted = () => {
  const limiter = new RateLimiterMemory({ keyPrefix: '', points: 1, duration: TRUST_SECONDS });
  const toBucket = createToBucket();
  return {
    has: async (key: string): Promise<boolean> => (await limiter.get(toBucket(key))) !== null,
    add: (key: string) => limiter.set(toBucket(key), 1, TRUST_SECONDS),
  };
};

/**
 * Wraps the handler of token requests in limits on wrong secrets: `failuresPerMinute` for one client id from one
 * address, ten times as many from one address, and twice and four times those from its IPv6 /56 and /48. Over a limit
 * it rejects with RATE_LIMITED and compares no secret. A client that sent the right secret from an address within the
 * last seven days is limited there only by failures for its own client id. 0: no limit.
 */
export const limitGuesses = (failuresPerMinute: number, issue: TokenHandler): TokenHandler => {
  if (failuresPerMinute === 0) return issue;
  const pairs = createFailures(failuresPerMinute);
  const networks = createNetworkFailures(failuresPerMinute * ADDRESS_FACTOR);
  const trusted = createTrusted();
  const runExclusively = createRunExclusively();
  const issueOrCount = async (request: Parameters<TokenHandler>[0], network: string): ReturnType<TokenHandler> => {
    const { address } = request;
    const pair = `${String(request.body.client_id).toLowerCase()} ${network}`;
    await pairs.assertFew(pair);
    if (!(await trusted.has(pair))) await networks.assertFew(address);
    try {
      const answer = await issue(request);
      await Promise.all([trusted.add(pair), pairs.forget(pair)]);
      return answer;
    } catch (error) {
      const isWrong = error instanceof LedgerError && error.code === 'CLIENT_REFUSED';
      if (isWrong) await Promise.all([pairs.add(pair), networks.add(address)]);
      throw error;
    }
  };
  return (request) => {
    const network = toClientNetwork(request.address);
    // One at a time for each address: otherwise simultaneous requests would all be compared before the first failure
    // counts.
    return runExclusively(network, () => issueOrCount(request, network));
  };
};
