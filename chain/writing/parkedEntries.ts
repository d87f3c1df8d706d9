// Entries of tenants that nobody here can sign for. They stay in the outbox, PENDING, and hold up no other tenant's:
// neither a start, nor a batch that they would be in. Their streams aren't free, so later entries of these wait, too.
import type { LedgerError } from '../../ledger/errors.ts';
import type { OutboxEntry } from './outboxEntries.ts';

/** Options of parked entries. */
export interface ParkingOptions {
  /** Why this server can't commit records of a tenant; undefined if it can. */
  readonly findUnsignable: (tenantIdentity: string) => LedgerError | undefined;
  /** Called once for each tenant whose entries are parked, and once when they are submitted after all. */
  readonly onProblem: (message: string, cause?: unknown) => void;
}

/** The entries that are parked, by tenant. */
export interface ParkedEntries {
  /** Parks those entries of a batch that can't be signed for; returns the others. */
  park(batch: readonly OutboxEntry[]): OutboxEntry[];
  /** Moves the entries that can be signed for again to those that `take` returns. */
  resume(): void;
  /** Whether `take` returns entries. */
  readonly areResumed: boolean;
  /** Entries that were parked together and can be signed for again; undefined if there are none. */
  take(): OutboxEntry[] | undefined;
  /** The tenants whose entries are parked. */
  tenants(): string[];
}

/** Nothing is parked yet. */
export const createParkedEntries = ({ findUnsignable, onProblem }: ParkingOptions): ParkedEntries => {
  const parked = new Map<string, OutboxEntry[][]>();
  const resumed: OutboxEntry[][] = [];

  const add = (tenantIdentity: string, entries: OutboxEntry[], refusal: LedgerError): void => {
    const groups = parked.get(tenantIdentity);
    if (groups === undefined)
      onProblem(`records of ${tenantIdentity} wait in the outbox until this server can sign for it`, refusal);
    parked.set(tenantIdentity, [...(groups ?? []), entries]);
  };

  return {
    park: (batch) => {
      const signable: OutboxEntry[] = [];
      for (const [tenantIdentity, entries] of Map.groupBy(batch, (entry) => entry.tenantIdentity)) {
        const refusal = findUnsignable(tenantIdentity);
        if (refusal === undefined) signable.push(...entries);
        else add(tenantIdentity, entries, refusal);
      }
      return signable.sort((a, b) => a.sequence - b.sequence);
    },
    resume: () => {
      for (const [tenantIdentity, groups] of parked) {
        if (findUnsignable(tenantIdentity) !== undefined) continue;
        parked.delete(tenantIdentity);
        resumed.push(...groups);
        onProblem(`the records of ${tenantIdentity} that waited in the outbox are submitted`);
      }
    },
    get areResumed() {
      return resumed.length > 0;
    },
    take: () => resumed.shift(),
    tenants: () => [...parked.keys()],
  };
};
