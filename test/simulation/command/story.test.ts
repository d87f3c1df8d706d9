// The texts of the command: stories, lists of positions, summaries, the page of measurements.
import { expect } from 'chai';
import { replaceSection } from './measurementsPage.ts';
import type { RunReport } from './messages.ts';
import { formatNumbers, parseNumbers } from './numberLists.ts';
import { toReplayCommand } from './planChange.ts';
import { formatRun, formatStory } from './story.ts';
import { createTally } from './tally.ts';

const report: RunReport = {
  task: { seed: 4711, change: { faults: [3] }, hasStory: true },
  plan: {
    seed: 4711,
    chain: 'embedded',
    settings: { confirmations: 0, nodes: 1, outboxEntriesMax: 4, isJournaled: 0, lastEnd: 2 },
    requests: [{ kind: 'event', atMs: 5 }],
    faults: [{ kind: 'kill', atMs: 1500, point: 'before' }],
  },
  violations: [
    { check: 'records exist once', text: 'record 1 exists twice' },
    { check: 'records exist once', text: 'record 1 exists twice' },
  ],
  counts: { 'faults: kill': 1_200, 'faults: stop': 3_000, 'answers: 200': 3 },
  virtualMs: 61_000,
  tasks: 10,
  story: [
    { atMs: 0.2, actor: 'server 1', text: 'starts' },
    { atMs: 1500, actor: 'client', text: 'creates an event' },
    { atMs: 1500, actor: 'client', text: 'waits for assets/e5d42118-edab-486b-9fa9-b543d31866b9' },
    { atMs: 1500, actor: 'server 1', text: 'is killed' },
    { atMs: 61_000, actor: 'server 1', text: 'is killed' },
  ],
};

describe('the story of a run', () => {
  it('has its plan, its events in columns, what failed, and how to run it again', () => {
    expect(formatRun(report, 'a-defect')).to.equal(
      [
        'Seed 4711: the embedded chain, 1 request, 1 fault',
        '  1 node, finality by the tag finalized, at most 4 records in the outbox, a file system without a journal, a power',
        '  failure when everything is complete',
        '  fault 3  kill from 1.500 s  point before',
        '',
        '    0.000 s  server 1  starts',
        '    1.500 s  client    creates an event',
        '                       waits for assets/e5d42118',
        '             server 1  is killed',
        '             ... 60 s without an event',
        '   61.000 s  server 1  is killed',
        '',
        '1 violation: (61.000 s of virtual time)',
        '  records exist once',
        '    record 1 exists twice',
        '',
        'To run it again: npm run simulate -- --seed 4711 --trace --keep 3 --defect a-defect',
      ].join('\n'),
    );
  });

  it('counts repetitions that have no news, and shortens paths of the data directory', () => {
    const refused = { actor: 'client', text: 'creates an event: refused with NOT_RUNNING' };
    const lines = formatStory([
      { atMs: 1, ...refused },
      {
        atMs: 2,
        actor: 'server 1',
        text: 'is killed after syncing /simulated/server/data/outbox/000005.log (SIGKILL)',
      },
      { atMs: 2_000, ...refused },
      { atMs: 3_000, actor: 'server', text: 'the server has started' },
      { atMs: 3_500, actor: 'server', text: 'the server has started' },
      { atMs: 20_000, ...refused },
    ]);
    expect(lines).to.deep.equal([
      '    0.001 s  client    creates an event: refused with NOT_RUNNING (2 times until 2.000 s)',
      '    0.002 s  server 1  is killed after syncing outbox/000005.log (SIGKILL)',
      '    3.000 s  server    the server has started',
      '    3.500 s  server    the server has started',
      '             ... 17 s without an event',
      '   20.000 s  client    creates an event: refused with NOT_RUNNING',
    ]);
  });

  it('has a pause only where nothing happens, also nothing that is only counted', () => {
    const refused = { actor: 'client', text: 'creates an event: refused with NOT_RUNNING' };
    const started = { actor: 'server', text: 'the server has started' };
    const retries = [1_000, 5_000, 9_000].map((atMs) => ({ atMs, ...refused }));
    expect(formatStory([...retries, { atMs: 10_000, ...started }])).to.deep.equal([
      '    1.000 s  client  creates an event: refused with NOT_RUNNING (3 times until 9.000 s)',
      '   10.000 s  server  the server has started',
    ]);
    expect(formatStory([...retries, { atMs: 16_000, ...started }])[1]).to.equal(
      '             ... 7 s without an event',
    );
  });

  it('wraps long sentences below their beginning', () => {
    const lines = formatStory([{ atMs: 1, actor: 'client', text: 'word '.repeat(40).trim() }]);
    expect(lines).to.have.length(2);
    expect(lines[0]!.length).to.be.at.most(120);
    expect(lines[1]).to.match(/^ {21}word/);
  });
});

describe('a list of positions', () => {
  it('has ranges, and is read as it was written', () => {
    for (const [numbers, text] of [
      [[], 'none'],
      [[4], '4'],
      [[0, 1, 2, 5, 7, 8], '0-2,5,7-8'],
    ] as const) {
      expect(formatNumbers(numbers)).to.equal(text);
      expect(parseNumbers(text)).to.deep.equal(numbers);
    }
    expect(() => parseNumbers('1,x')).to.throw("'x' is neither a position nor a range");
    const run = {
      seed: 5,
      chain: 'network',
      only: ['reorg', 'lie'],
      change: { faults: [], requests: [1, 2] },
    } as const;
    expect(toReplayCommand(run)).to.contain('--chain network --only reorg,lie --keep none --keep-requests 1-2');
  });
});

describe('the summary', () => {
  it('adds up runs, counts and failures', () => {
    const tally = createTally();
    tally.add(report);
    tally.add({ ...report, violations: [] });
    const text = tally.format(2_000);
    expect(text).to.match(/faults\n {2}stop +6,000\n {2}kill +2,400/);
    expect(text).to.match(/answers\n {2}200 +6/);
    expect(text.indexOf('answers\n')).to.be.lessThan(text.indexOf('faults\n'));
    expect(text).to.contain('2 seeds: 1 clean, 1 failed. 2.0 s, 1.0 seeds/s');
    expect(text).to.match(/records exist once +1 \(4711\)/);
    expect(tally.failures).to.deep.equal([report]);
  });
});

describe('the page of measurements', () => {
  it('gets the section in place of the former one, or at the end', () => {
    const section = '## Planted defects\n\nnew\n';
    expect(replaceSection('# A\n\n## B\n', section)).to.equal('# A\n\n## B\n\n## Planted defects\n\nnew\n');
    expect(replaceSection('# A\n\n## Planted defects\n\nold\n\n## C\n', section)).to.equal(`# A\n\n${section}\n## C\n`);
    expect(replaceSection('# A\n\n## Planted defects\n\nold\n', section)).to.equal(`# A\n\n${section}`);
  });
});
