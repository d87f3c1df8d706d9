// A data directory that is written once, and copies of it that tests damage.
import { cp } from 'node:fs/promises';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { useDirectories } from './directories.ts';
import { createFixtureTenant, type FixtureTenant } from './fixtureTenant.ts';
import { type ListeningServer, openTestLedger, serveTestLedger } from './testLedger.ts';

/** A data directory and its paths. */
export type DirectoryCopy = { readonly dataDir: string } & ReturnType<typeof dataPaths>;

interface Opened {
  readonly ledger: Ledger;
  readonly server: ListeningServer;
  readonly tenant: FixtureTenant;
}

/** Opens and serves the ledger of a directory for a task with a new tenant, and closes it. */
export const withNewTenant = async (
  dataDir: string,
  name: string,
  task: (opened: Opened) => Promise<unknown>,
): Promise<void> => {
  const ledger = await openTestLedger(dataDir);
  const server = await serveTestLedger(ledger);
  await task({ ledger, server, tenant: await createFixtureTenant(ledger, server, name) });
  await server.close();
  await ledger.close();
};

/** Registers mocha hooks that write a data directory once. */
export const useDirectoryCopies = (write: (dataDir: string) => Promise<unknown>) => {
  const makeDirectory = useDirectories();
  let whole: string;
  before(async () => {
    whole = await makeDirectory();
    await write(whole);
  });
  return {
    makeDirectory,
    /** The undamaged directory. */
    whole: (): DirectoryCopy => ({ dataDir: whole, ...dataPaths(whole) }),
    /** Copies the undamaged directory. */
    copyUndamaged: async (): Promise<DirectoryCopy> => {
      const dataDir = await makeDirectory();
      await cp(whole, dataDir, { recursive: true });
      return { dataDir, ...dataPaths(dataDir) };
    },
  };
};
