import { expect } from 'chai';
import { createTurns } from '../../../host/evidence/turns.ts';
import { rejectionOf } from '../../support/refusals.ts';

describe('the turns of large tasks', () => {
  const run = (waitingMax: number) => {
    const runInTurn = createTurns(waitingMax);
    const ran: string[] = [];
    let running = 0;
    const task = (name: string) => async (): Promise<void> => {
      running += 1;
      expect(running).to.equal(1);
      await new Promise((resolve) => setImmediate(resolve));
      ran.push(name);
      running -= 1;
    };
    return { ran, runInTurn, task };
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

  it('go on after a task that failed', async () => {
    const { ran, runInTurn, task } = run(2);
    const failing = runInTurn('a', async () => Promise.reject(new Error('failed')));
    const next = runInTurn('a', task('a2'));
    expect(await failing.catch(({ message }: Error) => message)).to.equal('failed');
    await next;
    expect(ran).to.deep.equal(['a2']);
  });
});
