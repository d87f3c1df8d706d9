// Limits how many requests a tenant, or without a token a client network, may send: a number in each second, and beyond
// it a number in each minute for bursts. A window begins with a key's first request and ends by the machine's monotonic
// clock, so setting back the wall clock prolongs none.
import { hash, randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { LedgerError } from '../../ledger/errors.ts';
import type { Rate } from '../limits.ts';
import { NETWORK_FACTORS, toClientNetworks } from './clientNetworks.ts';

/** Counts one request of a key. Rejects with RATE_LIMITED when there were too many. */
export type Limit = (key: string) => Promise<void>;

const RATE_SECONDS = 1;
const BURST_SECONDS = 60;

/** The refusal of a request over a limit. `msBeforeNext` may come from a wall clock, so it is clamped to the window. */
export const refuseRate = (msBeforeNext: number, windowSeconds: number): LedgerError =>
  new LedgerError('RATE_LIMITED', { retryAfterMs: Math.min(Math.max(1, msBeforeNext), windowSeconds * 1000) });

const NO_LIMIT: Limit = async () => undefined;

/** A limit on keys that clients can't invent, such as tenants: each key has a counter of its own. */
export const createLimit = ({ perSecond, burst }: Rate): Limit => {
  if (perSecond === 0) return NO_LIMIT;
  const limiter = new BurstyRateLimiter(
    new RateLimiterMemory({ keyPrefix: '', points: perSecond, duration: RATE_SECONDS }),
    new RateLimiterMemory({ keyPrefix: '', points: burst, duration: BURST_SECONDS }),
  );
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) throw refuseRate(refusal.msBeforeNext, RATE_SECONDS);
      throw refusal;
    }
  };
};

/**
 * Returns a function that assigns keys that clients can invent to 65,536 rate-limit buckets, so that their memory is
 * bounded. Which keys share a bucket can't be predicted: the salt is random.
 */
export const createToBucket = (): ((key: string) => string) => {
  const salt = randomBytes(16).toString('hex');
  return (key) => hash('sha256', `${salt} ${key}`, 'hex').slice(0, 4);
};

/** A limit on keys that clients can invent, such as addresses. Keys share buckets. */
export const createOpenLimit = (rate: Rate): Limit => {
  const limit = createLimit(rate);
  const toBucket = createToBucket();
  return (key) => limit(toBucket(key));
};

/**
 * A limit on clients by their addresses. A request counts for each network of its address, which have several times the
 * rate of one client; one that a network refuses doesn't count for the wider ones.
 */
export const createNetworkLimit = ({ perSecond, burst }: Rate): ((address: string) => Promise<void>) => {
  const limits = NETWORK_FACTORS.map((factor) =>
    createOpenLimit({ perSecond: perSecond * factor, burst: burst * factor }),
  );
  return async (address) => {
    for (const [at, network] of toClientNetworks(address).entries()) await limits[at]!(network);
  };
};

/** Counts a request for the client's network. Rejects with RATE_LIMITED when there were too many. */
export type LimitAddress = (request: Request) => Promise<void>;

/** A limit on the requests of each client network. */
export const createAddressLimit = (rate: Rate): LimitAddress => {
  const limit = createNetworkLimit(rate);
  return (request) => limit(request.ip ?? '');
};

/** Middleware that refuses a request over the limit of its network. */
export const toLimitMiddleware =
  (limitAddress: LimitAddress): RequestHandler =>
  async (request, _response, next) => {
    await limitAddress(request);
    next();
  };
