import { expect } from 'chai';
import fc from 'fast-check';
import { createAcceptanceClock } from '../../server/acceptanceClock.ts';
import { runs } from '../support/propertyRuns.ts';

describe('the clock of acceptances and verdicts', () => {
  it('accepts no record at a time that was evaluated, and evaluates no time before an accepted record', () => {
    const steps = fc.array(
      fc.record({ forwardMs: fc.constantFrom(-5000, -1, 0, 0, 0, 1, 7), kind: fc.constantFrom('accept', 'evaluate') }),
      { maxLength: 50 },
    );
    const check = fc.property(steps, (taken) => {
      let machineMs = 1_000_000;
      const clock = createAcceptanceClock(() => machineMs);
      let [acceptedMs, evaluatedMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const { forwardMs, kind } of taken) {
        machineMs += forwardMs;
        if (kind === 'accept') {
          const atMs = clock.accept();
          expect(atMs).to.be.greaterThan(evaluatedMs).and.at.least(acceptedMs);
          acceptedMs = atMs;
        } else {
          const atMs = clock.evaluate();
          expect(atMs).to.be.at.least(Math.max(acceptedMs, evaluatedMs));
          evaluatedMs = atMs;
        }
      }
    });
    fc.assert(check, runs(500));
  });

  it("is never more than two milliseconds ahead of the machine's clock while that advances", () => {
    let machineMs = 0;
    const clock = createAcceptanceClock(() => machineMs);
    for (machineMs = 0; machineMs < 100; machineMs += 1) {
      expect(clock.accept()).to.be.within(machineMs, machineMs + 1);
      expect(clock.evaluate()).to.be.within(machineMs - 1, machineMs + 1);
    }
  });
});
