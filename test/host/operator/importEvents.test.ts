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
    return importEventsForOperator(path, { tenant: 'default', url, token: 'x' });
  };
  const toUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  it('prints each line that is refused, and a summary', async () => {
    expect(await run('broken\n'.repeat(150), toUrl())).to.equal(1);
    expect(printed.slice(0, -1).map((line) => line.split(':')[0])).to.eql(
      [...Array(150).keys()].map((n) => `line ${n + 1}`),
    );
    expect(printed.at(-1)).to.match(/^0 assets and 0 events .* 150 lines/);
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
