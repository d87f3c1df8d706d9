// The commands by which a server joins a ledger, and the server itself, as processes that are killed at each of their
// steps and run again: the result is the same, and nothing is there twice.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { deployOn, toNetwork } from '../support/chainKinds.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { runScript } from '../support/runScript.ts';
import { until } from '../support/until.ts';

const toPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const KILLING = toPath('../support/killAtStep.ts');
/** More kills than any command needs: one before and one after each step. */
const KILLS_MAX = 60;
/** The first step of a process that is left undone, and the first one that is done. */
const toKillAt = (kills: number): number => 1 + (kills % 2);

describe('a command of organisations that is killed at each of its steps', function () {
  // A test starts a process for each step, up to 15, which takes most of its time.
  this.timeout(240_000);
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let settings: Record<string, string>;
  let contract: Hex;
  let founder: string;
  const running = new Set<ChildProcess>();
  before(async () => {
    node = await startNode(QUICK_NODE);
    founder = await createDirectory();
    await deployOn(node, founder, toNetwork(node.url));
    ({ contract } = JSON.parse(await readFile(dataPaths(founder).network, 'utf8')) as { contract: Hex });
    settings = { CHECKPOINT_SECONDS: '0', LOG_LEVEL: 'silent', CHAIN_RPC_URL: node.url, LEDGER_CONTRACT: contract };
    // A transaction that was sent before a kill is mined later.
    await node.request('evm_setAutomine', [false]);
    await node.mineEvery(1);
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    await node.kill();
  });

  const createFunded = async (): Promise<string> => {
    const dataDir = await createDirectory();
    const keyring = await openKeyring(dataPaths(dataDir).keys);
    await setBalance(node, (await keyring.openWallet('relayer')).address);
    return dataDir;
  };
  const start = (script: string, dataDir: string, killAt: number, args: readonly string[] = []): ChildProcess => {
    const given = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', CHAIN_RPC_PORT: '0', KILL_AT: String(killAt) };
    const env = { ...process.env, ...settings, ...given };
    const path = toPath(`../../scripts/${script}`);
    const child = spawn(process.execPath, ['--import', KILLING, path, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  /** Runs the command until no kill ends it, then once more. Returns its outputs of both, and the number of kills. */
  const runKilled = async (dataDir: string, args: readonly string[], afterKill = async () => undefined as unknown) => {
    for (let kills = 0; kills < KILLS_MAX; kills += 1) {
      const child = start('tenant.ts', dataDir, toKillAt(kills), args);
      const [stdout, stderr, [code, signal]] = await Promise.all([
        text(child.stdout!),
        text(child.stderr!),
        once(child, 'exit') as Promise<[number | null, string | null]>,
      ]);
      if (signal === 'SIGKILL') {
        await afterKill();
        continue;
      }
      expect(code, stderr).to.equal(0);
      const again = await runScript('tenant.ts', dataDir, args, settings);
      expect(again.code, again.stderr).to.equal(0);
      return { kills, stdout, again: again.stdout };
    }
    throw new Error('the command does not end');
  };
  const run = async (dataDir: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runScript('tenant.ts', dataDir, args, settings);
    expect(code, stderr).to.equal(0);
    return stdout;
  };
  const lineOf = (stdout: string): string => stdout.split('\n')[0]!;
  const filesOf = async (dataDir: string, kind: string): Promise<string[]> =>
    (await readdir(dataPaths(dataDir).keys)).filter((name) => name.startsWith(kind) && !name.endsWith('.tmp'));
  const countLogs = async (name: string, tenantIdentity: string): Promise<number> => {
    const topics = [ledgerInterface.getEvent(name)!.topicHash, toHex(toKey(tenantIdentity))];
    return ((await node.request('eth_getLogs', [{ address: contract, fromBlock: '0x0', topics }])) as []).length;
  };
  /** Starts the server until it serves what was requested, and no kill ends it before. Returns the number of kills. */
  const serveKilled = async (dataDir: string): Promise<number> => {
    for (let kills = 0; kills < KILLS_MAX; kills += 1) {
      const child = start('start.ts', dataDir, toKillAt(kills));
      const isServed = async () => (await filesOf(dataDir, 'tenant-pending-')).length === 0;
      await until(async () => child.signalCode !== null || (await isServed()));
      if (child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
      return kills;
    }
    throw new Error('the server does not begin to serve');
  };

  /** A server that requested a tenant, as far as the tenant came without a kill. */
  const request = async () => {
    const dataDir = await createFunded();
    const stdout = await run(dataDir, 'request', 'acme');
    return { dataDir, line: lineOf(stdout), tenantIdentity: /tenant\/[0-9a-f-]{36}/.exec(stdout)![0] };
  };
  const admit = async () => {
    const requested = await request();
    await run(founder, 'admit', requested.line);
    return requested;
  };
  /** The first records of a tenant: itself and an application. */
  const FIRST_RECORDS = 2;
  /** Starts the server, without a kill, until the first records of what was requested are on the chain. */
  const serve = async (dataDir: string, tenantIdentity: string): Promise<void> => {
    const child = start('start.ts', dataDir, Number.MAX_SAFE_INTEGER);
    await until(async () => (await countLogs('RecordAppended', tenantIdentity)) >= FIRST_RECORDS);
    await until(async () => (await filesOf(dataDir, 'tenant-pending-')).length === 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const join = async () => {
    const first = await admit();
    await serve(first.dataDir, first.tenantIdentity);
    const second = await createFunded();
    return { first, second, line: lineOf(await run(second, 'join', first.tenantIdentity)) };
  };
  /** How many writers were registered for a tenant, and how many records it has. */
  const expectCounts = async (tenantIdentity: string, writers: number, records: number): Promise<void> => {
    const counts = [await countLogs('WriterAdded', tenantIdentity), await countLogs('RecordAppended', tenantIdentity)];
    expect(counts).to.eql([writers, records]);
  };

  it('requests one tenant, with one key of each kind', async () => {
    const dataDir = await createFunded();
    const expectListed = async () => expect(await run(dataDir, 'list')).to.match(/requested|no tenant/);
    const requested = await runKilled(dataDir, ['request', 'acme'], expectListed);
    expect(lineOf(requested.again)).to.equal(lineOf(requested.stdout));
    expect(requested.kills).to.be.greaterThan(3);
    for (const kind of ['tenant-pending-', 'tenant-author-', 'tenant-administrator-'])
      expect(await filesOf(dataDir, kind), kind).to.have.length(1);
  });

  it('admits a tenant once', async () => {
    const { line, tenantIdentity } = await request();
    expect((await runKilled(founder, ['admit', line])).kills).to.be.greaterThan(1);
    expect(await countLogs('TenantAdmitted', tenantIdentity)).to.equal(1);
  });

  it('joins a tenant with one key', async () => {
    const { tenantIdentity } = await admit();
    const second = await createFunded();
    const joined = await runKilled(second, ['join', tenantIdentity]);
    expect(lineOf(joined.again)).to.equal(lineOf(joined.stdout));
    expect(joined.kills).to.be.greaterThan(2);
    expect(await filesOf(second, 'tenant-author-')).to.have.length(1);
  });

  it('registers a writer once', async () => {
    const { first, line } = await join();
    expect((await runKilled(first.dataDir, ['add-writer', line])).kills).to.be.greaterThan(1);
    await expectCounts(first.tenantIdentity, 2, FIRST_RECORDS);
  });

  it('serves a tenant that was admitted, with its first records once', async () => {
    const { dataDir, tenantIdentity } = await admit();
    expect(await serveKilled(dataDir)).to.be.greaterThan(5);
    // What the killed server accepted may wait for its block; the next start sends it.
    await serve(dataDir, tenantIdentity);
    await expectCounts(tenantIdentity, 1, FIRST_RECORDS);
    expect(await run(dataDir, 'list')).to.include('serving');
  });

  it('serves a tenant that was joined, with no further record', async () => {
    const { first, second, line } = await join();
    await run(first.dataDir, 'add-writer', line);
    expect(await serveKilled(second)).to.be.greaterThan(1);
    await expectCounts(first.tenantIdentity, 2, FIRST_RECORDS);
    for (const dataDir of [first.dataDir, second]) expect(await run(dataDir, 'list')).to.include('serving');
  });
});
