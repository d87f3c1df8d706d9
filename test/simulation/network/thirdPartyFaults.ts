// Faults that third parties cause with transactions.
import { RECORD_APPENDED_TOPIC } from '../../../chain/recordLog.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { readAccount } from '../chain/chainState.ts';
import { toForeignWrites } from '../thirdParties/thirdPartyCalls.ts';
import type { Random } from '../world/random.ts';
import { theWorld } from '../world/world.ts';
import type { FaultKind } from './faultKind.ts';
import type { Reorg } from './miner.ts';
import type { SimulatedNetwork } from './network.ts';
import {
  appendDirectly,
  fund,
  isFunding,
  keepSending,
  payRemoval,
  removeWriter,
  spendAll,
  takeNonces,
} from './thirdParty.ts';

const RECORDS_MAX = 3;
const NUMBER_MAX = 0xfffff;

/** Milliseconds after which the validator has a transaction that was sent. */
const GOSSIP_MS_MAX = 150;

// The first of the new blocks has all transactions of the old ones, the best paid first: those of third parties. So a
// record that was appended before its author's removal comes after it.
const toReorg = (depth: number): Reorg => ({ depth, extraBlocks: 0, replacement: 'merged', vanishing: 0 });

const POLL_MS = 50;

/** Milliseconds that a removal waits for a record that it can precede. */
const WAIT_MS = 6_000;

// A short one ends in the first block after a reorg. Then records are mined before those that it precedes are final.
const drawRemovalMs = (random: Random, blockMs: number): number =>
  random.chance(0.7) ? random.integer(GOSSIP_MS_MAX + 1, GOSSIP_MS_MAX + blockMs) : blockMs * random.integer(3, 12);

interface Awaited {
  readonly tenantIdentity: string;
  readonly depth: number;
  readonly waitMs: number;
}

// Runs a task when the newest `depth` blocks have a record of the tenant and no transfer waits, or after `waitMs`.
const whenMined = (network: SimulatedNetwork, awaited: Awaited, task: () => void): void => {
  const { tenantIdentity, depth, waitMs } = awaited;
  const tenantKey = toHex(toKey(tenantIdentity));
  const receipts = network.tree.canonical.blocks.slice(-depth).flatMap((block) => block.receipts);
  const topics = receipts.flatMap(({ logs }) => logs.map((log) => log.topics));
  const isMined = topics.some((of) => of[0] === RECORD_APPENDED_TOPIC && of[1] === tenantKey);
  if (waitMs <= 0 || (isMined && !isFunding(network))) task();
  else theWorld().schedule(POLL_MS, () => whenMined(network, { ...awaited, waitMs: waitMs - POLL_MS }, task));
};

/** Faults that third parties cause. */
export const THIRD_PARTY_FAULTS: Readonly<Record<string, FaultKind>> = {
  foreignNonce: {
    draw: () => ({}),
    // The server fills a nonce that nobody else fills only when it has a record: `strayTransactions` draws that.
    apply: (network, _fault, actors) => keepSending(network, takeNonces(network, actors, 1)[0]!),
    describe: () => 'another transaction takes the next nonce of the relayer',
  },
  emptyRelayer: {
    draw: (random, { blockMs }) => ({ durationMs: blockMs * random.integer(3, 15) }),
    apply: (network, { durationMs }, actors) => {
      const { balance } = readAccount(network.chain.head.state, actors.relayer.address);
      spendAll(network, actors);
      theWorld().schedule(Number(durationMs), () => fund(network, actors.relayer.address, balance));
    },
    describe: ({ durationMs }) => `the relayer's balance is transferred away, and comes back after ${durationMs} ms`,
  },
  foreignWriter: {
    draw: (random, { tenants }) =>
      tenants === 0
        ? undefined
        : {
            tenant: random.integer(0, tenants - 1),
            records: random.integer(1, RECORDS_MAX),
            number: random.integer(0, NUMBER_MAX),
          },
    apply: (network, fault, { contract, tenants }) => {
      const tenant = tenants[Number(fault.tenant) % tenants.length]!;
      appendDirectly(network, { contract, tenant }, toForeignWrites(tenant, fault));
    },
    describe: ({ tenant, records }) => `the author of tenant ${tenant} appends ${records} records without the server`,
  },
  removeWriter: {
    draw: (random, { tenants, blockMs, finalDepth }) =>
      tenants === 0
        ? undefined
        : {
            tenant: random.integer(0, tenants - 1),
            durationMs: drawRemovalMs(random, blockMs),
            // 0: no block is replaced.
            depth: finalDepth < 2 || random.chance(0.3) ? 0 : random.integer(1, random.pick([1, 1, finalDepth - 1])),
          },
    apply: (network, fault, actors) => {
      const { tenant, depth } = fault;
      const actor = actors.tenants[Number(tenant) % actors.tenants.length]!;
      const { identity } = actor;
      network.tenantsWithoutWriter.add(identity);
      const remove = (): void =>
        removeWriter(network, fault, actors, {
          onRemoved: () => {
            if (depth !== 0) theWorld().schedule(GOSSIP_MS_MAX, () => network.reorganize(toReorg(Number(depth))));
          },
        });
      if (depth === 0) return remove();
      payRemoval(network, actors.contract, actor);
      whenMined(network, { tenantIdentity: identity, depth: Number(depth), waitMs: WAIT_MS }, remove);
    },
    describe: ({ tenant, durationMs, depth }) =>
      `the administrator of tenant ${tenant} removes its writer${depth === 0 ? '' : `, also from the newest ${depth} blocks,`} and adds it again after ${durationMs} ms`,
  },
};
