// What npm run evidence says of how far a file reaches: a file without a checkpoint, and one that lags.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { readEvidenceReach } from '../../host/operator/evidenceReach.ts';
import { runScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import { startWitnessProcess, type WitnessProcess } from '../support/witnessProcess.ts';

const UNCOVERED = 'no checkpoint covers it yet';
const COVERED = 'a checkpoint of the blocks up to';
const LAGS = 'the server has newer records';
const ABSENT = 'assets/00000000-0000-4000-8000-000000000000';

describe('how far the files of npm run evidence reach', () => {
  let root: string;
  let dataDir: string;
  let remove: () => Promise<void>;
  let server: ServerProcess | undefined;
  let witness: WitnessProcess | undefined;
  let token: string;
  let asset: string;
  let event: string;

  const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
    const env = { LOG_LEVEL: 'silent', LOG_ORIGIN: 'log.example/1', CHECKPOINT_SECONDS: '3600', ...settings };
    server = await startServerProcess(dataDir, [], env);
  };
  const post = async (path: string, body: object) =>
    (await send<{ identity: string; block_number: number }>(`${server!.url}/svc/v2/${path}`, token, { body })).body;
  const record = () => post(`${asset}/events`, { behaviour: 'RecordEvidence', operation: 'Record' });
  const run = async (name: string, ...args: string[]) => {
    const file = join(root, `${name}.json`);
    const { code, stderr } = await runScript('evidence.ts', dataDir, [...args, '--out', file]);
    expect(code, stderr).to.equal(0);
    return { stderr, ...readEvidenceReach(await readFile(file, 'utf8')) };
  };

  before(async () => {
    ({ path: root, remove } = await createTemporaryDirectory());
    dataDir = join(root, 'data');
    await start();
    token = (await runScript('token.ts', dataDir)).stdout.trim();
    ({ identity: asset } = await post('assets', { attributes: {} }));
    ({ identity: event } = await record());
  });
  after(async () => {
    await server?.stop('SIGKILL');
    await witness?.stop('SIGKILL');
    await remove();
  });

  it('says that no checkpoint covers an event of now, and later which one does', async () => {
    const early = await run('early', event);
    expect(early).to.deep.include({ checkpointBlock: undefined, count: undefined });
    expect(early.stderr).to.include(UNCOVERED).and.not.to.include(COVERED);
    const history = await run('history', asset);
    expect(history.stderr).to.include(`${history.count} records up to block ${history.block} of ${history.blockTime}`);
    const later = await run('later', event);
    expect(later.checkpointBlock).to.be.at.least(later.block);
    expect(later.stderr).to.include(`${COVERED} ${later.checkpointBlock} `).and.not.to.include(UNCOVERED);
  });

  it('warns where the server has newer records, which too few witnesses have cosigned', async () => {
    const logKey = /^log key +(\S+)$/m.exec((await runScript('logKey.ts', dataDir)).stdout)![1]!;
    witness = await startWitnessProcess(join(root, 'witness'), [logKey], { name: 'w.example', port: 0 });
    await server!.stop('SIGTERM');
    await start({ WITNESSES: `${witness.verifierKey} ${witness.url}/` });
    await until(async () => (await fetch(`${server!.url}/checkpoint`)).status === 200);
    const kinds: [string, string[]][] = [
      ['a history', [asset]],
      ['an absence', [ABSENT, '--absent']],
    ];
    const before = new Map<string, number>();
    for (const [name, args] of kinds) {
      const { stderr, block } = await run(name, ...args);
      expect(stderr).not.to.include(LAGS);
      before.set(name, block);
    }
    await witness.stop('SIGTERM');
    const { block_number: newest } = await record();
    for (const [name, args] of kinds) {
      const { stderr, block } = await run(`lagging ${name}`, ...args);
      expect(stderr).to.include(`${LAGS}, up to block ${newest},`);
      expect(block).to.equal(before.get(name));
    }
  });
});
