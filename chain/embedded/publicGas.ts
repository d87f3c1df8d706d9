// How much gas the chain spends on transactions of others. Gas is free, and every start executes the whole journal again: so there is a
// budget for a minute, and a sum for the life of the chain for those who neither append records nor administer the ledger.
import { RPC_CODE, RpcError } from '../rpcError.ts';

export interface PublicGasLimits {
  /** Gas of all transactions that come in through the public port, in a minute. */
  readonly perMinuteMax: number;
  /** Gas of strangers' transactions over the life of the chain. */
  readonly strangersMax: number;
}

/** `ledger`: it appends a record, or administers the ledger. Anything else is a stranger's. */
export type Sender = 'ledger' | 'stranger';

export interface PublicGas {
  /** @throws RpcError LIMIT_EXCEEDED that says which budget is spent, and when the transaction will be taken. */
  assertRoom(sender: Sender, gasLimit: number): void;
  spend(sender: Sender, gas: number): void;
}

/** At worst 2,500,000 gas of strangers are replayed in a second (docs/performance.md): 20,000,000 in 8 s. */
export const PUBLIC_GAS_LIMITS: PublicGasLimits = { perMinuteMax: 100_000_000, strangersMax: 20_000_000 };

/** Part of the gas of a minute that strangers may have; the rest is for records. */
const STRANGERS_SHARE = 0.05;
const MINUTE_MS = 60_000;

interface Bucket {
  /** Seconds until there is so much gas; undefined when there never will be. */
  secondsUntil(gas: number): number | undefined;
  take(gas: number): void;
}

// Full at the start, and filled again evenly within a minute. A clock that goes back adds nothing.
const createBucket = (gasMax: number, now: () => number): Bucket => {
  let level = gasMax;
  let filledAtMs = now();
  const fill = (): void => {
    const atMs = now();
    level = Math.min(gasMax, level + (Math.max(0, atMs - filledAtMs) / MINUTE_MS) * gasMax);
    filledAtMs = atMs;
  };
  return {
    secondsUntil: (gas) => {
      fill();
      if (gas > gasMax) return undefined;
      return Math.ceil((Math.max(0, gas - level) / gasMax) * (MINUTE_MS / 1_000));
    },
    take: (gas) => {
      fill();
      level -= gas;
    },
  };
};

const refuse = (reason: string, message: string, retryAfterSeconds: number | null): RpcError =>
  new RpcError(RPC_CODE.LIMIT_EXCEEDED, message, { reason, retryAfterSeconds });

const refuseForMinute = (gasLimit: number, seconds: number | undefined): RpcError =>
  seconds === undefined
    ? refuse('GAS_PER_MINUTE', `gas limit ${gasLimit} is over the gas that this node spends in a minute`, null)
    : refuse('GAS_PER_MINUTE', `the gas of this minute is spent; send the transaction again in ${seconds} s`, seconds);

/** Budgets of a chain on which strangers have spent `strangersSpent` before. `now` is in milliseconds. */
export const createPublicGas = (options: {
  limits: PublicGasLimits;
  strangersSpent: number;
  now: () => number;
}): PublicGas => {
  const { perMinuteMax, strangersMax } = options.limits;
  const strangersPerMinute = Math.floor(perMinuteMax * STRANGERS_SHARE);
  const buckets: Readonly<Record<Sender, Bucket>> = {
    ledger: createBucket(perMinuteMax - strangersPerMinute, options.now),
    stranger: createBucket(strangersPerMinute, options.now),
  };
  let { strangersSpent } = options;

  const assertSum = (gasLimit: number): void => {
    const left = Math.max(0, strangersMax - strangersSpent);
    if (gasLimit <= left) return;
    const message =
      `of the ${strangersMax} gas that this chain spends on transactions that neither append a record nor administer the ` +
      `ledger, ${left} is left, and the gas limit is ${gasLimit}. Its operator can raise CHAIN_STRANGER_GAS_MAX`;
    throw refuse('STRANGER_GAS_SPENT', message, null);
  };

  return {
    assertRoom: (sender, gasLimit) => {
      if (sender === 'stranger') assertSum(gasLimit);
      const seconds = buckets[sender].secondsUntil(gasLimit);
      if (seconds !== 0) throw refuseForMinute(gasLimit, seconds);
    },
    spend: (sender, gas) => {
      buckets[sender].take(gas);
      if (sender === 'stranger') strangersSpent += gas;
    },
  };
};
