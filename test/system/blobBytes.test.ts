// The files of a tenant count towards its quota after a restart and after a rebuild of the index.
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { useDirectories } from '../support/directories.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { type ListeningServer, openTestLedger, serveTestLedger } from '../support/testLedger.ts';

const BYTES_MAX = 200_000;
const SIZES = [40_000, 70_000, 70_000];
const LEFT = 20_000;

const upload = async (url: string, token: string, size: number): Promise<number> => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(size)]), 'filename');
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/archivist/v1/blobs`, { method: 'POST', headers, body })).status;
};

describe("the quota of a tenant's files", () => {
  const createDirectory = useDirectories();

  const runServer = async (
    dataDir: string,
    task: (server: ListeningServer, ledger: Ledger) => Promise<void>,
  ): Promise<void> => {
    const ledger = await openTestLedger(dataDir);
    const server = await serveTestLedger(ledger, { tenantBytesMax: BYTES_MAX });
    await task(server, ledger).finally(async () => {
      await server.close();
      await ledger.close();
    });
  };

  it('includes files of earlier runs, also when the index is rebuilt from the chain', async () => {
    const dataDir = await createDirectory();
    const tokens: string[] = [];
    await runServer(dataDir, async (server, ledger) => {
      for (const name of ['alpha', 'beta']) tokens.push((await createFixtureTenant(ledger, server, name)).token);
      for (const size of SIZES) expect(await upload(server.url, tokens[0]!, size)).to.equal(200);
    });
    const expectFull = async ({ url }: ListeningServer): Promise<void> => {
      expect(await upload(url, tokens[0]!, LEFT + 1)).to.equal(402);
      expect(await upload(url, tokens[1]!, LEFT + 1)).to.equal(200);
    };
    await runServer(dataDir, expectFull);
    await rm(dataPaths(dataDir).index, { recursive: true });
    await runServer(dataDir, async (server) => {
      await expectFull(server);
      expect(await upload(server.url, tokens[0]!, LEFT)).to.equal(200);
      expect(await upload(server.url, tokens[0]!, 1)).to.equal(402);
    });
  });
});
