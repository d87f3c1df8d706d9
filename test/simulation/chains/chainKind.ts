// What the kinds of chain of the simulation have in common.
import type { RecordLog } from '../../../chain/port.ts';
import type { LedgerOptions } from '../../../host/ledgerOptions.ts';
import type { Ledger } from '../../../host/openLedger.ts';
import type { Fault, Plan, PlannedRequest } from '../plan/plan.ts';
import type { Machine } from '../server/machine.ts';
import type { LedgerTemplate } from '../server/template.ts';
import type { Random } from '../world/random.ts';

/** Keys of the records that the chain had, or had refused, in a transaction that a reorg has removed. */
export interface UndoneRecords {
  /** The transaction had succeeded, and reverted with several records in the final chain. */
  readonly reverted: ReadonlySet<string>;
  /** In the final chain, a transaction of another program has its nonce. */
  readonly replaced: ReadonlySet<string>;
}

/** The chain of one run. */
export interface ChainOfRun {
  /** How the server reaches the chain; undefined for the embedded chain. */
  readonly network: LedgerOptions['network'];
  /** Begins what the chain does by itself. */
  start(): void;
  /** Applies a fault of the chain; false for a kind of the machine, which is the server's. */
  applyFault(fault: Fault, machine: Machine): boolean;
  /** Ends all faults. */
  heal(): void;
  /** How often each lie and faulty message occurred, by `group: name`. */
  counts(): Iterable<readonly [name: string, count: number]>;
  /** Number of nonces of the relayer whose transactions wait in the pool of any node. */
  countWaiting(): number;
  /** What keeps the chain from being at rest; empty when nothing does. */
  findUnfinished(): string[];
  /**
   * Identities of the records that the contract refused because their author was no writer: a final block has a
   * transaction with each of them alone, or with such a one of the tenant. `ledger` is the server's, and open.
   */
  readRefused(ledger: Ledger): Promise<ReadonlySet<string>>;
  readUndone(): UndoneRecords;
  /**
   * The logs of the chain after the template, without the events of third parties. `ledger` is the server's, and open.
   */
  readLogs(ledger: Ledger): Promise<RecordLog[]>;
}

/** A kind of chain. */
export interface ChainKind<Template extends { readonly ledger: LedgerTemplate } = { readonly ledger: LedgerTemplate }> {
  /** Parameters of its runs, besides those of the server. */
  drawSettings(random: Random): Record<string, number>;
  /** The kinds of its faults, each as often as its weight. */
  readonly faultNames: readonly string[];
  /** A fault of this kind at this time; undefined where it is impossible. */
  drawFault(random: Random, fault: Pick<Fault, 'kind' | 'atMs'>, settings: Plan['settings']): Fault | undefined;
  /**
   * Faults that together cause what single ones rarely do, around the creation of a record, if the run has one;
   * undefined where none is possible.
   */
  drawScenario(
    random: Random,
    creation: PlannedRequest | undefined,
    settings: Plan['settings'],
  ): readonly Fault[] | undefined;
  /** The template of runs with these settings; made once. */
  openTemplate(settings: Plan['settings']): Promise<Template>;
  /** The chain of a run in the current world. */
  open(plan: Plan, template: Template): ChainOfRun;
}
