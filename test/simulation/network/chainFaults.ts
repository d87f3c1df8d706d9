// Faults of the chain: reorgs, lost transactions, prices, and the absence of blocks.
import { during } from '../plan/during.ts';
import type { Fault } from '../plan/plan.ts';
import type { Actors } from '../thirdParties/thirdPartyCalls.ts';
import { theWorld } from '../world/world.ts';
import type { FaultKind } from './faultKind.ts';
import { REPLACEMENTS, type Replacement } from './miner.ts';
import type { SimulatedNetwork } from './network.ts';
import { readWaiting } from './networkReads.ts';

/** Shares of the replaced transactions that vanish. */
const VANISHING = [0, 0, 0.5, 1] as const;
const FEE_FACTORS = [2, 3, 5, 12] as const;
/** A bid is twice the base fee, and a tip. */
const FEE_LEVELS = [3, 5] as const;
const SHARES = [0.5, 1] as const;

type Mining = Partial<SimulatedNetwork['miner']['conditions']>;

// Conditions of mining for the time of the fault.
const mineDuring = ({ miner }: SimulatedNetwork, fault: Fault, change: Mining, normal: Mining): void =>
  during(
    fault,
    () => Object.assign(miner.conditions, change),
    () => Object.assign(miner.conditions, normal),
  );

const applyReorg = (network: SimulatedNetwork, { depth, extraBlocks, replacement, vanishing }: Fault): void =>
  network.reorganize({
    depth: Number(depth),
    extraBlocks: Number(extraBlocks),
    replacement: replacement as Replacement,
    vanishing: Number(vanishing),
  });

const dropTransactions = (network: SimulatedNetwork, { share }: Fault): void => {
  const random = theWorld().stream('network drops');
  const waiting = [network.validator, ...network.nodes.map(({ peer }) => peer)].flatMap(({ pool }) => pool.list());
  const hashes = [...new Set(waiting.map(({ hash }) => hash))];
  network.drop(hashes.filter(() => random.chance(Number(share))));
};

// The transactions of one account with consecutive nonces, from a place in its waiting ones on: 0 is the first, 1 the
// last. Those after them wait behind a gap.
const loseNonce = (network: SimulatedNetwork, { place, nonces }: Fault, { relayer }: Actors): void => {
  const waiting = readWaiting(network, relayer.address);
  const known = [...new Set(waiting.map(({ nonce }) => nonce))].sort((a, b) => a - b);
  const first = Math.floor(Number(place) * known.length);
  const lost = new Set(known.slice(first, first + Number(nonces)));
  if (lost.size > 0 && known.at(-1)! > Math.max(...lost)) network.count('nonces: lost before others');
  network.drop(waiting.filter(({ nonce }) => lost.has(nonce)).map(({ hash }) => hash));
};

/** Faults of the chain. */
export const CHAIN_FAULTS: Readonly<Record<string, FaultKind>> = {
  reorg: {
    draw: (random, { finalDepth }) =>
      finalDepth < 2
        ? undefined
        : {
            depth: random.integer(1, finalDepth - 1),
            extraBlocks: random.integer(0, 1),
            replacement: random.pick(REPLACEMENTS),
            vanishing: random.pick(VANISHING),
          },
    apply: applyReorg,
    describe: ({ depth, replacement, vanishing }) =>
      `the newest ${depth} blocks are replaced by others (${replacement}), ${Number(vanishing) * 100} % of their transactions vanish`,
  },
  dropTransactions: {
    draw: (random) => ({ share: random.pick(SHARES) }),
    apply: dropTransactions,
    describe: ({ share }) => `all pools lose ${Number(share) * 100} % of their transactions`,
  },
  // Bursts draw it: elsewhere few transactions wait at once.
  loseNonce: {
    draw: () => undefined,
    apply: loseNonce,
    describe: ({ nonces }) => `all pools lose ${nonces} of the relayer's nonces`,
  },
  feeSpike: {
    draw: (random, { blockMs }) => ({ factor: random.pick(FEE_FACTORS), durationMs: blockMs * random.integer(2, 20) }),
    apply: (network, fault) => mineDuring(network, fault, { feeFactor: Number(fault.factor) }, { feeFactor: 1 }),
    describe: ({ factor, durationMs }) => `the base fee is ${factor} times as high for ${durationMs} ms`,
  },
  feeRise: {
    draw: (random) => ({ factor: random.pick(FEE_LEVELS) }),
    apply: ({ miner }, { factor }) => void Object.assign(miner.conditions, { feeLevel: Number(factor) }),
    describe: ({ factor }) => `the base fee is ${factor} times as high from now on`,
  },
  stopMining: {
    draw: (random, { blockMs }) => ({ durationMs: blockMs * random.integer(3, 20) }),
    apply: (network, fault) => mineDuring(network, fault, { isStopped: true }, { isStopped: false }),
    describe: ({ durationMs }) => `no block is made for ${durationMs} ms`,
  },
  emptyBlocks: {
    draw: (random, { blockMs }) => ({ durationMs: blockMs * random.integer(3, 15) }),
    apply: (network, fault) => mineDuring(network, fault, { isEmpty: true }, { isEmpty: false }),
    describe: ({ durationMs }) => `all blocks are empty for ${durationMs} ms`,
  },
};
