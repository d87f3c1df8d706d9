// Runs on the embedded chain, whose engine is in the server's process.
import { createTemplate, type LedgerTemplate } from '../server/template.ts';
import type { ChainKind } from './chainKind.ts';

/** Share of the runs that begin with an empty disk. */
const FIRST_STARTS = 0.1;

let template: Promise<{ ledger: LedgerTemplate }> | undefined;

/** The embedded chain: all of its faults are those of the machine. */
export const EMBEDDED: ChainKind = {
  drawSettings: (random) => ({ isFirstStart: random.chance(FIRST_STARTS) ? 1 : 0 }),
  drawFault: () => undefined,
  openTemplate: () => {
    template ??= createTemplate(async () => undefined).then((ledger) => ({ ledger }));
    return template;
  },
  open: (_plan, { ledger: { deploymentBlock, lastBlock } }) => ({
    network: undefined,
    start: () => undefined,
    applyFault: () => false,
    heal: () => undefined,
    findUnfinished: () => [],
    refusedTenants: new Set(),
    readLogs: async ({ chain, contract }) => {
      const { number } = await chain.fetchFinalHead();
      const logs = await chain.fetchRecordLogs({ address: contract, fromBlock: deploymentBlock, toBlock: number });
      return logs.filter(({ blockNumber }) => blockNumber > lastBlock);
    },
  }),
};
