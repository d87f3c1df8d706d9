// The project's own client code against simulated nodes. Each scenario runs in a process of its own, where time and
// randomness are replaced.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Defect } from '../defects/defect.ts';
import { LIES } from './lies.ts';
import { MESSAGE_FAULTS } from './messageFaults.ts';
import { detectableLies } from './nodeFaults.ts';

const toPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const HOOKS = toPath('../edges/replaceModules.ts');
const SCENARIOS = toPath('support/scenarios.ts');
const PLANTING = new URL('../defects/plantDefect.ts', import.meta.url).href;
const OUTPUT_BYTES_MAX = 64 * 2 ** 20;

const run = async (imports: readonly string[], scenario: string, ...parameters: string[]) => {
  const args = [...[HOOKS, ...imports].flatMap((path) => ['--import', path]), SCENARIOS, scenario, ...parameters];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: OUTPUT_BYTES_MAX });
  return JSON.parse(stdout) as Record<string, unknown>[];
};

const runScenario = (scenario: string, ...parameters: string[]) => run([], scenario, ...parameters);

// The same with a defect in the code.
const runScenarioWith = (defect: Defect, scenario: string) => {
  const program = `import { plantDefect } from '${PLANTING}'; plantDefect(${JSON.stringify(defect)});`;
  return run([`data:text/javascript,${encodeURIComponent(program)}`], scenario);
};

const expectSurvived = (results: readonly Record<string, unknown>[], kinds: readonly string[]): void => {
  expect(results.map(({ kind }) => kind)).to.deep.equal(kinds);
  for (const { kind, occurrences, ...result } of results) {
    expect(result, String(kind)).to.deep.equal({ wrong: 0, isComplete: true, gaps: [] });
    expect(occurrences, String(kind)).to.be.greaterThan(0);
  }
};

describe('a client of a simulated network', () => {
  it('submits transactions, which become final', async () => {
    const [result] = await runScenario('submit');
    expect(result).to.deep.equal({ finals: [true, true, true], nonces: [0, 1, 2] });
  });

  it('raises its bid when the base fee rises', async () => {
    const [result] = await runScenario('spike');
    expect(result!.isMined).to.equal(true);
    expect(Number(result!.bidMined)).to.be.greaterThan(Number(result!.bidBefore));
  });

  it('sends a transaction again that a reorg has dropped', async () => {
    const [result] = await runScenario('reorg');
    expect(result!.isDropped).to.equal(true);
    expect(result!.places).to.deep.equal([result!.first, result!.final]);
    expect(result!.final).to.be.greaterThan(Number(result!.first));
  });

  for (const baseFeePerGas of ['0', '1000000000']) {
    const price = baseFeePerGas === '0' ? 'free gas' : 'a base fee';

    it(`fills a gap before its nonce that a reorg has made, with ${price}`, async () => {
      const [result] = await runScenario('gapBeforePending', baseFeePerGas);
      expect(result!.nonces).to.deep.equal([0, 1]);
    });

    it(`fills what is missing before the former nonce of a call that has moved, with ${price}`, async () => {
      const [result] = await runScenario('gapOfTwo', baseFeePerGas);
      expect(result).to.deep.equal({ nonce: 0, mined: [0, 1, 2] });
    });

    it(`fills a gap before transactions that were mined, in their order, with ${price}`, async () => {
      const [result] = await runScenario('gapBeforeMined', baseFeePerGas);
      const firsts = result!.firsts as number[];
      expect(firsts).to.deep.equal(firsts.toSorted((a, b) => a - b));
      expect(firsts).to.not.include(-1);
    });
  }

  it('sees final blocks replaced only where a reorg breaks finality', async () => {
    const [result] = await runScenario('finality');
    expect(result).to.deep.equal({ isHonoured: true, refusal: 'CHAIN_REPLACED' });
  });

  const UNSIGNED = { unchecked: 2, before: 1, nodesUsed: 3 };

  it('has no record that its author never signed of nodes on a false chain, before and after a restart', async () => {
    const [result] = await runScenario('unsigned');
    expect(result).to.deep.equal({ ...UNSIGNED, following: 'AUTHOR_UNPROVED', restarted: 'AUTHOR_UNPROVED' });
  });

  it('has that record with a slip that lets it count without a signature', async () => {
    const slip: Defect = {
      name: 'author-not-proven',
      file: 'chain/network/authors/signatureSearch.ts',
      find: 'if (unproven !== undefined) throw new UnprovenAuthor(unproven, final);',
      replace: 'if (unproven === null) throw new UnprovenAuthor(unproven, final);',
      breaks: "a record of this server's accounts is signed",
      foundBy: 'record on a false chain',
    };
    const [result] = await runScenarioWith(slip, 'unsigned');
    expect(result).to.deep.equal({ ...UNSIGNED, following: 2, restarted: 2 });
  });

  it('has its transaction mined once although a node hangs', async () => {
    const [result] = await runScenario('hangingNode');
    expect(result).to.deep.include({ isMined: true, count: 1 });
    expect(result!.atMs).to.be.greaterThan(20_000);
  });

  it('has its transaction mined although its process is killed', async () => {
    const [result] = await runScenario('killed');
    expect(result).to.deep.equal({ isAlive: false, mined: 1 });
  });

  it('has a transfer of the sponsor once every node has its block', async () => {
    const [result] = await runScenario('funding');
    expect(result).to.deep.equal({ isBegun: false, isSent: true, isFunding: false, balances: [1, 1, 1] });
  });

  it('survives each kind of faulty message', async () => {
    expectSurvived(await runScenario('messages', ...MESSAGE_FAULTS), MESSAGE_FAULTS);
  });

  it('survives each lie that counts as detectable', async () => {
    const lies = detectableLies({ confirmations: 3 });
    expect(lies.length).to.be.greaterThan(20).and.lessThan(Object.keys(LIES).length);
    expectSurvived(await runScenario('lie', ...lies), lies);
  });

  it('has the same story for the same seed', async () => {
    const [first, again] = await runScenario('story', '4711', '4711');
    expect(first!.notes).to.have.length.greaterThan(0);
    expect(again).to.deep.equal(first);
    const [other] = await runScenario('story', '4712');
    expect(other!.tip).not.to.equal(first!.tip);
  });
});
