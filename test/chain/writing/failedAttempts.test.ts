import { mock } from 'node:test';
import { expect } from 'chai';
import { createFailedAttempts, type FailedAttempts } from '../../../chain/writing/failedAttempts.ts';
import { LedgerError } from '../../../ledger/errors.ts';

const AWAY = new LedgerError('CHAIN_UNAVAILABLE');
const WAITS = 'records wait for the chain; attempts are repeated, every 5 s at least';

describe('failed attempts to reach the chain', () => {
  let lines: string[];
  let counted: number;
  let stop: AbortController;
  let attempts: FailedAttempts;
  const [first, second] = [{}, {}];
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [lines, counted, stop] = [[], 0, new AbortController()];
    attempts = createFailedAttempts({
      onProblem: (message) => lines.push(message),
      onFailedAttempt: () => {
        counted += 1;
      },
      signal: stop.signal,
    });
  });
  afterEach(() => mock.timers.reset());

  it('are a line for each kind of failure, and one when none has failed for 5 s', () => {
    for (const cause of [AWAY, AWAY, new Error('other')]) attempts.note(first, cause);
    attempts.note(second, AWAY);
    expect([lines, counted]).to.eql([[WAITS, WAITS], 4]);
    attempts.end(first);
    mock.timers.tick(5_000);
    expect(lines).to.have.length(2);
    attempts.end(second);
    mock.timers.tick(4_999);
    expect(lines).to.have.length(2);
    mock.timers.tick(1);
    expect(lines[2]).to.equal('the chain takes records again, after 4 failed attempts');
    attempts.note(first, AWAY);
    expect(lines.at(-1)).to.equal(WAITS);
    attempts.end(first);
    mock.timers.tick(5_000);
    expect(lines.at(-1)).to.equal('the chain takes records again, after 1 failed attempts');
  });

  it('go on when one fails within 5 s after the last', () => {
    attempts.note(first, AWAY);
    attempts.end(first);
    mock.timers.tick(4_000);
    attempts.note(second, AWAY);
    mock.timers.tick(4_000);
    expect(lines).to.eql([WAITS]);
  });

  it('have no end where no task failed, or after the writer stopped', () => {
    attempts.end(first);
    attempts.note(first, AWAY);
    attempts.end(first);
    stop.abort();
    attempts.note(second, AWAY);
    attempts.end(second);
    mock.timers.tick(10_000);
    expect(lines).to.eql([WAITS]);
  });

  it('that ended before the writer stopped are no line afterwards', () => {
    attempts.note(first, AWAY);
    attempts.end(first);
    stop.abort();
    mock.timers.tick(10_000);
    expect(lines).to.eql([WAITS]);
  });
});
