// How much gas the chain spends on transactions of others. Gas is free, and every start executes the whole journal again: so there is a
// budget for a minute, and a sum for the life of the chain for those who neither append records nor administer the ledger.
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';

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
  /** Asserts that there is room for any sender. @throws RpcError LIMIT_EXCEEDED of the ledger's budget when neither has room. */
  assertAnyRoom(gasLimit: number): void;
  spend(sender: Sender, gas: number): void;
}

/** At worst 2,500,000 gas of strangers are replayed in a second (docs/measurements/performance.md): 20,000,000 in 8 s. */
export const PUBLIC_GAS_LIMITS: PublicGasLimits = { perMinuteMax: 100_000_000, strangersMax: 20_000_000 };

/** Part of the gas of a minute that strangers may have; the rest is for records. */
const STRANGERS_SHARE = 0.05;
const MINUTE_MS = 60_000;

interface Bucket {
  readonly gasMax: number;
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
    gasMax,
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

/** What a refusal says to programs. */
interface RefusalData {
  readonly reason: 'GAS_PER_MINUTE' | 'STRANGER_GAS_SPENT';
  /** Whose budget is spent, and what it is in gas. */
  readonly budget: Sender;
  readonly gasMax: number;
  /** Null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
}

const refuse = (message: string, data: RefusalData): RpcError => new RpcError(RPC_CODE.LIMIT_EXCEEDED, message, data);

const BUDGET_NAMES: Readonly<Record<Sender, string>> = {
  ledger: 'transactions that append a record or administer the ledger',
  stranger: 'transactions that neither append a record nor administer the ledger',
};

const refuseForMinute = (
  gasLimit: number,
  { budget, gasMax, seconds }: { budget: Sender; gasMax: number; seconds: number | undefined },
): RpcError => {
  const size = `the ${gasMax} gas that this node spends in a minute on ${BUDGET_NAMES[budget]}`;
  const message =
    seconds === undefined
      ? `gas limit ${gasLimit} is over ${size}. Its operator can raise CHAIN_GAS_PER_MINUTE`
      : `${size} are spent; send the transaction again in ${seconds} s. Its operator can raise CHAIN_GAS_PER_MINUTE`;
  return refuse(message, { reason: 'GAS_PER_MINUTE', budget, gasMax, retryAfterSeconds: seconds ?? null });
};

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
      `of the ${strangersMax} gas that this chain spends on ${BUDGET_NAMES.stranger}, ${left} is left, and the gas limit ` +
      `is ${gasLimit}. Its operator can raise CHAIN_STRANGER_GAS_MAX`;
    const data = { budget: 'stranger', gasMax: strangersMax, retryAfterSeconds: null } as const;
    throw refuse(message, { reason: 'STRANGER_GAS_SPENT', ...data });
  };

  const hasRoom = (sender: Sender, gasLimit: number): boolean => {
    if (sender === 'stranger' && gasLimit > strangersMax - strangersSpent) return false;
    return buckets[sender].secondsUntil(gasLimit) === 0;
  };

  const assertRoom = (sender: Sender, gasLimit: number): void => {
    if (sender === 'stranger') assertSum(gasLimit);
    const { gasMax, secondsUntil } = buckets[sender];
    const seconds = secondsUntil(gasLimit);
    if (seconds !== 0) throw refuseForMinute(gasLimit, { budget: sender, gasMax, seconds });
  };

  return {
    assertRoom,
    assertAnyRoom: (gasLimit) => {
      if (!hasRoom('stranger', gasLimit)) assertRoom('ledger', gasLimit);
    },
    spend: (sender, gas) => {
      buckets[sender].take(gas);
      if (sender === 'stranger') strangersSpent += gas;
    },
  };
};
