// Each command once as a process of its own, as an operator starts it: it does its work, and ends by itself.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { createLedgerOf01, toCopied } from '../host/migration/ledgerOf01.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { ALPHA, aCreation, aTenantRecord } from '../support/records.ts';
import { runScript, startScript } from '../support/runScript.ts';
import { runVerify } from '../support/runVerify.ts';
import { send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

interface Start {
  readonly script: string;
  /** Data directory: of a running server, of a stopped one, with a relayer that has gas, or a new one. */
  readonly at: 'served' | 'stopped' | 'funded' | 'new';
  /** Arguments; a word in capitals is a path, an identity or a node. */
  readonly args?: string;
  /** What it prints on standard output, or on standard error when it fails. */
  readonly says: RegExp;
  readonly code?: number;
}

const STARTS: readonly Start[] = [
  { script: 'token', at: 'served', says: /^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/ },
  { script: 'tenant', at: 'served', args: 'list', says: /^default \(tenant\/[0-9a-f-]{36}\)\n/ },
  { script: 'evidence', at: 'served', args: 'ASSET', says: /^\{.*"provenance-ledger\/evidence\/1".*\}\n?$/s },
  { script: 'export', at: 'served', says: /^\{.*"operation":"NewAsset".*\}\n$/ },
  { script: 'import', at: 'served', args: 'EVENTS', says: /^$/ },
  { script: 'logKey', at: 'served', says: /^origin {4}\S+\nlog key {3}\S+\ntime key {2}\S+\n$/ },
  { script: 'backup', at: 'served', args: 'TARGET', says: /^\d+ files up to block \d+ \(0x[0-9a-f]{64}\) in \S+\n/ },
  { script: 'rebuild', at: 'stopped', says: /^index rebuilt to block \d+/ },
  { script: 'clock', at: 'stopped', args: 'accept', says: /nothing was changed\n$/ },
  { script: 'repair', at: 'stopped', says: /nothing was changed\n$/ },
  { script: 'demo', at: 'stopped', says: /^the demo ends early: no server is running on /, code: 1 },
  { script: 'restore', at: 'new', args: 'BACKUP', says: / is restored up to block \d+/ },
  {
    script: 'deploy',
    at: 'funded',
    args: '--rpc NODE --confirmations 1',
    says: /^contract 0x[0-9a-f]{40} on chain \d+, deployed in block \d+\n$/i,
  },
  { script: 'deploy', at: 'new', says: /^not deployed: /, code: 1 },
  { script: 'migrate', at: 'new', args: 'OLD TARGET', says: /^copied 2 records of 1 tenants into / },
  { script: 'migrate', at: 'new', args: 'TARGET TARGET', says: /^not migrated: /, code: 1 },
  { script: 'verify', at: 'new', args: 'EVIDENCE --trust TRUST', says: /(^|\n)PROVED under a root that you named\n$/ },
  { script: 'verify', at: 'new', args: 'EVENTS --trust TRUST', says: /^can't be checked: /, code: 2 },
  { script: 'witness', at: 'new', args: '--log x', says: /^the witness does not start: /, code: 1 },
];

/** Starts a node, and creates in a directory the key of a relayer that has gas on it. */
const fundRelayer = async (dataDir: string): Promise<ExternalNode> => {
  const node = await startNode(QUICK_NODE);
  const keyring = await openKeyring(dataPaths(dataDir).keys);
  await setBalance(node, (await keyring.openWallet('relayer')).address);
  return node;
};

/** Creates a ledger of version 0.1 with two records in a directory. */
const createOldLedger = async (dataDir: string): Promise<void> => {
  const old = await createLedgerOf01(dataDir, [ALPHA]);
  await old.append([toCopied(ALPHA, aTenantRecord(ALPHA, { display_name: 'alpha' })), toCopied(ALPHA, aCreation())]);
  await old.close();
};

describe('a process of a command', () => {
  const createDirectory = useDirectories();
  let server: ServerProcess;
  let node: ExternalNode;
  const words: Record<string, string> = {};
  const directories: Partial<Record<Start['at'], string>> = {};

  before(async () => {
    const [served, stopped, funded] = [await createDirectory(), await createDirectory(), await createDirectory()];
    Object.assign(directories, { served, stopped, funded });
    const files = await createDirectory();
    for (const name of ['OLD', 'BACKUP', 'EVENTS', 'EVIDENCE', 'TRUST']) words[name] = join(files, name.toLowerCase());
    await createOldLedger(words.OLD!);
    node = await fundRelayer(funded);
    words.NODE = node.url;
    server = await startServerProcess(served, [], { LOG_LEVEL: 'silent', CHECKPOINT_SECONDS: '1' });
    const token = (await runScript('token.ts', served)).stdout.trim();
    const body = { attributes: { arc_display_name: 'Pump 1' } };
    words.ASSET = (await send<{ identity: string }>(`${server.url}/svc/v2/assets`, token, { body })).body.identity;
    await writeFile(words.EVENTS!, (await runScript('export.ts', served)).stdout);
    await writeFile(words.TRUST!, (await runScript('logKey.ts', served, ['--trust'])).stdout);
    // It is proved when a checkpoint covers it.
    await until(async () => {
      await writeFile(words.EVIDENCE!, (await runScript('evidence.ts', served, [words.ASSET!])).stdout);
      return (await runVerify(words.EVIDENCE!, '--trust', words.TRUST!)).code === 0;
    });
    for (const [script, dataDir] of [
      ['backup.ts', served],
      ['restore.ts', stopped],
    ] as const) {
      const { code, stderr } = await runScript(script, dataDir, [words.BACKUP!]);
      expect(code, stderr).to.equal(0);
    }
  });
  after(async () => {
    await server?.stop('SIGKILL');
    await node?.kill();
  });

  for (const { script, at, args = '', says, code = 0 } of STARTS) {
    it(`of ${script} ends with exit code ${code}: ${args === '' ? '' : `${args} `}on a ${at} directory`, async () => {
      words.TARGET = join(await createDirectory(), 'target');
      const dataDir = directories[at] ?? (await createDirectory());
      const run = await startScript(
        `${script}.ts`,
        dataDir,
        args
          .split(' ')
          .filter(Boolean)
          .map((word) => words[word] ?? word),
      );
      expect(run.code, run.stderr).to.equal(code);
      expect(code === 0 ? run.stdout : run.stderr).to.match(says);
    });
  }
});
