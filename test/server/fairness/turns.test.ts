import { expect } from 'chai';

import { LedgerError } from '../../../ledger/errors.ts';
import { createTurns, type TurnsOptions } from '../../../server/fairness/turns.ts';
import { rejectionOf } from '../../support/refusals.ts';

describe('the turns of large tasks', () => {
  const run = (waitingMax: number) => {
    const stopping = new AbortController();
    const runInTurn = createTurns({
      waitingMax,
      refuse: () => new LedgerError('EVIDENCE_PENDING'),
      stopping: stopping.signal,
    });
    const ran: string[] = [];
    let running = 0;
    const task = (name: string) => async (): Promise<void> => {
      running += 1;
      expect(running).to.equal(1);
      await new Promise((resolve) => setImmediate(resolve));
      ran.push(name);
      running -= 1;
    };
    return { ran, runInTurn, task, stopping };
  };

  it('alternate between the parties, and run one task at a time', async () => {
    const { ran, runInTurn, task } = run(8);
    const names = ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2'];
    await Promise.all(names.map((name) => runInTurn(name[0]!, task(name))));
    expect(ran).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('are refused with EVIDENCE_PENDING to a party with too many that wait, and to no other', async () => {
    const { ran, runInTurn, task } = run(2);
    const accepted = ['a1', 'a2', 'a3'].map((name) => runInTurn('a', task(name)));
    expect(await rejectionOf(runInTurn('a', task('a4')))).to.equal('EVIDENCE_PENDING');
    await Promise.all([...accepted, runInTurn('b', task('b1'))]);
    expect(ran).to.have.members(['a1', 'a2', 'a3', 'b1']);
    await runInTurn('a', task('a5'));
    expect(ran.at(-1)).to.equal('a5');
  });

  it('end for a task whose client is gone, and free its place', async () => {
    const { ran, runInTurn, task } = run(2);
    const gone = new AbortController();
    const tasks = [
      runInTurn('a', task('a1'), { signal: gone.signal }),
      rejectionOf(runInTurn('a', task('a2'), { signal: gone.signal })),
      runInTurn('a', task('a3')),
    ];
    gone.abort(new LedgerError('REQUEST_TIMEOUT'));
    expect(await rejectionOf(runInTurn('a', task('a4'), { signal: gone.signal }))).to.equal('REQUEST_TIMEOUT');
    await Promise.all([...tasks, runInTurn('a', task('a5'))]);
    expect(await tasks[1]).to.equal('REQUEST_TIMEOUT');
    expect(ran).to.deep.equal(['a1', 'a3', 'a5']);
  });

  it('end with STOPPING when the server stops, but for the task in progress', async () => {
    const { ran, runInTurn, task, stopping } = run(2);
    const first = runInTurn('a', task('a1'));
    const refused = [rejectionOf(runInTurn('a', task('a2'))), rejectionOf(runInTurn('b', task('b1')))];
    stopping.abort();
    refused.push(rejectionOf(runInTurn('c', task('c1'))));
    expect(await Promise.all(refused)).to.deep.equal(['STOPPING', 'STOPPING', 'STOPPING']);
    await first;
    expect(ran).to.deep.equal(['a1']);
  });

  it('go on after a task that failed', async () => {
    const { ran, runInTurn, task } = run(2);
    const failing = runInTurn('a', async () => Promise.reject(new Error('failed')));
    const next = runInTurn('a', task('a2'));
    expect(await failing.catch(({ message }: Error) => message)).to.equal('failed');
    await next;
    expect(ran).to.deep.equal(['a2']);
  });

  // Tasks that `end` ends.
  const hold = (options: TurnsOptions) => {
    const runInTurn = createTurns(options);
    const began: string[] = [];
    const ends = new Map<string, () => void>();
    const start = (name: string, cost: number): void => {
      const task = (): Promise<void> => {
        began.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      void runInTurn(name[0]!, task, { cost });
    };
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const end = async (name: string): Promise<void> => {
      ends.get(name)!();
      await settle();
    };
    return { began, start, settle, end };
  };

  it('count by their cost: a party with dear tasks has as many fewer turns', async () => {
    const { began, start, settle, end } = hold({});
    for (const name of ['a1', 'a2', 'a3']) start(name, 3);
    for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) start(name, 1);
    await settle();
    for (let at = 0; at < 7; at += 1) await end(began[at]!);
    expect(began).to.deep.equal(['a1', 'b1', 'b2', 'b3', 'a2', 'b4', 'b5', 'a3']);
  });

  it('leave room for other parties beside those of one', async () => {
    const { began, start, settle, end } = hold({ max: 4, ofPartyMax: 2 });
    for (const name of ['a1', 'a2', 'a3']) start(name, 1);
    start('b1', 1);
    await settle();
    expect(began).to.deep.equal(['a1', 'a2', 'b1']);
    await end('a1');
    expect(began).to.deep.equal(['a1', 'a2', 'b1', 'a3']);
  });

  it('let a task that costs more than all may cost run alone, and nobody passes it', async () => {
    const { began, start, settle, end } = hold({ max: 4 });
    for (const [name, cost] of [
      ['a1', 2],
      ['b1', 9],
      ['c1', 1],
    ] as const)
      start(name, cost);
    await settle();
    expect(began).to.deep.equal(['a1']);
    await end('a1');
    expect(began).to.deep.equal(['a1', 'b1']);
    await end('b1');
    expect(began).to.deep.equal(['a1', 'b1', 'c1']);
  });

  it('do not count what a party used while nobody waited', async () => {
    const { began, start, settle, end } = hold({});
    start('a1', 100);
    await settle();
    await end('a1');
    start('b1', 1);
    for (const name of ['b2', 'a2']) start(name, 1);
    await settle();
    for (const name of ['b1', 'a2', 'b2']) await end(name);
    expect(began).to.deep.equal(['a1', 'b1', 'a2', 'b2']);
  });
});
