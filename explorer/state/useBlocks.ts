// The newest blocks, as the chain grows.
import { useEffect, useState } from 'preact/hooks';
import { type BlockTime, fetchBlocks } from '../api/blocks.ts';

/** How many are kept: enough for the rhythm of the chain. */
const BLOCKS = 40;

/** The newest blocks, oldest first, and why there are none. */
export interface NewestBlocks {
  readonly blocks: readonly BlockTime[];
  readonly error: Error | undefined;
}

/** The blocks up to the chain's newest height; undefined: it isn't known. Only new ones are read. */
export const useBlocks = (height: number | undefined): NewestBlocks => {
  const [state, setState] = useState<NewestBlocks>({ blocks: [], error: undefined });
  const { blocks } = state;
  useEffect(() => {
    if (height === undefined) return;
    const controller = new AbortController();
    const known = blocks.at(-1)?.number ?? -1;
    // A chain that is lower than before is another one.
    const kept = known <= height ? blocks : [];
    const first = Math.max(0, height - BLOCKS + 1, kept.length === 0 ? 0 : known + 1);
    fetchBlocks(first, height, controller.signal)
      .then((found) => setState({ blocks: [...kept, ...found].slice(-BLOCKS), error: undefined }))
      .catch((error: Error) => !controller.signal.aborted && setState({ blocks: kept, error }));
    return () => controller.abort();
  }, [height]);
  return state;
};
