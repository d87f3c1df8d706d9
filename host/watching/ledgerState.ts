// The state of the parts of an open ledger: for metrics and for readiness.
import { setTimeout as sleep } from 'node:timers/promises';
import { raiseIfMistake } from '../../chain/defects.ts';
import type { EngineState } from '../../chain/embedded/engine/engineRuns.ts';
import type { SandboxState } from '../../chain/embedded/sandbox/sandboxProcess.ts';
import type { ChainPort, ChainProgress } from '../../chain/port.ts';
import type { ParkedCount } from '../../chain/writing/recordWriter.ts';
import { newerRecordsKey } from '../../indexer/keys.ts';
import type { NewerRecordsRow } from '../../indexer/rows/rows.ts';
import { CATALOGUE, type LedgerErrorCode } from '../../ledger/errors.ts';
import { CHAIN_STALLED, type FindHealthIssues, type HealthIssue } from '../../server/http/health.ts';
import { toStallJson } from '../../server/operations/node/chainReport.ts';
import { describeJump } from '../clockJump.ts';
import type { Ledger } from '../openLedger.ts';

export interface LedgerState {
  /** Why the chain can't be used even if it answers: it is another chain, or it accepts no transactions. */
  readonly chainIssue: string | undefined;
  /** Which final block was replaced; undefined while none was. */
  readonly replaced: string | undefined;
  /** The block of a record that an author of this server didn't sign; undefined while there is none. */
  readonly unprovenBlock: number | undefined;
  /** Why no record is accepted until the operator acts; undefined when records are. */
  readonly obstacle: LedgerErrorCode | undefined;
  /** Newest final block; undefined when the chain doesn't answer. */
  readonly chainBlock: number | undefined;
  /** Whether the chain makes blocks; undefined on the embedded chain. */
  readonly progress: ChainProgress | undefined;
  /** The engine of the embedded chain; undefined on a network. */
  readonly engine: EngineState | undefined;
  /** The processes for the code of third parties; undefined on a network. */
  readonly sandbox: SandboxState | undefined;
  /** Newest block of the index. */
  readonly indexBlock: number;
  /** Why the index doesn't follow the chain; undefined when it does. */
  readonly indexIssue: string | undefined;
  /** The records whose payload version this server doesn't know; undefined when there are none. */
  readonly newerRecords: NewerRecordsRow | undefined;
  /** Tenants whose writes are refused because their key here is no writer. */
  readonly unavailableAuthors: number;
  /** Milliseconds by which the clock has jumped forward; undefined unless it has. */
  readonly clockJumpMs: number | undefined;
  /** Whether records are refused because too little memory is free. */
  readonly isMemoryReserved: boolean;
  /** Records that wait in the outbox because this server can't sign for their tenants. */
  readonly parked: ParkedCount;
  /** Records that were final, and that the chain no longer has. */
  readonly goneRecords: number;
  /** Records that were accepted and are not committed yet. */
  readonly outboxPending: number;
  /** Records that the chain refused. */
  readonly outboxFailed: number;
  /** Whether they are so many that their tenants can't write. */
  readonly isOutboxFailedFull: boolean;
  /** Why the outbox accepts no records; undefined when it does. */
  readonly outboxIssue: string | undefined;
}

const CHAIN_TIMEOUT_MS = 2_000;
/** A busy index is a block or two behind; this far behind, reads miss committed records. */
const LAG_BLOCKS_MAX = 64;

const readChainBlock = async (chain: Pick<ChainPort, 'fetchFinalHead'>): Promise<number | undefined> => {
  const timer = new AbortController();
  const timeout = sleep(CHAIN_TIMEOUT_MS, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([chain.fetchFinalHead().then(({ number }) => number), timeout]);
  } catch (cause) {
    raiseIfMistake(cause);
    // Any other error means that the chain does not answer.
    return undefined;
  } finally {
    timer.abort();
  }
};

const findChainIssue = ({ chain, completion }: Ledger): string | undefined => {
  try {
    chain.assertSame();
    return completion.findIssue() ?? chain.findHealthIssue?.();
  } catch (error) {
    return (error as Error).message;
  }
};

const findIndexIssue = ({ damage, failure }: Ledger['store']): string | undefined => {
  if (!damage.isComplete()) return 'it is being rebuilt from the chain';
  return failure() && 'the index cannot be written; it is tried again every second';
};

/** Reads the current state. Rejects only when the index can't be read. */
export const readLedgerState = async (ledger: Ledger): Promise<LedgerState> => {
  const { chain, store, outbox } = ledger;
  return {
    chainIssue: findChainIssue(ledger),
    replaced: ledger.findReplaced()?.message,
    unprovenBlock: ledger.findUnproven()?.blockNumber,
    obstacle: ledger.writer.findObstacle()?.code,
    chainBlock: await readChainBlock(chain),
    progress: chain.readProgress?.(),
    engine: chain.readEngine?.(),
    sandbox: chain.readSandbox?.(),
    indexBlock: store.readCursor()?.blockNumber ?? 0,
    indexIssue: findIndexIssue(store),
    newerRecords: store.read(newerRecordsKey()) as NewerRecordsRow | undefined,
    unavailableAuthors: ledger.unavailableAuthors(),
    clockJumpMs: ledger.findClockJump(),
    isMemoryReserved: ledger.isMemoryReserved(),
    parked: ledger.writer.countParked(),
    goneRecords: ledger.gone.count(),
    outboxPending: outbox.pendingCount(),
    outboxFailed: outbox.failedCount(),
    isOutboxFailedFull: outbox.isFailedFull(),
    outboxIssue: outbox.findHealthIssue(),
  };
};

/** What the operator should know, while reads are served and writes are accepted. */
type Notice = Omit<HealthIssue, 'isNotice'>;

// Any writer of a tenant can append such a record, nothing removes it, and the others are served as before.
const toNewerRecordsNotice = ({ count, firstBlock }: NewerRecordsRow): Notice => ({
  name: 'NEWER_RECORDS',
  reason: `${count} records since block ${firstBlock} have a format that this version can't read, and are not shown`,
});

// Reads are served, and writes are accepted. 503 on every server of the chain would refuse both.
const toStallNotice = (progress: ChainProgress): Notice[] => {
  const stall = toStallJson(progress);
  if (stall === null) return [];
  const { since, block_height, silent_validators } = stall;
  const reason = `${stall.reason}; writes are accepted and stay PENDING`;
  return [{ name: CHAIN_STALLED, reason, details: { since, block_height, silent_validators } }];
};

// Reads are served, and writes are accepted. The replay of a start is none, since it has no end before it.
const toEngineNotice = ({ isReady, endedCount }: EngineState): Notice[] => {
  if (isReady || endedCount === 0) return [];
  const reason = 'it has ended, and another one executes the journal; writes are accepted and stay PENDING';
  return [{ name: 'ENGINE_RESTARTING', reason }];
};

// Reads are served, and so are the writes of other tenants. The route is public, so it doesn't say which.
const AUTHOR_NOTICE: Notice = {
  name: 'AUTHOR_UNAVAILABLE',
  reason: "a key of this server isn't one of its tenant's writers, so that tenant's writes are refused",
};

// Earlier blocks are read, and records are accepted. It isn't 503, because others can cause it for a block or two: they
// pass a batch on through a contract of their own before the server's transaction is mined.
const toUnprovenNotice = (block: number): Notice => ({
  name: 'AUTHOR_UNPROVED',
  reason:
    `block ${block} has a record in the name of an account of this server that did not sign it, so the nodes may be on a ` +
    'false chain; nothing from this block on is shown',
});

// Records get the times of the clock, and a later start is refused if it turns out to be ahead.
const toJumpNotice = (byMs: number): Notice => ({
  name: 'CLOCK_JUMPED',
  reason: describeJump(byMs),
});

// As that of authors.
const toParkedNotice = ({ records, tenants }: ParkedCount): Notice => ({
  name: 'RECORDS_PARKED',
  reason: `${records} accepted records of ${tenants === 1 ? 'one tenant' : `${tenants} tenants`} wait, because this server can't sign for ${tenants === 1 ? 'it' : 'them'}`,
});

// Reads are served.
const MEMORY_NOTICE: Notice = {
  name: 'MEMORY_RESERVED',
  reason: 'too little memory is free for more records; reads are served',
};

// The other records are accepted. Those of one tenant count towards its share of the outbox, those of all have a bound.
const toFailedNotice = (count: number, isFull: boolean): Notice => ({
  name: 'RECORDS_FAILED',
  reason:
    `the chain refused ${count} accepted records; an operator lists them and clears them` +
    (isFull ? '. They are so many that their tenants get OUTBOX_FULL until some are cleared' : ''),
});

// They are kept, and everything else is served.
const toGoneNotice = (count: number): Notice => ({
  name: 'RECORDS_GONE',
  reason: `${count} records that were final are no longer on the chain and are kept; an operator lists them and appends them again`,
});

// Another server of the organisation has a relayer of its own, so a load balancer should use that one.
const toObstacleIssue = (code: LedgerErrorCode): HealthIssue => ({
  name: code,
  reason: `${CATALOGUE[code]}; no records are accepted`,
});

// Records are accepted, and what others see of the log stays as it is.
const toWitnessNotice = (names: readonly string[]): Notice => ({
  name: 'WITNESSES_REFUSE',
  reason:
    `${names.join(', ')} refuse the block log, which may not continue what they have cosigned; after a restore, restore ` +
    'again with --new-log',
});

const toNotices = (state: LedgerState): Notice[] => {
  const notices: Notice[] = [];
  if (state.progress !== undefined) notices.push(...toStallNotice(state.progress));
  if (state.engine !== undefined && state.chainIssue === undefined) notices.push(...toEngineNotice(state.engine));
  if (state.unprovenBlock !== undefined) notices.push(toUnprovenNotice(state.unprovenBlock));
  if (state.unavailableAuthors > 0) notices.push(AUTHOR_NOTICE);
  if (state.clockJumpMs !== undefined) notices.push(toJumpNotice(state.clockJumpMs));
  if (state.isMemoryReserved) notices.push(MEMORY_NOTICE);
  if (state.parked.records > 0) notices.push(toParkedNotice(state.parked));
  if (state.outboxFailed > 0) notices.push(toFailedNotice(state.outboxFailed, state.isOutboxFailedFull));
  if (state.goneRecords > 0) notices.push(toGoneNotice(state.goneRecords));
  if (state.newerRecords !== undefined) notices.push(toNewerRecordsNotice(state.newerRecords));
  return notices;
};

const toHealthIssues = (state: LedgerState, refusing: readonly string[]): HealthIssue[] => {
  const { chainIssue, replaced, obstacle, chainBlock, indexBlock, indexIssue, outboxIssue } = state;
  const issues: HealthIssue[] = [];
  if (replaced !== undefined) issues.push({ name: 'CHAIN_REPLACED', reason: replaced });
  else if (chainIssue !== undefined) issues.push({ name: 'chain', reason: chainIssue });
  else if (chainBlock === undefined) issues.push({ name: 'chain', reason: 'it does not answer' });
  else if (chainBlock - indexBlock > LAG_BLOCKS_MAX)
    issues.push({ name: 'index', reason: `it is ${chainBlock - indexBlock} blocks behind the chain` });
  if (indexIssue !== undefined) issues.push({ name: 'index', reason: indexIssue });
  if (obstacle !== undefined && obstacle !== 'CHAIN_REPLACED') issues.push(toObstacleIssue(obstacle));
  if (outboxIssue !== undefined) issues.push({ name: 'outbox', reason: outboxIssue });
  const notices = [...toNotices(state), ...(refusing.length === 0 ? [] : [toWitnessNotice(refusing)])];
  return [...issues, ...notices.map((notice) => ({ ...notice, isNotice: true }))];
};

/**
 * Returns a function that finds the health issues of a ledger; `isStopping` is one of them. `listRefusing` returns the
 * names of the witnesses that refuse the block log.
 */
export const createFindHealthIssues =
  (
    readState: () => Promise<LedgerState>,
    isStopping: () => boolean,
    listRefusing: () => readonly string[] = () => [],
  ): FindHealthIssues =>
  async () => {
    if (isStopping()) return [{ name: 'stopping', reason: 'requests in progress are finished' }];
    try {
      const refusing = listRefusing();
      return toHealthIssues(await readState(), refusing);
    } catch (cause) {
      raiseIfMistake(cause);
      return [{ name: 'index', reason: "it can't be read" }];
    }
  };
