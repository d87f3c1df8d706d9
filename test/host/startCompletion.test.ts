import { expect } from 'chai';
import { createStartCompletion } from '../../host/startCompletion.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { rejectionOf } from '../support/refusals.ts';

const unwritten = (): LedgerError => new LedgerError('CHAIN_UNAVAILABLE', { message: 'unwritten', retryAfterMs: 1 });

describe('the rest of a start', () => {
  const reports: string[] = [];
  const report = (message: string): void => {
    reports.push(message);
  };
  beforeEach(() => reports.splice(0));

  it('is repeated while the journal lacks a block, and refuses nothing', async () => {
    let attempts = 0;
    const completion = createStartCompletion(async () => {
      attempts += 1;
      if (attempts < 4) throw unwritten();
    }, report);
    await completion.wait(undefined);
    completion.assertNotFailed();
    expect([attempts, completion.findIssue(), reports]).to.deep.equal([4, undefined, []]);
  });

  it('fails with any other error, and is reported once', async () => {
    let attempts = 0;
    const completion = createStartCompletion(async () => {
      attempts += 1;
      throw attempts === 1 ? unwritten() : new LedgerError('CHAIN_CORRUPT', { message: 'another hash' });
    }, report);
    expect(await rejectionOf(completion.completed)).to.equal('CHAIN_CORRUPT');
    expect(() => completion.assertNotFailed())
      .to.throw(LedgerError)
      .with.property('code', 'CHAIN_UNAVAILABLE');
    expect([attempts, completion.findIssue(), reports.length]).to.deep.equal([2, 'another hash', 1]);
  });

  it('ends when it is stopped, without a report', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const completion = createStartCompletion(async () => {
      begin();
      throw new LedgerError('CHAIN_UNAVAILABLE', { message: 'unwritten', retryAfterMs: 1_000_000 });
    }, report);
    await begun;
    completion.stop();
    expect(await rejectionOf(completion.completed)).to.equal('STOPPING');
    expect(reports).to.deep.equal([]);
  });
});
