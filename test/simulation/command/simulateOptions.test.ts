// The options of `npm run simulate`: what they mean, and what is refused.
import { availableParallelism } from 'node:os';
import { expect } from 'chai';
import { defects } from '../defects/defects.ts';
import { createSimulateCommand, type SimulateOptions } from './simulateOptions.ts';

const parse = async (text: string): Promise<SimulateOptions> => {
  let parsed: SimulateOptions | undefined;
  const program = createSimulateCommand((options) => {
    parsed = options;
  });
  program.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync(text === '' ? [] : text.split(' '), { from: 'user' });
  return parsed!;
};

const refuse = async (text: string): Promise<string> => {
  try {
    await parse(text);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`'${text}' is accepted`);
};

describe('the options of the simulation', () => {
  it('give positions in ascending order', async () => {
    expect((await parse('--seed 1 --keep 5,2,0-1')).keep).to.deep.equal([0, 1, 2, 5]);
    expect((await parse('--seed 1 --keep none --keep-requests 3')).keep).to.deep.equal([]);
    expect((await parse('--seed 1 --keep none --keep-requests 3')).keepRequests).to.deep.equal([3]);
  });

  for (const [list, reason] of [
    ['3-1', "the range '3-1' descends."],
    ['1,0-2', 'the position 1 is listed twice.'],
    ['x', "'x' is neither a position nor a range of positions such as 0-3."],
    ['1,', "'' is neither a position"],
    ['0-99999999', "'0-99999999' is neither a position"],
  ] as const) {
    it(`refuse the positions ${list}`, async () => {
      expect(await refuse(`--seed 1 --keep ${list}`)).to.contain(reason);
    });
  }

  it('name all defects, or some', async () => {
    const [first, second] = defects.map(({ name }) => name);
    expect((await parse('--defects')).defects).to.equal(true);
    expect((await parse(`--defects ${first} ${second}`)).defects).to.deep.equal([first, second]);
    expect((await parse(`--defect ${first}`)).defect).to.equal(first);
    for (const option of ['--defects', '--defect']) {
      const refusal = await refuse(`${option} nope`);
      expect(refusal).to.match(
        /^error: option '--defect.*' argument 'nope' is invalid\. There is no such defect\. docs\/measurements\//,
      );
    }
    expect(await refuse(`--defects ${first} ${second} ${first}`)).to.contain('It is named twice.');
  });

  it('name similar defects in place of an unknown one', async () => {
    const refusal = await refuse('--defect removal-not-sinced');
    expect(refusal).to.match(/Similar ones are removal-not-synced, (?:[a-z-]+, ){3}[a-z-]+\. docs\//);
  });

  for (const [text, reason] of [
    ['--trace', '--trace prints the story of one seed: add --seed'],
    ['--only lie', '--only names faults of one kind of chain: add --chain'],
    ['--keep 0', '--keep is about the plan of one seed: add --seed'],
    ['--keep-requests 0', '--keep-requests is about the plan of one seed: add --seed'],
    ['--record', '--record writes the table of --defects: add --defects'],
  ] as const) {
    it(`refuse ${text} alone`, async () => {
      expect(await refuse(text)).to.equal(`error: ${reason}`);
    });
  }

  it('refuse to record some of the defects, in place of all', async () => {
    expect(await refuse(`--record --defects ${defects[0]!.name}`)).to.equal(
      'error: --record writes the table of all defects: leave out the names',
    );
  });

  for (const text of [
    '--regressions --seeds 4',
    '--regressions --seed 4',
    '--regressions --chain network',
    '--regressions --only lie',
    '--regressions --workers 2',
    '--regressions --defects',
    '--seed 1 --trace --seeds 4',
    '--seed 1 --trace --no-shrink',
    '--seed 1 --keep 0 --seeds 4',
    '--seed 1 --keep-requests 0 --seeds 4',
    '--defects --chain network',
    '--defects --only lie',
    '--defects --no-shrink',
    '--defects --record --seeds 5',
    '--defects --record --seed 5',
    `--defects --defect ${defects[0]!.name}`,
  ]) {
    it(`refuse ${text}, of which one has no effect`, async () => {
      expect(await refuse(text)).to.match(/^error: option '.*' cannot be used with option '.*'$/);
    });
  }

  it('accept what has an effect together', async () => {
    const options = await parse(
      `--seed 4 --seeds 20 --chain network --workers 1 --no-shrink --defect ${defects[0]!.name}`,
    );
    expect(options).to.include({ seed: 4, seeds: 20, chain: 'network', workers: 1, shrink: false });
    expect((await parse('--chain network --only reorg,lie')).only).to.deep.equal(['reorg', 'lie']);
    expect(await parse('--defects --seed 4 --seeds 20 --workers 1')).to.include({ seed: 4, defects: true });
    expect(await parse('--defects --workers 1 --record')).to.include({ workers: 1, record: true });
  });

  it('refuse numbers that are no seeds', async () => {
    for (const option of ['--seeds', '--seed'])
      for (const number of ['0', '-1', '1.5', 'x', 'NaN', 'Infinity', '9007199254740992'])
        expect(await refuse(`${option} ${number}`)).to.contain('It is a whole number from 1 to 9007199254740991.');
  });

  it('refuse more workers than are useful', async () => {
    const max = 4 * availableParallelism();
    expect((await parse(`--workers ${max}`)).workers).to.equal(max);
    for (const number of [max + 1, 99_999_999_999])
      expect(await refuse(`--workers ${number}`)).to.contain(`It is a whole number from 1 to ${max}.`);
  });

  it('refuse seeds that are no exact numbers', async () => {
    expect(await parse('--seed 9007199254740990 --seeds 2')).to.include({ seeds: 2 });
    for (const text of [
      '--seed 9007199254740990 --seeds 3',
      '--seeds 9007199254740991',
      '--seed 9007199254740991 --defects',
    ])
      expect(await refuse(text)).to.equal(
        'error: the last seed is above 9007199254740991: choose a smaller --seed or --seeds',
      );
  });
});
