// How many requests a tenant, or without a token an address, may send. A second always has its share; what comes over and above is taken
// from a store for bursts. Windows begin with a key's first request and end by the machine's monotonic clock, so a wall clock that is set
// back prolongs none.
import { hash, randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { LedgerError } from '../../ledger/errors.ts';
import type { Rate } from '../limits.ts';
import { toClientNetwork } from './clientNetworks.ts';

/** Counts one request of a key. Rejects with RATE_LIMITED when there were too many. */
export type Limit = (key: string) => Promise<void>;

const RATE_SECONDS = 1;
const BURST_SECONDS = 60;

/** The refusal of what comes too often. `msBeforeNext` may come from a wall clock, so it is cut to the window. */
export const refuseRate = (msBeforeNext: number, windowSeconds: number): LedgerError =>
  new LedgerError('RATE_LIMITED', { retryAfterMs: Math.min(Math.max(1, msBeforeNext), windowSeconds * 1000) });

const NO_LIMIT: Limit = async () => undefined;

/** A limit on keys that somebody vouches for, such as tenants: there are as many counters as keys. */
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
 * Puts keys that anybody can make up into 65,536 drawers, so that they take a bounded amount of memory. Who shares a drawer can't be
 * foreseen: the salt is random.
 */
export const createToBucket = (): ((key: string) => string) => {
  const salt = randomBytes(16).toString('hex');
  return (key) => hash('sha256', `${salt} ${key}`, 'hex').slice(0, 4);
};

/** A limit on keys that anybody can make up, such as addresses. */
export const createOpenLimit = (rate: Rate): Limit => {
  const limit = createLimit(rate);
  const toBucket = createToBucket();
  return (key) => limit(toBucket(key));
};

/** Middleware that counts a request of the client's network. */
export const createAddressLimit = (rate: Rate): RequestHandler => {
  const limit = createOpenLimit(rate);
  return async (request, _response, next) => {
    await limit(toClientNetwork(request.ip ?? ''));
    next();
  };
};
