// The commands as an operator runs them, with and without a running server. commandStarts.test.ts starts each.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { sendCommand } from '../../host/operator/controlClient.ts';
import { type CommandScript, runScript, startScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));

describe('the commands', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let server: ServerProcess | undefined;

  before(async () => {
    ({ path: dataDir, remove } = await createTemporaryDirectory());
  });
  after(async () => {
    await server?.stop('SIGKILL');
    await remove();
  });

  const run = (script: CommandScript, ...args: string[]) => runScript(script, dataDir, args);

  const getAssets = async (token: string): Promise<number> =>
    (await send(`${server!.url}/archivist/v2/assets`, token)).status;

  it('create a token that the running server accepts', async () => {
    server = await startServerProcess(dataDir);
    const { code, stdout } = await run('token.ts');
    expect(code).to.equal(0);
    expect(stdout.trimEnd().split('\n')).to.have.length(1);
    expect(await getAssets(stdout.trim())).to.equal(200);
  });

  it("create a reader's token, which may not write", async () => {
    const { stdout } = await run('token.ts', '--role', 'reader');
    expect(await getAssets(stdout.trim())).to.equal(200);
    const refused = await send<{ code: number }>(`${server!.url}/archivist/v2/assets`, stdout.trim(), { body: {} });
    expect(refused.status).to.equal(403);
    expect(refused.body.code).to.equal(7);
  });

  it('create a tenant whose application gets tokens with its credentials', async () => {
    const { code, stdout } = await run('tenant.ts', 'create', 'beta');
    expect(code).to.equal(0);
    const command = stdout.split('\n').find((line) => line.includes('a token of its root principal'));
    expect(command).to.match(/ DATA_DIR='.+' .+token.* --tenant 'beta'$/);
    expect(command).to.include(`DATA_DIR='${dataDir}' `);
    const form = new URLSearchParams(stdout.match(/grant_type=\S+|client_id=\S+|client_secret=\S+/g)!.join('&'));
    const answer = await fetch(`${server!.url}/archivist/iam/v1/appidp/token`, { method: 'POST', body: form });
    const { access_token, expires_in, token_type } = (await answer.json()) as Record<string, string>;
    expect([expires_in, token_type]).to.deep.equal([3600, 'Bearer']);
    expect(await getAssets(access_token!)).to.equal(200);
    form.set('client_secret', `${form.get('client_secret')}x`);
    const refused = await fetch(`${server!.url}/archivist/iam/v1/appidp/token`, { method: 'POST', body: form });
    expect(refused.status).to.equal(401);
  });

  it("create a tenant with an external issuer's root principal", async () => {
    const root = ['--root-issuer', 'https://login.example', '--root-subject', 'alice'];
    expect((await run('tenant.ts', 'create', 'epsilon', ...root)).code).to.equal(0);
    const { stdout } = await run('token.ts', '--tenant', 'epsilon');
    const url = `${server!.url}/archivist/v1/tenancies/root_principals`;
    const { body } = await send<{ root_principals: Record<string, string>[] }>(url, stdout.trim());
    expect(body.root_principals[1]).to.include({ issuer: 'https://login.example', subject: 'alice' });
    expect((await run('tenant.ts', 'create', 'delta', '--root-issuer', 'https://login.example')).code).to.equal(1);
  });

  it('refuse a tenant name that exists or is invalid, and a token for an unknown tenant', async () => {
    expect((await run('tenant.ts', 'create', 'beta')).code).to.equal(1);
    expect((await run('tenant.ts', 'create', '../x')).code).to.equal(1);
    expect((await run('token.ts', '--tenant', 'nobody')).code).to.equal(1);
    expect((await run('token.ts', '--role', 'emperor')).code).to.equal(1);
  });

  it('create one tenant of a name when several requests arrive at once', async () => {
    const codes = await Promise.all([1, 2, 3].map(async () => (await run('tenant.ts', 'create', 'once')).code));
    expect(codes.sort()).to.deep.equal([0, 1, 1]);
  });

  it('do not change the data directory of a running server', async () => {
    expect((await run('rebuild.ts')).code).to.equal(1);
    expect((await startScript('start.ts', dataDir)).code).to.equal(1);
    expect(await sendCommand(dataDir, 'info', {})).to.include({ url: server!.url });
  });

  it('name the setting that prevents a start', async () => {
    const { port } = new URL(server!.url);
    const { code, stderr } = await startScript('start.ts', join(dataDir, 'new'), [], { PORT: port });
    expect(code).to.equal(1);
    expect(stderr).to.include('is taken; choose another with PORT');
  });

  it('end the server cleanly on SIGINT and on SIGTERM', async () => {
    expect(await server!.stop('SIGTERM')).to.equal(0);
    server = await startServerProcess(dataDir);
    expect(await server.stop('SIGINT')).to.equal(0);
    server = undefined;
  });

  it('work without a server too', async () => {
    const { code, stdout } = await run('token.ts', '--tenant', 'beta');
    expect(code).to.equal(0);
    expect(decodeJwt(stdout.trim())).to.include({ name: 'root of beta' });
    expect((await run('tenant.ts', 'create', 'gamma')).code).to.equal(0);
    const rebuilt = await run('rebuild.ts');
    expect(rebuilt.code).to.equal(0);
    expect(rebuilt.stdout).to.include('index rebuilt to block');
    expect((await run('demo.ts')).code).to.equal(1);
  });

  it('write secrets to files that only their owner can read', async () => {
    expect((await stat(join(dataDir, 'keys'))).mode & 0o777).to.equal(0o700);
    for (const name of ['ledger-administrator.key', 'relayer.key', 'token-signing.jwk', 'page-token.secret']) {
      expect((await stat(join(dataDir, 'keys', name))).mode & 0o777).to.equal(0o600);
    }
  });

  it('have an npm command', async () => {
    const commands = (await readdir(scripts)).filter((name) => name.endsWith('.ts'));
    const { scripts: npmScripts } = JSON.parse(await readFile(join(scripts, '..', 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const command of commands) {
      const name = command.replace('.ts', '').replace(/[A-Z]/, (letter) => `:${letter.toLowerCase()}`);
      expect(npmScripts, command)
        .to.have.property(name)
        .that.matches(new RegExp(` scripts/${command}( |$)`));
    }
  });
});
