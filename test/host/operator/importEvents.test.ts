import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { importEventsForOperator } from '../../../host/operator/importEvents.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';

describe('the command that imports', () => {
  const { error: printError } = console;
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let server: Server;
  let paths: string[];
  let printed: string[];
  before(async () => {
    directory = await createTemporaryDirectory();
    server = createServer((request, response) => {
      paths.push(request.url!);
      response.end('{"identity":"x"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await directory.remove();
  });
  beforeEach(() => {
    paths = [];
    printed = [];
    console.error = (line: string) => void printed.push(line);
  });
  afterEach(() => {
    console.error = printError;
  });

  const run = async (text: string, url: string): Promise<number> => {
    const path = join(directory.path, 'source');
    await writeFile(path, text);
    const tokenFile = join(directory.path, 'token');
    await writeFile(tokenFile, 'x\n', { mode: 0o600 });
    return importEventsForOperator(path, { url, tokenFile });
  };
  const toUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  it('prints one line for each cause of refusals with the first lines, and a summary', async () => {
    const unknown = '{"identity":"x"}\n';
    expect(await run(`${'broken\n'.repeat(150)}${unknown}`, toUrl())).to.equal(1);
    expect(printed.map((line) => line.split(':')[0])).to.eql([
      'lines 1, 2, 3 and 147 more',
      'line 151',
      '0 assets, 0 events, 0 locations and 0 policies are imported, or were before; 151 lines are not',
    ]);
  });

  it('prints one line for failures that differ in identities and quoted texts', async () => {
    const event = (n: number) =>
      `assets/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a/events/00000000-0000-4000-8000-00000000000${n}`;
    const lines = [1, 2, 3].map((n) =>
      JSON.stringify({ identity: event(n), attributes: `"${n}`, event_attributes: n }),
    );
    const repeated = [1, 2].map((n) => `{"identity":"${event(n)}","${n}":1,"${n}":2}`);
    expect(await run([...lines, ...repeated].join('\n'), toUrl())).to.equal(1);
    expect(printed.slice(0, 2).map((line) => line.split(':')[0])).to.eql(['lines 1, 2, 3', 'lines 4, 5']);
  });

  it('accepts a base URL with slashes at its end', async () => {
    const asset = JSON.stringify({ identity: 'assets/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a' });
    expect(await run(asset, `${toUrl()}//`)).to.equal(0);
    expect(paths).to.eql(['/svc/v2/assets']);
  });

  it('refuses a URL that is none of a server', async () => {
    for (const url of ['', '127.0.0.1:8080', 'localhost:8080', 'ftp://localhost', '/svc']) {
      const error = await run('', url).catch((reason) => reason);
      expect(error, url).to.be.an('error');
      expect(error.message, url).to.match(/^--url/);
    }
  });
});
