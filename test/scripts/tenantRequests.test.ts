// Two organisations with their operators' commands alone: the founder's server and another one, each a process.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { decodeRequestLine, encodeRequestLine } from '../../ledger/tenancy/requestLine.ts';
import { deployOn, toNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { runScript } from '../support/runScript.ts';
import { send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const SETTINGS = { CHECKPOINT_SECONDS: '0', LOG_LEVEL: 'silent' };

describe('the commands of organisations', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let founder: string;
  let joined: string;
  let settings: Record<string, string>;
  const servers: ServerProcess[] = [];
  before(async () => {
    node = await startNode(QUICK_NODE);
    [founder, joined] = [await createDirectory(), await createDirectory()];
    await deployOn(node, founder, toNetwork(node.url));
    const { contract } = JSON.parse(await readFile(dataPaths(founder).network, 'utf8')) as { contract: string };
    settings = { ...SETTINGS, CHAIN_RPC_URL: node.url, LEDGER_CONTRACT: contract };
    await fund(joined);
  });
  after(async () => {
    for (const { stop } of servers) await stop('SIGKILL');
    await node.kill();
  });

  const fund = async (dataDir: string) => {
    const keyring = await openKeyring(dataPaths(dataDir).keys);
    await setBalance(node, (await keyring.openWallet('relayer')).address);
  };
  const run = async (dataDir: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runScript('tenant.ts', dataDir, args, settings);
    return { code, stderr, stdout, line: stdout.split('\n')[0]! };
  };
  const fingerprintOf = ({ stdout }: { stdout: string }): string => /^fingerprint (.+)$/m.exec(stdout)![1]!;
  /** The exit code, and whether it waited for the chain. */
  const outcomeOf = ({ code, stderr }: { code: number; stderr: string }) => [code, stderr.includes('waiting until')];
  const start = async (dataDir: string): Promise<ServerProcess> => {
    const server = await startServerProcess(dataDir, [], settings);
    servers.push(server);
    return server;
  };
  const list = async (dataDir: string): Promise<string> => {
    let listed = await run(dataDir, 'list');
    // A server that begins to serve a tenant builds its index first, and refuses to list meanwhile.
    await until(
      async () => {
        if (listed.code !== 0) listed = await run(dataDir, 'list');
        return listed.code === 0;
      },
      () => listed.stderr,
    );
    return listed.stdout;
  };
  const isServing = async (dataDir: string) => (await list(dataDir)).includes('serving');

  it('request a tenant without a server, admit it, and serve it after kills and without a restart', async () => {
    const secretFile = join(joined, 'secret');
    const requested = await run(joined, 'request', 'acme', '--secret-file', secretFile);
    expect(requested.code, requested.stderr).to.equal(0);
    expect((await stat(secretFile)).mode & 0o777).to.equal(0o600);
    const server = await start(joined);
    expect((await run(joined, 'request', 'acme')).line).to.equal(requested.line);
    expect((await run(joined, 'create', 'other')).code).to.equal(1);
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    const fingerprint = fingerprintOf(requested);
    expect((await run(founder, 'admit', requested.line, '--fingerprint', '00'.repeat(16))).code).to.equal(1);
    const admitted = await run(founder, 'admit', requested.line, '--fingerprint', fingerprint.toUpperCase());
    expect(admitted.stderr).to.include(`fingerprint ${fingerprint}`);
    expect(admitted.code, admitted.stderr).to.equal(0);
    await server.stop('SIGKILL');
    await start(joined);
    await until(() => isServing(joined));
    expect((await run(founder, 'admit', requested.line)).code).to.equal(0);
    expect((await run(founder, 'admit', requested.line.replace('1', '2'))).code).to.equal(1);
    const form = new URLSearchParams((await readFile(secretFile, 'utf8')).match(/client_\S+/g)!.join('&'));
    form.set('grant_type', 'client_credentials');
    const url = servers.at(-1)!.url;
    const answer = await fetch(`${url}/archivist/iam/v1/appidp/token`, { method: 'POST', body: form });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const created = await send<{ confirmation_status: string }>(`${url}/archivist/v2/assets`, token, { body: {} });
    expect([created.status, created.body.confirmation_status]).to.deep.equal([200, 'CONFIRMED']);
  });

  it('let a second server of the organisation write, and end that', async () => {
    const second = await createDirectory();
    await fund(second);
    await start(second);
    const identity = /tenant\/[0-9a-f-]{36}/.exec(await list(joined))![0];
    const requested = await run(second, 'join', identity);
    expect(requested.code, requested.stderr).to.equal(0);
    expect(await list(second)).to.include('joining');
    // The commands of a running server say that they wait only when everything is checked.
    expect(outcomeOf(await run(second, 'add-writer', requested.line))).to.deep.equal([1, false]);
    expect(outcomeOf(await run(joined, 'add-writer', `${requested.line}0`))).to.deep.equal([1, false]);
    const expected = ['--fingerprint', fingerprintOf(requested).replaceAll(' ', '')];
    const replaced = encodeRequestLine({
      ...decodeRequestLine(requested.line, 'writer'),
      account: `0x${'ab'.repeat(20)}`,
    });
    expect(outcomeOf(await run(joined, 'add-writer', replaced, ...expected))).to.deep.equal([1, false]);
    expect(outcomeOf(await run(joined, 'add-writer', requested.line, ...expected))).to.deep.equal([0, true]);
    expect(outcomeOf(await run(joined, 'add-writer', requested.line))).to.deep.equal([0, false]);
    await until(() => isServing(second));
    const writer = /writer +(0x[0-9a-f]{40})/.exec(await list(second))![1]!;
    expect((await run(joined, 'remove-writer', writer)).code).to.equal(0);
    expect(await list(second)).to.include('removed');
    const reader = { ...settings, SERVED_TENANTS: identity };
    const { stdout } = await runScript('tenant.ts', await createDirectory(), ['list'], reader);
    expect([stdout.includes(`acme (${identity})`), stdout.includes('read only')]).to.deep.equal([true, true]);
  });

  it('need no balance when they send nothing, and wait only once everything is checked', async () => {
    const poor = await createDirectory();
    expect((await run(poor, 'list')).code).to.equal(0);
    expect((await run(poor, 'create', 'other')).stderr).to.include('RELAYER_UNFUNDED');
    const requested = await run(poor, 'request', 'poor');
    expect(requested.code, requested.stderr).to.equal(0);
    const elsewhere = await run(poor, 'admit', requested.line);
    expect([...outcomeOf(elsewhere), elsewhere.stdout.includes('data   0x')]).to.deep.equal([0, false, true]);
    expect(outcomeOf(await run(founder, 'admit', `${requested.line}0`))).to.deep.equal([1, false]);
    expect(outcomeOf(await run(founder, 'admit', requested.line))).to.deep.equal([0, true]);
    expect(outcomeOf(await run(founder, 'admit', requested.line))).to.deep.equal([0, false]);
  });
});
