// How the parts of an open ledger are doing: for metrics, and for whoever asks whether the server is ready.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainPort } from '../../chain/port.ts';
import type { FindHealthIssues, HealthIssue } from '../../server/http/health.ts';
import type { Ledger } from '../openLedger.ts';

export interface LedgerState {
  /** Why the chain is of no use though it may answer: it is another one, or takes no transactions. */
  readonly chainTrouble: string | undefined;
  /** Newest final block; undefined when the chain doesn't answer. */
  readonly chainBlock: number | undefined;
  readonly indexBlock: number;
  /** Why the index takes nothing in; undefined when it does. */
  readonly indexTrouble: string | undefined;
  readonly outboxPending: number;
  readonly outboxFailed: number;
  /** Why the outbox takes nothing; undefined when it does. */
  readonly outboxTrouble: string | undefined;
}

const CHAIN_PATIENCE_MS = 2_000;
/** An index that is busy is a block or two behind; this far behind, reads miss what was committed. */
const LAG_BLOCKS_MAX = 64;

const readChainBlock = async (chain: Pick<ChainPort, 'fetchFinalHead'>): Promise<number | undefined> => {
  const timer = new AbortController();
  const silence = sleep(CHAIN_PATIENCE_MS, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([chain.fetchFinalHead().then(({ number }) => number), silence]);
  } catch {
    // Whatever it says, it doesn't answer.
    return undefined;
  } finally {
    timer.abort();
  }
};

const findChainTrouble = ({ assertSame, findHealthIssue }: Ledger['chain']): string | undefined => {
  try {
    assertSame();
    return findHealthIssue?.();
  } catch (error) {
    return (error as Error).message;
  }
};

const toIndexTrouble = ({ damage, failure }: Ledger['store']): string | undefined => {
  if (!damage.isComplete()) return 'it was damaged, and is being rebuilt from the chain';
  return failure() && 'the index cannot be written; it is tried again every second';
};

/** The state of now. Rejects only when the index can't be read. */
export const readLedgerState = async ({ chain, store, outbox }: Ledger): Promise<LedgerState> => ({
  chainTrouble: findChainTrouble(chain),
  chainBlock: await readChainBlock(chain),
  indexBlock: store.readCursor()?.blockNumber ?? 0,
  indexTrouble: toIndexTrouble(store),
  outboxPending: outbox.pendingCount(),
  outboxFailed: outbox.failedCount(),
  outboxTrouble: outbox.findHealthIssue(),
});

const toHealthIssues = ({
  chainTrouble,
  chainBlock,
  indexBlock,
  indexTrouble,
  outboxTrouble,
}: LedgerState): HealthIssue[] => {
  const troubles: HealthIssue[] = [];
  if (chainTrouble !== undefined) troubles.push({ name: 'chain', reason: chainTrouble });
  else if (chainBlock === undefined) troubles.push({ name: 'chain', reason: 'it does not answer' });
  else if (chainBlock - indexBlock > LAG_BLOCKS_MAX)
    troubles.push({ name: 'index', reason: `it is ${chainBlock - indexBlock} blocks behind the chain` });
  if (indexTrouble !== undefined) troubles.push({ name: 'index', reason: indexTrouble });
  if (outboxTrouble !== undefined) troubles.push({ name: 'outbox', reason: outboxTrouble });
  return troubles;
};

/** What keeps the ledger from its work, besides what the server itself says. */
export const createFindHealthIssues =
  (readState: () => Promise<LedgerState>, isStopping: () => boolean): FindHealthIssues =>
  async () => {
    if (isStopping()) return [{ name: 'stopping', reason: 'requests under way are finished' }];
    try {
      return toHealthIssues(await readState());
    } catch {
      return [{ name: 'index', reason: 'it can not be read' }];
    }
  };
