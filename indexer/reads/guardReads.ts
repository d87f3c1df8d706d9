// Connects the reads of a view with the state of the index.
import { LedgerError } from '../../ledger/errors.ts';
import type { IndexStore } from '../store.ts';

type ViewMethod = (...given: never[]) => Promise<unknown>;

/**
 * The same view: its reads wait while the index is reopened, and are refused while it is rebuilt after damage, and when
 * `assertReadable` throws.
 */
export const guardReads = <V extends object>(
  view: V,
  { opening, damage }: IndexStore,
  assertReadable: () => void = () => undefined,
): V => {
  const report = (error: unknown): never => {
    if (error instanceof LedgerError && error.code === 'INDEX_DAMAGED') damage.report(error.message);
    throw error;
  };
  const guard =
    (read: ViewMethod): ViewMethod =>
    async (...given) => {
      assertReadable();
      damage.assertComplete();
      await opening();
      return read(...given).catch(report);
    };
  const reads = Object.entries(view as Record<string, ViewMethod>);
  return Object.fromEntries(reads.map(([name, read]) => [name, guard(read)])) as V;
};
