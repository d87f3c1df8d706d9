// Stalls the replay of embedded chains in this process, so that a test acts during it.
import { Level } from 'level';

type OpenIterator = (this: Level, options: { readonly gte?: unknown }) => AsyncIterable<unknown>;

/** Runs `act` with replays that read no block of their journals before `go` is called. */
export const withStalledReplay = async (act: (go: () => void) => Promise<void>): Promise<void> => {
  const { promise: gone, resolve: go } = Promise.withResolvers<void>();
  const methods = Level.prototype as unknown as { iterator: OpenIterator };
  const open = methods.iterator;
  methods.iterator = function (options) {
    const entries = open.call(this, options);
    const isReplay = this.location.endsWith('/chain') && options.gte !== undefined;
    if (!isReplay) return entries;
    return (async function* () {
      await gone;
      yield* entries;
    })();
  };
  try {
    await act(go);
  } finally {
    go();
    methods.iterator = open;
  }
};
