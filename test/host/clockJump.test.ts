import { expect } from 'chai';
import { createFindJump } from '../../host/clockJump.ts';

const HOUR_MS = 3_600_000;

describe('a clock that jumps forward', () => {
  const setUp = () => {
    const clock = { nowMs: 1_000_000_000, uptimeMs: 5_000 };
    const problems: string[] = [];
    const read = { nowMs: () => clock.nowMs, uptimeMs: () => clock.uptimeMs };
    const findJump = createFindJump(read, (problem) => problems.push(problem));
    const pass = (ms: number): void => {
      clock.nowMs += ms;
      clock.uptimeMs += ms;
    };
    return { clock, problems, findJump, pass };
  };

  it('by more than an hour against the time since boot is found while it lasts, and reported once', () => {
    const { clock, problems, findJump, pass } = setUp();
    pass(HOUR_MS * 100);
    expect(findJump()).to.equal(undefined);
    clock.nowMs += HOUR_MS;
    expect(findJump()).to.equal(undefined);
    clock.nowMs += 1;
    expect([findJump(), findJump()]).to.deep.equal([HOUR_MS + 1, HOUR_MS + 1]);
    pass(HOUR_MS);
    expect(findJump()).to.equal(HOUR_MS + 1);
    expect(problems).to.have.length(1);
    clock.nowMs -= HOUR_MS;
    expect([findJump(), findJump()]).to.deep.equal([undefined, undefined]);
    expect(problems).to.have.length(2);
  });

  it('is not one that is set back', () => {
    const { clock, problems, findJump } = setUp();
    clock.nowMs -= 10 * HOUR_MS;
    expect([findJump(), problems.length]).to.deep.equal([undefined, 0]);
  });
});
