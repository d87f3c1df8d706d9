// Tools that people have for chains, each against the embedded chain's own JSON-RPC port: viem and ponder from npm, and
// web3 from Python's index.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { EmbeddedChain } from '../../chain/embedded/embeddedChain.ts';
import { createRpcServer, type RpcServer } from '../../chain/embedded/rpc/rpcServer.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { createRpcTurns, PORT_WAITING_MAX } from '../../host/rpcTurns.ts';
import {
  aRecord,
  CHAIN_ID,
  createAccount,
  createChains,
  EMITTER_CODE,
  signRaw,
  toAddress,
  toEmitterCall,
} from '../chain/embedded/fixtures.ts';
import { useDirectories } from '../support/directories.ts';
import { findFreePort } from '../support/externalNode.ts';
import { skipWithout } from '../support/missing.ts';
import { findPython, openPythonEnvironment } from '../support/pythonEnvironment.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PYTHON_MINOR = 11;
/** Its database takes long to start on a busy machine. */
const PONDER_MS = 240_000;
const RECORDS = 4;
/** The sequence of a record that a tool appends. */
const SENT = 77;
const toEventAbi = (): string => {
  const event = JSON.parse(ledgerInterface.getEvent('RecordAppended')!.format('json')) as { inputs: object[] };
  return JSON.stringify({ ...event, inputs: event.inputs.map((input) => ({ indexed: false, ...input })) });
};
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];

describe('a tool for chains, at the JSON-RPC port', function () {
  // The first run installs them.
  this.timeout(600_000);
  const newDirectory = useDirectories();
  const chains = createChains();
  const account = createAccount();
  const emitter = toAddress(account, 0);
  let project: string;
  let isInstalled: boolean;
  let chain: EmbeddedChain;
  let server: RpcServer;
  let env: NodeJS.ProcessEnv;

  const mine = async (nonce: number): Promise<void> => {
    const data = toEmitterCall(aRecord({ sequence: nonce }));
    await chain.submitTransaction(await signRaw(account, nonce, { to: emitter, data }));
  };

  before(async () => {
    project = await newDirectory();
    await cp(here('npm'), project, { recursive: true });
    isInstalled = await run('npm', INSTALL, { cwd: project }).then(
      () => true,
      () => false,
    );
  });
  beforeEach(async () => {
    chain = await chains.start(await chains.makeDirectory(), { now: () => Date.now() });
    await chain.submitTransaction(await signRaw(account, 0, { data: EMITTER_CODE, to: null as never }));
    for (let nonce = 1; nonce <= RECORDS; nonce += 1) await mine(nonce);
    const onError = (error: unknown): never => {
      throw error;
    };
    const turns = createRpcTurns(PORT_WAITING_MAX);
    server = await createRpcServer({ answer: chain.answer, host: '127.0.0.1', port: 0, onError, turns });
    env = {
      ...process.env,
      RPC_URL: server.url,
      CHAIN_ID: String(CHAIN_ID),
      EMITTER: emitter,
      EVENT_ABI: toEventAbi(),
      PONDER_TELEMETRY_DISABLED: 'true',
      CALL: toEmitterCall(aRecord({ sequence: SENT })),
    };
  });
  afterEach(async () => {
    await server.close();
    await chains.clean();
  });

  const requirePackages = (context: Mocha.Context): void => {
    if (!isInstalled) skipWithout(context, "viem and ponder, which npm gets from its registry: npm doesn't reach it");
  };
  const runTool = async (command: string, script: string): Promise<unknown> =>
    JSON.parse((await run(command, [here(script)], { cwd: project, env })).stdout);

  it('such as viem watches with filters, reads 1,000 blocks in a batch, and sends', async function () {
    requirePackages(this);
    expect(await runTool(process.execPath, 'npm/viem.mjs')).to.deep.equal({
      status: 'success',
      watched: SENT,
      changes: SENT,
      blocks: true,
      uninstalled: true,
      numbers: 1,
      baseFees: ['0', '0', '0'],
      slots: 1,
    });
  });

  it('such as web3 for Python watches with filters, and reads receipts, fees and proofs', async function () {
    const python = findPython(PYTHON_MINOR);
    if (python === undefined) skipWithout(this, `Python 3.${PYTHON_MINOR} or newer with venv and pip`);
    const command = await openPythonEnvironment({ name: 'web3', files: [here('requirements.txt')] }, python!);
    expect(await runTool(command, 'web3_client.py')).to.deep.equal({
      status: 1,
      new: [SENT],
      again: 0,
      all: true,
      blocks: true,
      uninstalled: true,
      raw: true,
      receipts: [true],
      baseFees: [0, 0, 0],
      slots: [0],
    });
  });

  it('such as ponder indexes what there is, and what comes', async function () {
    requirePackages(this);
    const port = await findFreePort();
    const args = ['node_modules/ponder/dist/esm/bin/ponder.js', 'dev', '--port', String(port), '--disable-ui'];
    const tool = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(tool, 'exit');
    const lines: string[] = [];
    createInterface({ input: tool.stdout }).on('line', (line) => lines.push(line));
    // Nothing before it listens.
    const readSequences = async (): Promise<number[]> => {
      const answer = await fetch(`http://127.0.0.1:${port}/records`).catch(() => undefined);
      const records = answer?.ok === true ? ((await answer.json()) as { sequence: number }[]) : [];
      return records.map(({ sequence }) => sequence).sort((one, other) => one - other);
    };
    const expectRecords = async (count: number): Promise<void> => {
      const expected = Array.from({ length: count }, (_, at) => at + 1);
      await until(
        async () => String(await readSequences()) === String(expected),
        () => lines,
        PONDER_MS,
      );
    };
    try {
      await expectRecords(RECORDS);
      await mine(RECORDS + 1);
      await expectRecords(RECORDS + 1);
    } finally {
      tool.kill('SIGKILL');
      await exited;
    }
  });
});
