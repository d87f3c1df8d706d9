// The two kinds of chain that runs have, behind one interface.
import type { RecordLog } from '../../chain/port.ts';
import type { LedgerOptions } from '../../host/ledgerOptions.ts';
import type { Ledger } from '../../host/openLedger.ts';
import type { DrawnKind } from './plan/drawPlan.ts';
import type { Fault, Plan } from './plan/plan.ts';
import { SERVER_FAULTS } from './plan/serverFaults.ts';
import { createTemplate, type LedgerTemplate } from './server/template.ts';
import type { Random } from './world/random.ts';

/** The chain of one run. */
export interface ChainOfRun {
  /** How the server reaches the chain; undefined for the embedded chain. */
  readonly network: LedgerOptions['network'];
  /** Applies a fault of the chain; false for a kind of the machine. */
  applyFault(fault: Fault): boolean;
  /** Ends all faults. */
  heal(): void;
  /** Whether the chain has nothing to do. */
  isQuiet(): boolean;
  /** What is wrong with the chain in the end; empty when nothing is. */
  findProblems(): string[];
  /** Whether the contract has refused records because their author was no writer. */
  hasRefused(): boolean;
  /** The logs of the final chain that are not of third parties. `ledger` is the server's, and open. */
  fetchLogs(ledger: Ledger, deploymentBlock: number): Promise<RecordLog[]>;
}

/** A template with the state of its chain outside the server, if there is any. */
export interface ChainTemplate {
  readonly ledger: LedgerTemplate;
}

/** A kind of chain. */
interface ChainKind {
  /** Its kinds of faults, those of the machine included. */
  readonly faults: Readonly<Record<string, DrawnKind>>;
  drawSettings(random: Random): Record<string, number>;
  openTemplate(): Promise<ChainTemplate>;
  open(plan: Plan, template: ChainTemplate): ChainOfRun;
}

let embeddedTemplate: Promise<ChainTemplate> | undefined;

const EMBEDDED: ChainKind = {
  faults: SERVER_FAULTS,
  drawSettings: () => ({}),
  openTemplate: () => {
    embeddedTemplate ??= createTemplate(async () => undefined).then((ledger) => ({ ledger }));
    return embeddedTemplate;
  },
  open: () => ({
    network: undefined,
    applyFault: () => false,
    heal: () => undefined,
    isQuiet: () => true,
    findProblems: () => [],
    hasRefused: () => false,
    fetchLogs: async ({ chain, contract }, deploymentBlock) => {
      const { number } = await chain.fetchFinalHead();
      return chain.fetchRecordLogs({ address: contract, fromBlock: deploymentBlock, toBlock: number });
    },
  }),
};

/** The kinds of chain by name. */
export const CHAINS: Readonly<Record<Plan['chain'], ChainKind>> = { embedded: EMBEDDED, network: EMBEDDED };
