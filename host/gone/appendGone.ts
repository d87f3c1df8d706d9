// Appends records again that the chain no longer has, as records that say where they stood. Each has the identity that
// it had, which the contract takes once, and the same bytes whenever it is appended again: neither a repetition nor a
// kill makes two of it.
import { isIndexed } from '../../indexer/reads/recordReads.ts';
import type { Place } from '../../indexer/rows/recordRow.ts';
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { parseTenantIdentity } from '../../ledger/identity.ts';
import { type AppendedAgain, EARLIER_PLACES_MAX, type EarlierPlace } from '../../ledger/records/appendedAgain.ts';
import type { Commitment, ConfirmationStatus } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { Ledger } from '../openLedger.ts';
import type { GoneSummary } from './goneRecords.ts';
import { type ListedGone, selectGone, toListed } from './listGone.ts';
import { isReturned } from './returnedRecords.ts';

/** What became of a record. */
export interface AppendedGone extends ListedGone {
  /** Undefined when it wasn't appended, for `reason`. */
  readonly status: ConfirmationStatus | undefined;
  readonly reason: string;
}

type Parts = Pick<Ledger, 'gone' | 'outbox' | 'store' | 'wallets' | 'writer'>;

const toEarlierPlace = (place: Place): EarlierPlace => ({
  block_number: place.blockNumber,
  log_index: place.logIndex,
  timestamp_committed: toBlockTimestamp(place.blockTimestampSeconds),
  transaction_id: place.transactionHash,
  transaction_index: place.transactionIndex,
});

/** The record that says where it stood. */
export const toAgain = <T extends AppendedAgain>(record: T, place: Place): T => {
  const places = [...(record.appended_again ?? []), toEarlierPlace(place)];
  return { ...record, appended_again: places.slice(-EARLIER_PLACES_MAX) };
};

const findWaiting = ({ outbox }: Parts, { tenantIdentity, identity, streamIdentity }: GoneSummary) =>
  outbox.readStream(tenantIdentity, streamIdentity).find(({ record }) => record.identity === identity);

// Why a record can't be appended again; undefined: it can. The key of its author signs it, or nobody.
const findObstacle = (parts: Parts, summary: GoneSummary): string | undefined => {
  const { wallets, store } = parts;
  const { tenantIdentity, place } = summary;
  const address = wallets.findAddress(tenantIdentity);
  if (address === undefined) return `this server does not have the key of its author ${place.author}`;
  if (address !== place.author) return `its author was ${place.author}, and the key here is that of ${address}`;
  if (isIndexed(store, summary)) return 'the chain has another record of this identity';
  return findWaiting(parts, summary)?.status === 'FAILED' ? 'it is FAILED in the outbox; clear it first' : undefined;
};

const refuse = (summary: GoneSummary, reason: string): AppendedGone => ({
  ...toListed(summary),
  status: undefined,
  reason,
});

type Started = AppendedGone | Promise<AppendedGone>;

// The refusal of one record is no error of the command. Thrown at once or later.
const toRefused = (summary: GoneSummary, error: unknown): AppendedGone => {
  if (error instanceof LedgerError) return refuse(summary, `${error.code}: ${error.message}`);
  throw error;
};

const awaitCommitment = async (
  { gone }: Parts,
  summary: GoneSummary,
  commitment: Promise<Commitment>,
): Promise<AppendedGone> => {
  try {
    const { confirmation_status: status } = await commitment;
    if (status === 'CONFIRMED') await gone.remove([summary]);
    return { ...toListed(summary), status, reason: '' };
  } catch (error) {
    return toRefused(summary, error);
  }
};

const begin = (parts: Parts, summary: GoneSummary, record: LedgerRecord): Started => {
  try {
    return awaitCommitment(parts, summary, parts.writer.begin(summary.tenantIdentity, record));
  } catch (error) {
    return toRefused(summary, error);
  }
};

const startOne = async (parts: Parts, summary: GoneSummary): Promise<{ readonly started: Started }> => {
  const found = await parts.gone.read(summary);
  if (found === undefined || isReturned(parts.store, found)) {
    await parts.gone.remove([summary]);
    return { started: { ...toListed(summary), status: 'CONFIRMED', reason: 'the chain has it again' } };
  }
  const obstacle = findObstacle(parts, summary);
  if (obstacle === undefined && findWaiting(parts, summary) !== undefined)
    return { started: { ...toListed(summary), status: 'PENDING', reason: 'it was appended again before' } };
  return {
    started:
      obstacle === undefined ? begin(parts, summary, toAgain(found.record, found.place)) : refuse(summary, obstacle),
  };
};

/** Records that wait for the chain at once: they share blocks. */
const TOGETHER = 100;
const BLOCKED = 'an earlier record of the same stream is gone too, and was not appended again';

// Records that are on their way. The first of a stream, such as the creation of an asset, goes before all others of it.
const createBatch = (onRefused: (streamIdentity: string) => void) => {
  const done: AppendedGone[] = [];
  const sure = new Set<string>();
  let waiting: { readonly streamIdentity: string; readonly started: Started }[] = [];
  const finish = async (): Promise<void> => {
    const results = await Promise.all(waiting.map(({ started }) => started));
    for (const [at, result] of results.entries()) {
      const { streamIdentity } = waiting[at]!;
      if (result.status === 'CONFIRMED' || result.status === 'PENDING') sure.add(streamIdentity);
      else onRefused(streamIdentity);
    }
    done.push(...results);
    waiting = [];
  };
  return {
    done,
    finish,
    makeRoom: async (streamIdentity: string): Promise<void> => {
      const isFirstWaiting = !sure.has(streamIdentity) && waiting.some((one) => one.streamIdentity === streamIdentity);
      if (isFirstWaiting || waiting.length >= TOGETHER) await finish();
    },
    add: (streamIdentity: string, started: Started): void => void waiting.push({ streamIdentity, started }),
  };
};

/**
 * Appends gone records again, those that `selectGone` takes, in the order of the chain that had them. Resolves, when
 * the chain has them or they are PENDING, with what became of each. No record follows one of its stream that is gone
 * and isn't appended again, except those that were sent to the chain together with it.
 */
export const appendGone = async (
  parts: Parts,
  tenant: string,
  identities: readonly string[],
): Promise<AppendedGone[]> => {
  const selected = new Set(selectGone(parts.gone, tenant, identities));
  const blocked = new Set<string>();
  const batch = createBatch((streamIdentity) => blocked.add(streamIdentity));
  for (const summary of parts.gone.list()) {
    const { streamIdentity } = summary;
    if (!selected.has(summary)) {
      if (summary.tenantIdentity === parseTenantIdentity(tenant)) blocked.add(streamIdentity);
      continue;
    }
    await batch.makeRoom(streamIdentity);
    const isBlocked = blocked.has(streamIdentity);
    const { started } = isBlocked ? { started: refuse(summary, BLOCKED) } : await startOne(parts, summary);
    if (!(started instanceof Promise) && started.status === undefined) blocked.add(streamIdentity);
    batch.add(streamIdentity, started);
  }
  await batch.finish();
  return batch.done;
};
