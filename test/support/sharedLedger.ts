// Ledger, server and tenants of one test file, opened before its tests and closed after them.
import type { LedgerLimits } from '../../host/ledgerOptions.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { EMBEDDED, type TestChain } from './chainKinds.ts';
import { createFixtureTenant, type FixtureTenant } from './fixtureTenant.ts';
import { createTemporaryDirectory, type ListeningServer, openTestLedger, serveTestLedger } from './testLedger.ts';

export interface SharedLedger {
  readonly dataDir: string;
  readonly ledger: Ledger;
  readonly server: ListeningServer;
  /** URL of a node of its network; undefined for the embedded chain. */
  readonly nodeUrl: string | undefined;
  readonly alpha: FixtureTenant;
  readonly beta: FixtureTenant;
  /** The problems that the ledger reported. */
  readonly problems: string[];
}

/** Registers mocha hooks; the returned function returns what they opened. */
export const useSharedLedger = (
  limits: Partial<LedgerLimits> = {},
  kind: TestChain = EMBEDDED,
): (() => SharedLedger) => {
  let shared: SharedLedger;
  let remove: () => Promise<void>;
  before(async () => {
    const directory = await createTemporaryDirectory();
    remove = directory.remove;
    const problems: string[] = [];
    const network = await kind.prepare(directory.path);
    const ledger = await openTestLedger(directory.path, { limits, problems, network });
    const server = await serveTestLedger(ledger);
    const alpha = await createFixtureTenant(ledger, server, 'alpha');
    const beta = await createFixtureTenant(ledger, server, 'beta');
    shared = { dataDir: directory.path, ledger, server, nodeUrl: network?.urls[0], alpha, beta, problems };
  });
  after(async () => {
    await shared.server.close();
    await shared.ledger.close();
    await remove();
  });
  return () => shared;
};
