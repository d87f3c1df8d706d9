// The block log of a server with witnesses in processes of their own: what is shown has their cosignatures.
import { join } from 'node:path';
import { expect } from 'chai';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { parseTrust } from '../../ledger/evidence/bundle/trust.ts';
import { verifyCheckpoint } from '../../ledger/evidence/signedCheckpoint.ts';
import { decodeVerifierKey, encodeVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { runScript, startScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import { startWitnessProcess, type WitnessProcess } from '../support/witnessProcess.ts';

const ORIGIN = 'ledger.example/log';

describe('the block log of a server with witnesses', () => {
  let root: string;
  let remove: () => Promise<void>;
  let dataDir: string;
  let server: ServerProcess | undefined;
  let token: string;
  let logKey: string;
  const witnesses: WitnessProcess[] = [];

  const start = async (quorum: number, settings: Readonly<Record<string, string>> = {}): Promise<void> => {
    server = await startServerProcess(dataDir, [], {
      LOG_LEVEL: 'silent',
      CHECKPOINT_SECONDS: '1',
      LOG_ORIGIN: ORIGIN,
      WITNESSES: witnesses.map(({ verifierKey, url }) => `${verifierKey} ${url}/`).join(', '),
      WITNESS_QUORUM: `${quorum}`,
      METRICS_PORT: '0',
      ...settings,
    });
  };
  const stop = async (): Promise<void> => {
    await server?.stop('SIGTERM');
    server = undefined;
  };
  const readLogKey = async (): Promise<string> =>
    /^log key +(\S+)$/m.exec((await runScript('logKey.ts', dataDir)).stdout)![1]!;
  const startWitness = async (at: number, port = 0): Promise<void> => {
    witnesses[at] = await startWitnessProcess(join(root, `witness${at}`), [logKey], { name: `w${at}.example`, port });
  };
  before(async () => {
    ({ path: root, remove } = await createTemporaryDirectory());
    dataDir = join(root, 'data');
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'silent', LOG_ORIGIN: ORIGIN });
    token = (await runScript('token.ts', dataDir)).stdout.trim();
    logKey = await readLogKey();
    const trust = await runScript('logKey.ts', dataDir, ['--trust']);
    expect(parseTrust(trust.stdout).logs.map(encodeVerifierKey)).to.deep.equal([logKey]);
    await stop();
    await startWitness(0);
    await startWitness(1);
    await start(2);
  });
  after(async () => {
    await server?.stop('SIGKILL');
    await Promise.all(witnesses.map((witness) => witness.stop('SIGKILL')));
    await remove();
  });

  const fetchShown = async () => {
    const response = await fetch(`${server!.url}/checkpoint`);
    if (response.status === 404) return undefined;
    const keys = [logKey, ...witnesses.map(({ verifierKey }) => verifierKey)].map(decodeVerifierKey);
    const { checkpoint, isLogSigned, cosigners } = verifyCheckpoint(await response.text(), keys)!;
    expect(isLogSigned).to.equal(true);
    return { size: checkpoint.size, cosigners: cosigners.length };
  };
  const fetchReadiness = async (): Promise<string> => (await fetch(`${server!.url}/readyz`)).text();
  const createAsset = async (): Promise<number> => {
    const created = await send<{ identity: string }>(`${server!.url}/svc/v2/assets`, token, {
      body: { attributes: {} },
    });
    const path = `${server!.url}/svc/v2/${created.body.identity}/events`;
    return (await send<{ events: readonly { block_number: number }[] }>(path, token)).body.events[0]!.block_number;
  };
  const untilShown = async (block: number, cosigners: number): Promise<void> => {
    await until(async () => ((await fetchShown())?.size ?? 0) > block);
    await until(async () => (await fetchShown())!.cosigners === cosigners);
  };
  const portOf = (witness: WitnessProcess): number => Number(new URL(witness.url).port);

  it('shows checkpoints with the cosignatures of all', async () => {
    await untilShown(await createAsset(), 2);
  });

  it('keeps the one before while a witness is down, and its tiles', async () => {
    const before = (await fetchShown())!;
    await witnesses[1]!.stop('SIGKILL');
    const block = await createAsset();
    await createAsset();
    const tile = await fetch(`${server!.url}/tile/0/000.p/${before.size}`);
    expect(tile.status).to.equal(200);
    expect((await fetchShown())!.size).to.equal(before.size);
    await startWitness(1, portOf(witnesses[1]!));
    await untilShown(block, 2);
  });

  it('continues after a start with another quorum, and after a kill', async () => {
    await stop();
    await witnesses[1]!.stop('SIGTERM');
    await start(1);
    await untilShown(await createAsset(), 1);
    const { size } = (await fetchShown())!;
    await server!.stop('SIGKILL');
    await start(1);
    expect((await fetchShown())!.size).to.be.at.least(size);
    await untilShown(await createAsset(), 1);
    await startWitness(1, portOf(witnesses[1]!));
  });

  it('has what was shown in a backup; a log from it that continues otherwise is refused until it has a new name', async () => {
    expect((await runScript('backup.ts', dataDir, [join(root, 'backup')])).code).to.equal(0);
    const shown = (await fetchShown())!;
    await untilShown(await createAsset(), 2);
    const seen = (await fetchShown())!;
    await stop();
    dataDir = join(root, 'restored');
    expect((await runScript('restore.ts', dataDir, [join(root, 'backup')])).code).to.equal(0);
    await start(1);
    expect((await fetchShown())!.size).to.be.within(shown.size, seen.size - 1);
    const block = await createAsset();
    await createAsset();
    await createAsset();
    expect((await fetchShown())!.size).to.be.at.most(block);
    await until(async () => (await fetchReadiness()).includes('WITNESSES_REFUSE'));
    await stop();
    dataDir = join(root, 'renewed');
    expect((await runScript('restore.ts', dataDir, [join(root, 'backup'), '--new-log'])).code).to.equal(0);
    logKey = await readLogKey();
    expect(decodeVerifierKey(logKey).name).to.equal(`${ORIGIN}/2`);
    await Promise.all(witnesses.map((witness) => witness.stop('SIGTERM')));
    for (const at of [0, 1]) await startWitness(at, portOf(witnesses[at]!));
    await start(2, { LOG_ORIGIN: '' });
    await untilShown(await createAsset(), 2);
    expect(await fetchReadiness()).not.to.include('WITNESSES_REFUSE');
  });

  it('refuses its own key as a witness, and a quorum of more than there are', async () => {
    await stop();
    const refusalOf = async (settings: Readonly<Record<string, string>>): Promise<string> => {
      const run = await startScript('start.ts', dataDir, [], { PORT: '0', CHAIN_RPC_PORT: '0', ...settings });
      expect(run.code).to.equal(1);
      return run.stderr;
    };
    const [witness] = witnesses;
    expect(await refusalOf({ WITNESSES: `${witness!.verifierKey} ${witness!.url}`, WITNESS_QUORUM: '2' })).to.include(
      'WITNESS_QUORUM is 2',
    );
    const [, timeKey] = (await runScript('logKey.ts', dataDir)).stdout.match(/^time key +(\S+)$/m)!;
    expect(await refusalOf({ WITNESSES: `${timeKey} ${witness!.url}` })).to.include('is no witness');
  });
});
