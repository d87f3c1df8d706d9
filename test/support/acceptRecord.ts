// Accepts a record as the writer of a network does: it is durable when the promise resolves.
import type { Outbox } from '../../chain/writing/outbox.ts';
import type { OutboxEntry } from '../../chain/writing/outboxEntries.ts';
import { createImmediateStoring } from '../../chain/writing/recordStoring.ts';

/** Makes a record durable in the outbox. Rejects as the outbox refuses it. */
export const acceptRecord = async (
  outbox: Outbox,
  ...[tenantIdentity, record, payload]: Parameters<Outbox['admit']>
): Promise<OutboxEntry> => {
  const entry = outbox.admit(tenantIdentity, record, payload);
  await createImmediateStoring(outbox).add(entry);
  return entry;
};
