// An error that nothing caught ends a process in order: one line names the work, and what was accepted stays.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { UNCAUGHT_EXIT_CODE } from '../../host/lifecycle/uncaughtErrors.ts';
import { useDirectories } from '../support/directories.ts';
import { runScript } from '../support/runScript.ts';
import { send } from '../support/testLedger.ts';
import { startWatchedServer, type WatchedServer } from '../support/watchedServer.ts';

const FAULT = fileURLToPath(new URL('../support/uncaughtFault.ts', import.meta.url));
const REPORT = ': an error that nothing caught: Error: the fault of a test with a second line at .*uncaughtFault';

describe('a server in which an error occurs that nothing catches', () => {
  const createDirectory = useDirectories();
  let dataDir: string;
  let server: WatchedServer;
  before(async () => {
    dataDir = await createDirectory();
  });
  beforeEach(async () => {
    server = await startWatchedServer(dataDir, { NODE_OPTIONS: `--import=${FAULT}`, LOG_LEVEL: 'silent' });
  });
  afterEach(() => server.stop('SIGKILL'));

  const expectEnd = async (ended: Promise<number | null>, name: string): Promise<void> => {
    expect(await ended).to.equal(UNCAUGHT_EXIT_CODE);
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('nothing caught'));
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(new RegExp(`^${name}${REPORT}`));
    expect(existsSync(dataPaths(dataDir).controlSocket)).to.equal(false);
  };

  it('names the request, and has its records after the next start', async () => {
    const token = (await runScript('token.ts', dataDir)).stdout.trim();
    const path = `${server.url}/archivist/v2/assets`;
    const { body: asset } = await send<{ identity: string }>(path, token, { body: {} });
    const headers = { 'x-fault': 'reject', 'x-request-id': 'fault-1' };
    expect((await send(path, token, { headers })).status).to.equal(200);
    await expectEnd(server.ended, 'request fault-1 \\(GET listAssets\\)');
    server = await startWatchedServer(dataDir, { NODE_OPTIONS: `--import=${FAULT}`, LOG_LEVEL: 'silent' });
    expect((await send(`${server.url}/archivist/v2/${asset.identity}`, token)).status).to.equal(200);
    await fetch(`${server.url}/docs`, { headers: { 'x-fault': 'throw', 'x-request-id': 'fault-2' } });
    await expectEnd(server.ended, 'request fault-2 \\(GET without an operation\\)');
  });

  it('names the program where the error belongs to no request', async () => {
    await expectEnd(server.stop('SIGWINCH'), 'start\\.ts');
  });
});
