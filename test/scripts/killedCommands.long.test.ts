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

describe('a command of organisations that is killed at each of its steps', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let settings: Record<string, string>;
  let contract: Hex;
  let [founder, first, second]: string[] = [];
  const running = new Set<ChildProcess>();
  before(async () => {
    node = await startNode(QUICK_NODE);
    [founder, first, second] = [await createDirectory(), await createDirectory(), await createDirectory()];
    await deployOn(node, founder!, toNetwork(node.url));
    ({ contract } = JSON.parse(await readFile(dataPaths(founder!).network, 'utf8')) as { contract: Hex });
    settings = { CHECKPOINT_SECONDS: '0', LOG_LEVEL: 'silent', CHAIN_RPC_URL: node.url, LEDGER_CONTRACT: contract };
    for (const dataDir of [first, second]) {
      const keyring = await openKeyring(dataPaths(dataDir!).keys);
      await setBalance(node, (await keyring.openWallet('relayer')).address);
    }
    // A transaction that was sent before a kill is mined later.
    await node.request('evm_setAutomine', [false]);
    await node.request('evm_setIntervalMining', [1]);
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    await node.kill();
  });

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
  const list = async (dataDir: string) => (await runScript('tenant.ts', dataDir, ['list'], settings)).stdout;
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

  it('is repeated with the same result: request, admit, join, add-writer, and the starts of both servers', async () => {
    const expectListed = async () => expect(await list(first!)).to.match(/requested|no tenant/);
    const requested = await runKilled(first!, ['request', 'acme'], expectListed);
    const line = lineOf(requested.stdout);
    expect(lineOf(requested.again)).to.equal(line);
    expect(requested.kills).to.be.greaterThan(3);
    for (const kind of ['tenant-pending-', 'tenant-author-', 'tenant-administrator-'])
      expect(await filesOf(first!, kind), kind).to.have.length(1);
    const tenantIdentity = /tenant\/[0-9a-f-]{36}/.exec(requested.stdout)![0];

    expect((await runKilled(founder!, ['admit', line])).kills).to.be.greaterThan(1);
    expect(await countLogs('TenantAdmitted', tenantIdentity)).to.equal(1);

    expect(await serveKilled(first!)).to.be.greaterThan(5);
    expect([await countLogs('WriterAdded', tenantIdentity), await countLogs('RecordAppended', tenantIdentity)]).to.eql([
      1, 2,
    ]);

    const joined = await runKilled(second!, ['join', tenantIdentity]);
    expect(lineOf(joined.again)).to.equal(lineOf(joined.stdout));
    expect(joined.kills).to.be.greaterThan(2);
    expect(await filesOf(second!, 'tenant-author-')).to.have.length(1);

    expect((await runKilled(first!, ['add-writer', lineOf(joined.stdout)])).kills).to.be.greaterThan(1);
    expect(await serveKilled(second!)).to.be.greaterThan(1);
    expect([await countLogs('WriterAdded', tenantIdentity), await countLogs('RecordAppended', tenantIdentity)]).to.eql([
      2, 2,
    ]);
    for (const dataDir of [first!, second!]) expect(await list(dataDir)).to.include('serving');
  });
});
