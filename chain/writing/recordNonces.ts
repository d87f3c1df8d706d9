// The nonces of the transactions that contained a record. A pool may keep a transaction for a long time, and it can be
// mined as long as its nonce is unused. So the refusal of a record counts only with the highest of these nonces.
import type { AccountNonce } from '../port.ts';
import { isAhead } from './highestNonce.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxEntry } from './outboxEntries.ts';

/** Nonces of the transactions that contained an outbox's entries, also of those that earlier processes sent. */
export interface RecordNonces {
  /** Notes, before it is sent, a transaction that contains the entries. Resolves when the nonce is durable. */
  note(entries: readonly OutboxEntry[], account: AccountNonce): Promise<void>;
  /** Whether no transaction that contained the entry can be mined once one with this nonce is final. */
  isLast(entry: OutboxEntry, account: AccountNonce): boolean;
}

/**
 * The nonces of an outbox that has just been opened. Earlier processes may have sent each of its entries with any nonce
 * up to the highest one. `isPooled`: whether a transaction that was sent can be mined after the end of this process.
 */
export const createRecordNonces = (
  { readEntries, highestNonce, noteNonce }: Pick<Outbox, 'readEntries' | 'highestNonce' | 'noteNonce'>,
  isPooled: boolean,
): RecordNonces => {
  const highest = new WeakMap<OutboxEntry, AccountNonce>();
  const earlier = highestNonce();
  if (earlier !== undefined) for (const entry of readEntries()) highest.set(entry, earlier);
  return {
    note: async (entries, account) => {
      if (isPooled) await noteNonce(account);
      for (const entry of entries) if (!isAhead(highest.get(entry), account)) highest.set(entry, account);
    },
    isLast: (entry, account) => !isAhead(highest.get(entry), account),
  };
};
