// Transactions of the relayer that only one pool has for a long time. A reorg removes them, and nothing sends the first
// of them again, so the server sends the calls of those behind with lower nonces. Meanwhile the contract refuses the
// records of a tenant. In the end the network gets the transactions that were not replaced, in some runs without the
// first ones.
import type { DecodedTransaction } from '../chain/transactions.ts';
import type { Fault } from '../plan/plan.ts';
import type { Actors } from '../thirdParties/thirdPartyCalls.ts';
import { theWorld } from '../world/world.ts';
import type { FaultKind } from './faultKind.ts';
import type { SimulatedNetwork } from './network.ts';
import { readMined, readWaiting } from './networkReads.ts';
import { keepSending, removeWriter, takeNonces } from './thirdParty.ts';

const WATCH_MS = 20;
/** Virtual milliseconds, with the time in which a record is refused in a final block. */
const DURATION_MS = [5_000, 25_000] as const;
/** Blocks in which the writer is added again. */
const ADDING_BLOCKS = 6;
const NONCES_MAX = 8;
const LOSS_RATE = 0.5;

// The relayer's transactions from a nonce on, mined or not.
const findFrom = (network: SimulatedNetwork, { relayer }: Actors, nonce: number): DecodedTransaction[] => {
  const mined = readMined(network, relayer.address).map(({ transaction }) => transaction);
  return [...mined, ...readWaiting(network, relayer.address)].filter((transaction) => transaction.nonce >= nonce);
};

// A lost one leaves one nonce to the server: behind more of them, transactions would wait for other records.
const countForeign = ({ nonces, losesFirst }: Fault): number => (losesFirst === true ? 1 : Number(nonces));

const apply = (network: SimulatedNetwork, fault: Fault, actors: Actors): void => {
  const endMs = theWorld().nowMs() + Number(fault.durationMs);
  const node = network.nodes[Number(fault.node) % network.nodes.length]!;
  let sendKept = (): void => undefined;
  const foreign = takeNonces(network, actors, countForeign(fault));
  let hasLostFirst = false;
  const { nonce, hash } = foreign[0]!;

  const remove = (blockNumber: number): void => {
    hasLostFirst = fault.losesFirst === true;
    const kept = findFrom(network, actors, hasLostFirst ? nonce + foreign.length : nonce);
    const depth = network.chain.head.number - blockNumber + 1;
    network.reorganize({ depth, extraBlocks: 1, replacement: 'empty', vanishing: 1 });
    theWorld().note(
      'network',
      () => `only ${node.name} keeps ${kept.map((transaction) => transaction.hash).join(', ')}`,
    );
    sendKept = network.keepAt(node, kept);
  };
  const watch = (): void => {
    const block = network.chain.findTransaction(hash)?.block;
    if (theWorld().nowMs() >= endMs || (block !== undefined && block.number <= network.chain.finalNumber)) return;
    const isFollowed = findFrom(network, actors, nonce + foreign.length).some(({ to }) => to === actors.contract);
    if (block !== undefined && isFollowed) remove(block.number);
    else theWorld().schedule(WATCH_MS, watch);
  };

  watch();
  const sendRest = (): void => {
    sendKept();
    // Other faults may have removed the copies. The server fills the nonces of its records only, not several of others.
    if (!hasLostFirst) for (const transaction of foreign) keepSending(network, transaction);
  };
  const sendLater = (): void => void theWorld().schedule(ADDING_BLOCKS * network.options.blockMs, sendRest);
  removeWriter(network, fault, actors, { onAdded: sendLater });
};

/** The relayer's transactions survive in one pool while a tenant has no writer. */
export const strayTransactions: FaultKind = {
  draw: (random, { nodes, tenants, finalDepth }) =>
    tenants === 0 || finalDepth < 3
      ? undefined
      : {
          node: random.integer(0, nodes - 1),
          tenant: random.integer(0, tenants - 1),
          nonces: random.integer(1, NONCES_MAX),
          // Then there is one, and only the server can use its nonce again.
          losesFirst: random.chance(LOSS_RATE),
          durationMs: random.integer(...DURATION_MS),
        },
  apply,
  describe: (fault) =>
    `${countForeign(fault)} other transactions take the next nonces of the relayer; a reorg will remove them and those ` +
    `behind, and only node${Number(fault.node) + 1} keeps copies${fault.losesFirst === true ? ' of those behind' : ''}; ` +
    `and tenant ${fault.tenant} has no writer for ${fault.durationMs} ms`,
};
