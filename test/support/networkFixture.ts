// A ledger with a server and one tenant on the test's own node, which the test may freeze, kill and revert.
import type { LedgerLimits } from '../../host/ledgerOptions.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { deployOn, type TestNetwork } from './chainKinds.ts';
import type { ExternalNode } from './externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from './fixtureTenant.ts';
import { createTemporaryDirectory, openTestLedger, serveTestLedger } from './testLedger.ts';

export interface NetworkFixture {
  readonly dataDir: string;
  readonly problems: string[];
  readonly ledger: Ledger;
  readonly alpha: FixtureTenant;
  /** Base URL of the server. */
  readonly url: string;
  /** Closes server and ledger; the directory stays. */
  stop(): Promise<void>;
  /** Stops, and deletes the directory. */
  close(): Promise<void>;
}

/** Deploys on the node and opens a ledger there through `network`. `now` is the ledger's clock. */
export const openNetworkFixture = async (
  node: ExternalNode,
  network: TestNetwork,
  limits: Partial<LedgerLimits> = {},
  now: () => number = Date.now,
): Promise<NetworkFixture> => {
  const { path, remove } = await createTemporaryDirectory();
  await deployOn(node, path, { ...network, urls: [node.url], confirmations: 1, agreeing: 1 });
  const problems: string[] = [];
  const ledger = await openTestLedger(path, { network, limits, problems, now });
  const server = await serveTestLedger(ledger, { nodeUrls: network.urls });
  const alpha = await createFixtureTenant(ledger, server, 'alpha');
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= server.close().then(ledger.close);
    return stopping;
  };
  return {
    dataDir: path,
    problems,
    ledger,
    alpha,
    url: server.url,
    stop,
    close: async () => {
      await stop();
      await remove();
    },
  };
};
