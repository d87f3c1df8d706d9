import { expect } from 'chai';
import { EngineEnded } from '../../../../chain/embedded/engine/engine.ts';
import { createEndReports } from '../../../../chain/embedded/sandbox/endReports.ts';

const MESSAGE = "the engine that executes third parties' code has ended; another one starts";

describe('createEndReports', () => {
  it('reports at most one end a minute, with their number', () => {
    const reports: string[] = [];
    let nowMs = 0;
    const report = createEndReports(
      (message) => reports.push(message),
      () => nowMs,
    );
    for (nowMs = 0; nowMs <= 60_000; nowMs += 20_000) report(new EngineEnded('signal SIGABRT'));
    expect(reports).to.deep.equal([MESSAGE, `${MESSAGE} (3 times since this was last reported)`]);
    nowMs = 200_000;
    report(new EngineEnded('signal SIGABRT'));
    expect(reports.slice(2)).to.deep.equal([MESSAGE]);
  });
});
