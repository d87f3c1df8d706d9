// Stalls the replay of embedded chains in this process, so that a test acts during it.
import { Level } from 'level';
import type { Ledger } from '../../host/openLedger.ts';
import { createPendingWork } from './pendingWork.ts';
import { type ListeningServer, openStartingTestLedger, serveTestLedger, type TestLedgerOptions } from './testLedger.ts';

type OpenIterator = (this: Level, options: { readonly gte?: unknown }) => AsyncIterable<unknown>;

/**
 * Runs `act` with replays that read no block of their journals before `go` is called. `begun` resolves when one wants
 * to read the first.
 */
export const withStalledReplay = async (
  act: (go: () => void, begun: Promise<void>) => Promise<void>,
): Promise<void> => {
  const { promise: gone, resolve: go } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const methods = Level.prototype as unknown as { iterator: OpenIterator };
  const open = methods.iterator;
  methods.iterator = function (options) {
    const entries = open.call(this, options);
    const isReplay = this.location.endsWith('/chain') && options.gte !== undefined;
    if (!isReplay) return entries;
    return (async function* () {
      begin();
      await gone;
      yield* entries;
    })();
  };
  try {
    await act(go, begun);
  } finally {
    go();
    methods.iterator = open;
  }
};

/** A ledger that is served while its replay stalls. */
export interface Replaying {
  readonly ledger: Ledger;
  readonly server: ListeningServer;
  /** Lets the replay continue. */
  readonly go: () => void;
}

/** Serves the ledger of a directory whose replay stalls until `go` is called, or `act` has resolved. */
export const serveDuringReplay = (
  dataDir: string,
  options: TestLedgerOptions,
  act: (replaying: Replaying) => Promise<void>,
): Promise<void> =>
  withStalledReplay(async (go) => {
    const ledger = await openStartingTestLedger(dataDir, options);
    const server = await serveTestLedger(ledger);
    try {
      await act({ ledger, server, go });
    } finally {
      await server.close();
      go();
      await ledger.close();
    }
  });

/** Whether a start doesn't answer before the replay: all else that it does has ended, and it has not. */
export const waitsForReplay = async (dataDir: string): Promise<boolean> => {
  const work = createPendingWork();
  let [isOpen, waits] = [false, false];
  await withStalledReplay(async (go, begun) => {
    work.start();
    const opening = openStartingTestLedger(dataDir).finally(() => {
      isOpen = true;
    });
    await begun;
    await work.runUntilIdle(() => isOpen);
    work.stop();
    waits = !isOpen;
    go();
    await (await opening).close();
  });
  return waits;
};
