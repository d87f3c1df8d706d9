// Limits the gas of transactions that arrive through the public port. Gas is free, and every start executes the
// complete journal again: so there is a budget for each minute, and a total over the life of the chain for transactions
// that neither append records nor administer the ledger.
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';

/** Sizes of the budgets. */
export interface PublicGasLimits {
  /** Gas of all transactions that arrive through the public port in one minute. */
  readonly perMinuteMax: number;
  /** Gas of third-party transactions over the life of the chain. */
  readonly thirdPartyMax: number;
}

/**
 * Budget that pays for a transaction. `ledger`: it appends a record or administers the ledger. `thirdParty`: any other.
 */
export type GasBudget = 'ledger' | 'thirdParty';

/** Names of the budgets in the data of a refusal; part of the interface. */
const WIRE_NAMES = { ledger: 'ledger', thirdParty: 'stranger' } as const satisfies Record<GasBudget, string>;

/** The budgets of one chain. */
export interface PublicGas {
  /** @throws RpcError LIMIT_EXCEEDED that names the budget that is spent, and when to send the transaction again. */
  assertLeft(budget: GasBudget, gasLimit: number): void;
  /** @throws RpcError LIMIT_EXCEEDED of the ledger's budget when neither budget has so much gas left. */
  assertAnyLeft(gasLimit: number): void;
  /** Subtracts the gas that a transaction used. */
  spend(budget: GasBudget, gas: number): void;
  /**
   * Subtracts the gas limit of a transaction that was tried and not mined: from the minute's gas of third parties, as
   * much as is there, and never from the gas of the chain's life.
   */
  spendTrial(gasLimit: number): void;
}

/**
 * At worst 2,500,000 gas of third-party transactions are replayed in a second (docs/measurements/performance.md):
 * 20,000,000 in 8 s.
 */
export const PUBLIC_GAS_LIMITS: PublicGasLimits = { perMinuteMax: 100_000_000, thirdPartyMax: 20_000_000 };

/** Share of a minute's gas that third-party transactions may use; the rest is for records. */
const THIRD_PARTY_SHARE = 0.05;
const MINUTE_MS = 60_000;

interface Bucket {
  readonly gasMax: number;
  /** Seconds until the bucket holds so much gas; undefined when it never will. */
  secondsUntil(gas: number): number | undefined;
  take(gas: number): void;
  takeAtMost(gas: number): void;
}

// A token bucket: full at the start and refilled evenly within a minute. A clock that goes back adds nothing.
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
    takeAtMost: (gas) => {
      fill();
      level -= Math.max(0, Math.min(gas, level));
    },
  };
};

/** Data of a refusal, for programs. */
interface RefusalData {
  readonly reason: 'GAS_PER_MINUTE' | 'STRANGER_GAS_SPENT';
  readonly budget: (typeof WIRE_NAMES)[GasBudget];
  /** Size of that budget in gas. */
  readonly gasMax: number;
  /** Null when waiting does not help. */
  readonly retryAfterSeconds: number | null;
}

const refuse = (message: string, data: RefusalData): RpcError => new RpcError(RPC_CODE.LIMIT_EXCEEDED, message, data);

const BUDGET_NAMES: Readonly<Record<GasBudget, string>> = {
  ledger: 'transactions that append a record or administer the ledger',
  thirdParty: 'transactions that neither append a record nor administer the ledger',
};

const refuseForMinute = (
  gasLimit: number,
  { budget, gasMax, seconds }: { budget: GasBudget; gasMax: number; seconds: number | undefined },
): RpcError => {
  const size = `the ${gasMax} gas that this node spends in a minute on ${BUDGET_NAMES[budget]}`;
  const message =
    seconds === undefined
      ? `gas limit ${gasLimit} is over ${size}. Its operator can raise CHAIN_GAS_PER_MINUTE`
      : `${size} are spent; send the transaction again in ${seconds} s. Its operator can raise CHAIN_GAS_PER_MINUTE`;
  return refuse(message, {
    reason: 'GAS_PER_MINUTE',
    budget: WIRE_NAMES[budget],
    gasMax,
    retryAfterSeconds: seconds ?? null,
  });
};

/**
 * Budgets of a chain whose third-party transactions have used `thirdPartySpent` gas so far. `now` is in milliseconds.
 */
export const createPublicGas = (options: {
  limits: PublicGasLimits;
  thirdPartySpent: number;
  now: () => number;
}): PublicGas => {
  const { perMinuteMax, thirdPartyMax } = options.limits;
  const thirdPartyPerMinute = Math.floor(perMinuteMax * THIRD_PARTY_SHARE);
  const buckets: Readonly<Record<GasBudget, Bucket>> = {
    ledger: createBucket(perMinuteMax - thirdPartyPerMinute, options.now),
    thirdParty: createBucket(thirdPartyPerMinute, options.now),
  };
  let { thirdPartySpent } = options;

  const assertSum = (gasLimit: number): void => {
    const left = Math.max(0, thirdPartyMax - thirdPartySpent);
    if (gasLimit <= left) return;
    const message =
      `of the ${thirdPartyMax} gas that this chain spends on ${BUDGET_NAMES.thirdParty}, ${left} is left, and the gas limit ` +
      `is ${gasLimit}. Its operator can raise CHAIN_STRANGER_GAS_MAX`;
    const data = { budget: WIRE_NAMES.thirdParty, gasMax: thirdPartyMax, retryAfterSeconds: null } as const;
    throw refuse(message, { reason: 'STRANGER_GAS_SPENT', ...data });
  };

  const hasLeft = (budget: GasBudget, gasLimit: number): boolean => {
    if (budget === 'thirdParty' && gasLimit > thirdPartyMax - thirdPartySpent) return false;
    return buckets[budget].secondsUntil(gasLimit) === 0;
  };

  const assertLeft = (budget: GasBudget, gasLimit: number): void => {
    if (budget === 'thirdParty') assertSum(gasLimit);
    const { gasMax, secondsUntil } = buckets[budget];
    const seconds = secondsUntil(gasLimit);
    if (seconds !== 0) throw refuseForMinute(gasLimit, { budget, gasMax, seconds });
  };

  return {
    assertLeft,
    assertAnyLeft: (gasLimit) => {
      if (!hasLeft('thirdParty', gasLimit)) assertLeft('ledger', gasLimit);
    },
    spend: (budget, gas) => {
      buckets[budget].take(gas);
      if (budget === 'thirdParty') thirdPartySpent += gas;
    },
    spendTrial: buckets.thirdParty.takeAtMost,
  };
};
