import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { type ChainEngine, EngineEnded } from '../../../../chain/embedded/engine/engine.ts';
import { startEngineProcess } from '../../../../chain/embedded/engine/engineProcess.ts';
import { createGenesisConfig } from '../../../../chain/embedded/genesis.ts';
import { isAlive } from '../../../support/isAlive.ts';
import { skipWithoutLinux } from '../../../support/missing.ts';
import { CHAIN_ID } from '../fixtures.ts';

const CONFIG = createGenesisConfig(CHAIN_ID, Date.UTC(2026, 0, 1) / 1_000);
const TO = `0x${'11'.repeat(20)}`;
const UINT256_MAX = `0x${'f'.repeat(64)}`;

describe('the process of an engine', () => {
  const engines: ChainEngine[] = [];
  const start = async (answerMsMax = 60_000, silenceMsMax = 60_000): Promise<ChainEngine> => {
    const engine = await startEngineProcess(CONFIG, { answerMsMax, silenceMsMax });
    engines.push(engine);
    return engine;
  };
  const endOf = (engine: ChainEngine): Promise<EngineEnded> => new Promise((resolve) => engine.onEnd(resolve));
  const reasonOf = ({ cause }: EngineEnded): string => (cause as Error).message;
  const rejectionOf = (task: Promise<unknown>): Promise<unknown> =>
    task.then(
      () => 'none',
      (error: unknown) => error,
    );

  afterEach(async () => {
    const started = engines.splice(0);
    await Promise.all(started.map(({ close }) => close()));
    expect(started.filter(({ pid }) => isAlive(pid))).to.deep.equal([]);
  });

  it('answers requests, lists of them, and errors, as the engine inside does', async () => {
    const engine = await start();
    expect(await engine.request('eth_chainId', [])).to.equal(`0x${CHAIN_ID.toString(16)}`);
    expect(await engine.requestText('eth_blockNumber', [])).to.equal('"0x0"');
    const calls = ['eth_blockNumber', 'net_version'].map((method) => ({ method, params: [] }));
    expect(await engine.requestAll(calls)).to.deep.equal(['0x0', String(CHAIN_ID)]);
    expect(await rejectionOf(engine.request('eth_call', [{ to: 'x' }]))).to.include({ code: -32602 });
    await engine.collectAnswers();
  });

  it('ends alone when the native code panics, and says what that wrote', async () => {
    const engine = await start();
    const [other, end] = [engine.request('eth_estimateGas', [{ to: TO, value: UINT256_MAX }]), endOf(engine)];
    expect(await rejectionOf(other)).to.be.instanceOf(EngineEnded);
    expect(reasonOf(await end)).to.match(/^signal SIGABRT; .*panicked at .*pre_execution/);
    expect(await rejectionOf(engine.request('eth_chainId', []))).to.be.instanceOf(EngineEnded);
  });

  it('leaves signals to this process', async () => {
    const engine = await start();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
      process.kill(engine.pid, signal);
    expect(await engine.request('eth_blockNumber', [])).to.equal('0x0');
  });

  it('has nothing of the environment that it does not need', async function () {
    skipWithoutLinux(this);
    process.env.PROVENANCE_TEST_SECRET = 'secret';
    try {
      const { pid } = await start();
      expect(await readFile(`/proc/${pid}/environ`, 'utf8')).to.not.include('PROVENANCE_TEST_SECRET');
      expect(Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8'))).to.be.greaterThan(0);
    } finally {
      delete process.env.PROVENANCE_TEST_SECRET;
    }
  });

  it('is ended when it does not answer', async () => {
    const engine = await start(200);
    process.kill(engine.pid, 'SIGSTOP');
    const answer = rejectionOf(engine.request('eth_blockNumber', []));
    expect(reasonOf(await endOf(engine))).to.match(/^it did not answer a request/);
    expect(await answer).to.be.instanceOf(EngineEnded);
  });

  it('is ended when it gives no sign of life, however long its requests may take', async () => {
    const engine = await start(60_000, 200);
    process.kill(engine.pid, 'SIGSTOP');
    const answer = rejectionOf(engine.request('eth_blockNumber', []));
    expect(reasonOf(await endOf(engine))).to.match(/^it gave no sign of life/);
    expect(await answer).to.be.instanceOf(EngineEnded);
  });

  it('calls no listener when it is closed', async () => {
    const engine = await start();
    let isCalled = false;
    engine.onEnd(() => {
      isCalled = true;
    });
    const answer = rejectionOf(engine.request('eth_blockNumber', []));
    await engine.close();
    await answer;
    expect(isCalled).to.equal(false);
  });
});
