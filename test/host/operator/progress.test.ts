import { mock } from 'node:test';
import { expect } from 'chai';
import { createProgress } from '../../../host/operator/progress.ts';

const STEP = { title: 'replaying the chain', unit: 'blocks' };

describe('the progress of a step', () => {
  let nowMs: number;
  let written: string[];
  const open = (terminal: { isTTY: boolean; columns?: number }) =>
    createProgress({ ...terminal, write: (text: string) => written.push(text) }, () => nowMs);
  beforeEach(() => {
    nowMs = 1_000;
    written = [];
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => mock.timers.reset());

  it('is not shown when the step ends within half a second', () => {
    const onStep = open({ isTTY: true });
    for (let done = 0; done <= 4; done += 1) {
      onStep({ ...STEP, done, total: 4 });
      nowMs += 100;
    }
    expect(written).to.eql([]);
  });

  it('is one line on a terminal, redrawn at most ten times a second, with the time left', () => {
    const onStep = open({ isTTY: true });
    for (let done = 0; done <= 200; done += 1) {
      onStep({ ...STEP, done, total: 200 });
      nowMs += 10;
    }
    expect(written).to.have.length.within(10, 20);
    expect(written[0]).to.equal('\r\x1b[Kreplaying the chain: 50/200 blocks, 2 s left');
    expect(written.at(-1)).to.equal('\r\x1b[Kreplaying the chain: 200/200 blocks\n');
    expect(written.join('').split('\n')).to.have.length(2);
  });

  it('is cut to the width of the terminal, so that it stays one line', () => {
    const onStep = open({ isTTY: true, columns: 20 });
    onStep({ ...STEP, done: 0, total: 10 });
    nowMs += 600;
    onStep({ ...STEP, done: 1, total: 10 });
    expect(written).to.eql(['\r\x1b[Kreplaying the chain']);
    onStep({ ...STEP, done: 10, total: 10 });
  });

  it('is a line every two seconds without a terminal', () => {
    const onStep = open({ isTTY: false });
    for (let done = 0; done <= 100; done += 1) {
      onStep({ title: 'checking the index', unit: 'bytes', done: done * 2 ** 20, total: 100 * 2 ** 20 });
      nowMs += 50;
    }
    expect(written).to.eql([
      'checking the index: 10/100 MiB, 5 s left\n',
      'checking the index: 50/100 MiB, 3 s left\n',
      'checking the index: 90/100 MiB, 1 s left\n',
      'checking the index: 100/100 MiB\n',
    ]);
  });

  it('ends with a step that is not completed', () => {
    const onStep = open({ isTTY: false });
    onStep({ ...STEP, done: 1, total: 10 });
    nowMs += 600;
    onStep({ ...STEP, done: 2, total: 10 });
    onStep.end();
    nowMs += 10_000;
    mock.timers.tick(10_000);
    expect(written.at(-1)).to.equal('replaying the chain: 2/10 blocks\n');
    expect(written).to.have.length(2);
  });

  it('is shown for a step that reports only its end', () => {
    const onStep = open({ isTTY: false });
    onStep({ title: 'copying chain and outbox', unit: 'copies', done: 0, total: 1 });
    nowMs += 700;
    mock.timers.tick(700);
    expect(written).to.eql(['copying chain and outbox: 0/1 copies\n']);
    onStep({ title: 'copying chain and outbox', unit: 'copies', done: 1, total: 1 });
    expect(written.at(-1)).to.equal('copying chain and outbox: 1/1 copies\n');
  });
});
