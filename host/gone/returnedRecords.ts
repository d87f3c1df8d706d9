// Gone records that the chain has again: mined once more in another block, or appended again.
import { isIndexed, readRecordOf } from '../../indexer/reads/recordReads.ts';
import type { IndexStore } from '../../indexer/store.ts';
import { type GoneRecord, isSameContent } from './goneFile.ts';
import type { GoneRecords } from './goneRecords.ts';

type OnProblem = (message: string, cause?: unknown) => void;

/** Records of one check: each is a read of the index, in the thread that answers requests. */
const CHECKED = 1_000;

/** Whether the index has the record, as it was or as one that was appended again. */
export const isReturned = (
  store: IndexStore,
  { tenantIdentity, record }: Pick<GoneRecord, 'tenantIdentity' | 'record'>,
): boolean => {
  const found = readRecordOf(store, { tenantIdentity, identity: record.identity }, record.type);
  return found !== undefined && isSameContent(found, record);
};

/**
 * Returns a function that removes gone records which the index has again, some at each call. `onProblem` gets the
 * failures of the disk: the records are removed at the next start then.
 */
export const createReturnCheck = (
  gone: GoneRecords,
  store: IndexStore,
  onProblem: OnProblem,
): (() => Promise<void>) => {
  let from = 0;
  return async () => {
    const all = gone.list();
    if (from >= all.length) from = 0;
    const part = all.slice(from, from + CHECKED);
    from += CHECKED;
    try {
      for (const name of part.filter((each) => isIndexed(store, each))) {
        const record = await gone.read(name);
        if (record !== undefined && isReturned(store, record)) await gone.remove([name]);
      }
    } catch (cause) {
      onProblem('a record that the chain has again is still kept as gone', cause);
    }
  };
};

/** What a check of gone records is added to. */
interface Followed {
  readonly gone: GoneRecords;
  readonly store: IndexStore;
  readonly finalMark: { readonly note: () => void };
}

/** The same chain, whose gone records are checked when the index has come to another final block. */
export const withReturnCheck = <T extends Followed>(indexed: T, onProblem: OnProblem): T => {
  const { gone, store, finalMark } = indexed;
  const check = createReturnCheck(gone, store, onProblem);
  const note = (): void => {
    finalMark.note();
    void check();
  };
  return { ...indexed, finalMark: { note } };
};
