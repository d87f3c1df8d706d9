import { expect } from 'chai';
import { createTurns } from '../../../host/evidence/turns.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { rejectionOf } from '../../support/refusals.ts';

describe('the turns of large tasks', () => {
  const run = (waitingMax: number) => {
    const stopping = new AbortController();
    const runInTurn = createTurns({ waitingMax, stopping: stopping.signal });
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
    expect(ran).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
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
      runInTurn('a', task('a1'), gone.signal),
      rejectionOf(runInTurn('a', task('a2'), gone.signal)),
      runInTurn('a', task('a3')),
    ];
    gone.abort(new LedgerError('REQUEST_TIMEOUT'));
    expect(await rejectionOf(runInTurn('a', task('a4'), gone.signal))).to.equal('REQUEST_TIMEOUT');
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
});
