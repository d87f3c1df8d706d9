import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { useDirectories } from '../../support/directories.ts';
import { type Run, runCommandScript } from '../../support/runScript.ts';

const TOKEN = 'a.very.secret_token';
const CONTRACT = `0x${'12'.repeat(20)}`;

describe('the token of a command', () => {
  const createDirectory = useDirectories();
  let server: Server;
  let file: string;
  let seen: (string | undefined)[];
  before(async () => {
    server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    seen = [];
    file = join(await createDirectory(), 'token');
    await writeFile(file, `${TOKEN}\n`, { mode: 0o600 });
  });

  const toUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const verify = (args: readonly string[], stdin?: string): Promise<Run> =>
    runCommandScript(
      'verify.ts',
      [`${toUrl()}/event`, '--contract', CONTRACT, ...args],
      {},
      stdin === undefined ? undefined : Readable.from([Buffer.from(stdin)]),
    );

  it('comes from a private file or from standard input, and is printed nowhere', async () => {
    for (const [path, stdin] of [
      [file, undefined],
      ['-', `${TOKEN}\r\n`],
    ] as const) {
      const { stderr, stdout } = await verify(['--rpc', toUrl(), '--token-file', path], stdin);
      expect(stderr + stdout).not.to.include(TOKEN);
      expect(stderr).not.to.include('warning');
    }
    expect(seen).to.deep.equal([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  it('still comes from an argument, with a warning that names the other way', async () => {
    const { stderr } = await verify(['--rpc', toUrl(), '--token', TOKEN]);
    expect(stderr).to.match(/^warning: .*--token-file/);
    expect(seen).to.deep.equal([`Bearer ${TOKEN}`]);
  });

  it('is not read from a file that is open to others, missing or no token, and not from two places', async () => {
    const refused = async (args: readonly string[], stdin = ''): Promise<string> => {
      const { code, stderr } = await verify(['--rpc', toUrl(), ...args], stdin);
      expect([code, stderr.includes(TOKEN), seen]).to.deep.equal([2, false, []]);
      return stderr;
    };
    await writeFile(`${file}.two`, `${TOKEN} ${TOKEN}`, { mode: 0o600 });
    for (const name of [`${file}.none`, `${file}.two`, '-'])
      expect(await refused(['--token-file', name])).to.include(name);
    await refused(['--token-file', file, '--token', 'x']);
    await chmod(file, 0o644);
    expect(await refused(['--token-file', file])).to.include(`chmod 600 ${file}`);
  });

  it('has company: the URL of a node may have a key, and comes from a file as well', async () => {
    const path = `${file}.rpc`;
    await writeFile(path, `${toUrl()}/v2/${TOKEN}`, { mode: 0o600 });
    const event = `${file}.event`;
    await writeFile(event, '{}');
    const { code, stderr } = await runCommandScript('verify.ts', [event, '--contract', CONTRACT, '--rpc-file', path]);
    expect([code, stderr.includes(TOKEN)]).to.deep.equal([2, false]);
    await chmod(path, 0o644);
    expect((await verify(['--rpc-file', path])).stderr).to.include(`--rpc-file ${path}`);
    expect((await verify(['--rpc-file', path, '--rpc', toUrl()])).code).to.equal(2);
  });
});
