// The output of a start, and the end of a server that is interrupted.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { lockDirectory } from '../../host/files/directoryLock.ts';
import { useDirectories } from '../support/directories.ts';
import { runScript, startScript } from '../support/runScript.ts';
import { until } from '../support/until.ts';
import { startWatchedServer } from '../support/watchedServer.ts';

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));
const FREE_PORTS = { PORT: '0', HOST: '127.0.0.1', CHAIN_RPC_PORT: '0' };

describe('a start', () => {
  const newDirectory = useDirectories();

  it('prints the secret of the first tenant last, once', async () => {
    const dataDir = await newDirectory();
    const server = await startWatchedServer(dataDir, { LOG_FORMAT: 'pretty' });
    await until(() => server.output().includes('The secret is shown only now'));
    const lines = server.output().trimEnd().split('\n');
    expect(lines.findIndex((line) => line.startsWith('listening on '))).to.be.lessThan(
      lines.findIndex((line) => line.includes('client_secret=')),
    );
    expect(lines.at(-1)).to.include('The secret is shown only now');
    await fetch(`${server.url}/archivist/v2/assets`);
    await until(async () => /^\d\d:\d\d:\d\d GET {4}401 \/archivist\/v2\/assets \S+ ms$/m.test(server.output()));
    expect(await server.stop('SIGTERM')).to.equal(0);
    const second = await startWatchedServer(dataDir);
    expect(await second.stop('SIGTERM')).to.equal(0);
    expect(second.output()).not.to.include('client_secret');
  });

  it('writes the secret to a new file if requested, as the command that creates a tenant does', async () => {
    const directory = await newDirectory();
    const [dataDir, file, other] = ['data', 'first', 'second'].map((name) => join(directory, name));
    const server = await startServer(dataDir!, ['--secret-file', file!]);
    const created = await runScript('tenant.ts', dataDir!, ['create', 'beta', '--secret-file', other!]);
    expect(created.code, created.stderr).to.equal(0);
    const refused = await runScript('tenant.ts', dataDir!, ['create', 'gamma', '--secret-file', other!]);
    expect([refused.code, refused.stderr.includes('it exists')]).to.eql([1, true]);
    expect((await runScript('token.ts', dataDir!, ['--tenant', 'gamma'])).code).to.equal(1);
    for (const path of [file!, other!]) {
      const secret = /^client_secret=(\S+)$/m.exec(await readFile(path, 'utf8'))![1]!;
      expect((await stat(path)).mode & 0o777).to.equal(0o600);
      expect(server.output() + created.stdout).not.to.include(secret);
      expect(server.output() + created.stdout).to.include(path);
      expect(await fetchTokenStatus(server.url(), await readFile(path, 'utf8'))).to.equal(200);
    }
    await server.interrupt();
  });

  it('reports that a file for the secret has no effect once the tenant exists', async () => {
    const directory = await newDirectory();
    const [dataDir, file] = [join(directory, 'data'), join(directory, 'secret')];
    const first = await startServer(dataDir);
    await first.interrupt();
    expect(first.output()).not.to.include('--secret-file');
    const second = await startServer(dataDir, ['--secret-file', file]);
    await until(() => second.output().includes('--secret-file has no effect: tenant default exists'));
    await second.interrupt();
    expect(existsSync(file)).to.equal(false);
  });

  it('refuses an existing file, and creates no files', async () => {
    const directory = await newDirectory();
    const [dataDir, file] = [join(directory, 'data'), join(directory, 'secret')];
    await writeFile(file, 'kept');
    const { code, stderr } = await startScript('start.ts', dataDir, ['--secret-file', file], FREE_PORTS);
    expect([code, stderr.includes('it exists')]).to.eql([1, true]);
    expect([await readFile(file, 'utf8'), existsSync(dataDir)]).to.eql(['kept', false]);
  });

  interface Running {
    output(): string;
    url(): string;
    /** Ctrl-C: SIGINT to the complete process group. Resolves when the group has ended. */
    interrupt(): Promise<void>;
    readonly child: ChildProcess;
  }

  // A new session, as a terminal's shell starts one, with a shell in between, as npm has.
  const spawnGroup = (dataDir: string, args: readonly string[]): Running => {
    const child = spawn('sh', ['-c', '"$0" "$@"; exit $?', process.execPath, START, ...args], {
      detached: true,
      env: { ...process.env, ...FREE_PORTS, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk));
    const closed = once(child, 'close');
    return {
      child,
      output: () => output,
      url: () => /^listening on (\S+)$/m.exec(output)![1]!,
      interrupt: async () => {
        process.kill(-child.pid!, 'SIGINT');
        await closed;
      },
    };
  };
  const startServer = async (dataDir: string, args: readonly string[] = []): Promise<Running> => {
    const running = spawnGroup(dataDir, args);
    await until(() => {
      expect(running.child.exitCode, running.output()).to.equal(null);
      return running.output().includes('listening on ');
    });
    return running;
  };

  const expectNothingLeft = async (dataDir: string, { child }: Running): Promise<void> => {
    expect(() => process.kill(-child.pid!, 0)).to.throw('ESRCH');
    expect(existsSync(dataPaths(dataDir).controlSocket)).to.equal(false);
    await (await lockDirectory(dataDir))();
  };

  it('that Ctrl-C interrupts leaves no process, lock or socket', async () => {
    const dataDir = await newDirectory();
    const running = await startServer(dataDir);
    expect(existsSync(dataPaths(dataDir).controlSocket)).to.equal(true);
    await running.interrupt();
    await expectNothingLeft(dataDir, running);
  });

  for (const part of ['keys', 'chain', 'ledger.json', 'control']) {
    it(`that Ctrl-C interrupts after ${part} was created leaves no process, and can be repeated`, async () => {
      const directory = await newDirectory();
      const [dataDir, file] = [join(directory, 'data'), join(directory, 'secret')];
      const interrupted = spawnGroup(dataDir, ['--secret-file', file]);
      await until(() => existsSync(join(dataDir, part)));
      await interrupted.interrupt();
      await expectNothingLeft(dataDir, interrupted);
      if (existsSync(file)) expect(await readFile(file, 'utf8')).to.include('client_secret=');
      const repeated = await startServer(dataDir);
      await repeated.interrupt();
      await expectNothingLeft(dataDir, repeated);
    });
  }
});

const fetchTokenStatus = async (url: string, credentials: string): Promise<number> => {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  for (const [, name, value] of credentials.matchAll(/^(client_\w+)=(\S+)$/gm)) form.set(name!, value!);
  return (await fetch(`${url}/archivist/iam/v1/appidp/token`, { method: 'POST', body: form })).status;
};
