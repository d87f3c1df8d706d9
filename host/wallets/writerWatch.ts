// Looks after new blocks whether the authors here are still writers of their tenants, so that a removal is known before
// a client's record shows it. An author that never was a writer isn't removed: it may be about to be registered.
import { raiseIfMistake } from '../../chain/defects.ts';
import type { BlockRef, ChainPort } from '../../chain/port.ts';

/** What a watch of writers works with. */
export interface WriterWatchOptions {
  readonly chain: Pick<ChainPort, 'onFinalHead'>;
  /** Resolves with the final block to begin with. When it rejects, the watch begins with the next one. */
  readonly begun: Promise<BlockRef>;
  /** The tenants whose authors' keys are here. */
  readonly tenantIdentities: () => readonly string[];
  /** Resolves with whether the tenant's author is a writer in the state of a final block; rejects without an answer. */
  readonly isWriter: (tenantIdentity: string, blockNumber: number) => Promise<boolean>;
  /** Resolves with whether the tenant's author was ever a writer, of one that the watch has not seen as one. */
  readonly wasWriter: (tenantIdentity: string) => Promise<boolean>;
  /** Called once for a tenant whose author was a writer in an earlier block, and is none. */
  readonly onRemoved: (tenantIdentity: string) => Promise<unknown>;
  /** Milliseconds between two rounds. */
  readonly pauseMs?: number;
  /** Most tenants of one round. */
  readonly tenantsMax?: number;
}

const PAUSE_MS = 5_000;
const TENANTS_MAX = 100;

/** The tenants that are looked at in turn; each is due once after each block, or once after several. */
const createTurns = (tenantIdentities: () => readonly string[]) => {
  let due: string[] = [];
  let isNew = false;
  return {
    addAll: (): void => {
      isNew = true;
    },
    isDue: (): boolean => isNew || due.length > 0,
    take: (count: number): string[] => {
      if (due.length === 0) {
        due = [...tenantIdentities()];
        isNew = false;
      }
      return due.splice(0, count);
    },
  };
};

/**
 * Begins to look. A node that doesn't have that block gives an error instead of an older state, and
 * the tenant is looked at again after a later block. Returns the function that ends the watch.
 */
export const watchWriters = (options: WriterWatchOptions): (() => Promise<void>) => {
  const { chain, begun, tenantIdentities, isWriter, wasWriter, onRemoved } = options;
  const { pauseMs = PAUSE_MS, tenantsMax = TENANTS_MAX } = options;
  const turns = createTurns(tenantIdentities);
  const writers = new Set<string>();
  const removed = new Set<string>();
  let newest = 0;
  let isStopped = false;
  let pause: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  const lookAt = async (tenantIdentity: string): Promise<void> => {
    if (await isWriter(tenantIdentity, newest)) {
      writers.add(tenantIdentity);
      removed.delete(tenantIdentity);
    } else if (!removed.has(tenantIdentity) && (writers.has(tenantIdentity) || (await wasWriter(tenantIdentity)))) {
      writers.delete(tenantIdentity);
      removed.add(tenantIdentity);
      await onRemoved(tenantIdentity);
    }
  };
  const look = async (): Promise<void> => {
    for (const tenantIdentity of turns.take(tenantsMax))
      if (!isStopped) await lookAt(tenantIdentity).catch(raiseIfMistake);
  };
  const rest = (): void => {
    looking = undefined;
    if (!isStopped) pause = setTimeout(continueLooking, pauseMs);
  };
  const begin = (): void => {
    if (isStopped || looking !== undefined || pause !== undefined || !turns.isDue()) return;
    looking = look().finally(rest);
  };
  const continueLooking = (): void => {
    pause = undefined;
    begin();
  };
  const onHead = ({ number }: BlockRef): void => {
    newest = Math.max(newest, number);
    turns.addAll();
    begin();
  };
  const end = chain.onFinalHead(onHead);
  begun.then(onHead, () => undefined);
  return async () => {
    isStopped = true;
    end();
    clearTimeout(pause);
    await looking;
  };
};
