// Faults that third parties cause with transactions.

import { readAccount } from '../chain/chainState.ts';
import { toForeignRecords } from '../thirdParties/thirdPartyCalls.ts';
import { theWorld } from '../world/world.ts';
import type { FaultKind } from './faultKind.ts';
import { appendDirectly, changeWriter, fund, spendAll, takeNonce } from './thirdParty.ts';

const RECORDS_MAX = 3;
const NUMBER_MAX = 0xfffff;

/** Faults that third parties cause. */
export const THIRD_PARTY_FAULTS: Readonly<Record<string, FaultKind>> = {
  foreignNonce: {
    draw: () => ({}),
    apply: (network, _fault, actors) => takeNonce(network, actors),
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
    apply: (network, { tenant, records, number }, { contract, tenants }) => {
      const actor = { contract, tenant: tenants[Number(tenant) % tenants.length]! };
      appendDirectly(network, actor, toForeignRecords(Number(number), Number(records)));
    },
    describe: ({ tenant, records }) => `the author of tenant ${tenant} appends ${records} records without the server`,
  },
  removeWriter: {
    draw: (random, { tenants, blockMs }) =>
      tenants === 0
        ? undefined
        : { tenant: random.integer(0, tenants - 1), durationMs: blockMs * random.integer(3, 12) },
    apply: (network, { tenant, durationMs }, { contract, tenants }) => {
      const actor = { contract, tenant: tenants[Number(tenant) % tenants.length]! };
      const { tenantsWithoutWriter } = network;
      const { identity } = actor.tenant;
      const add = (): void => changeWriter(network, actor, 'addWriter', () => tenantsWithoutWriter.delete(identity));
      tenantsWithoutWriter.add(identity);
      // The nonces of the administrator keep the order, once the first transaction has its own.
      changeWriter(network, actor, 'removeWriter', () => void theWorld().schedule(Number(durationMs), add));
    },
    describe: ({ tenant, durationMs }) =>
      `the administrator of tenant ${tenant} removes its writer, and adds it again after ${durationMs} ms`,
  },
};
