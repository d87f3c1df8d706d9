// A reorg can change the outcome of a transaction: what counts is the final one.
import { expect } from 'chai';
import type { SentTransaction } from '../../../chain/writing/transactionSender.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { anEvent, eventOf } from '../../support/records.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter, type WriterFixture } from '../../support/writerFixture.ts';

const numbered = (event: number): LedgerRecord => anEvent({ identity: eventOf(1, event) });
const inBlock = (outcome: SentTransaction['outcome'], nonce = 0): SentTransaction => ({
  hash: '0xaa',
  blockNumber: 0,
  outcome,
  account: { address: '0x', nonce },
});

describe('a transaction whose outcome a reorg has changed', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();
  let fixture: WriterFixture;
  beforeEach(async () => {
    fixture = await openWriter(await makeDirectory(), { limits: { minedBatchesMax: 8 } });
  });
  afterEach(() => fixture.close());

  // The first submission has this outcome and appends nothing.
  const answerFirst = (
    first: SentTransaction['outcome'],
    awaitFinal: () => Promise<SentTransaction>,
  ): { submissions: number } => {
    const { submission } = fixture.chain;
    const { submit } = submission;
    const seen = { submissions: 0 };
    Object.assign(submission, {
      submit: async (...args: Parameters<typeof submit>) => {
        seen.submissions += 1;
        return seen.submissions === 1 ? inBlock(first) : submit(...args);
      },
      awaitFinal: async (mined: SentTransaction) => (mined.hash === '0xaa' ? awaitFinal() : mined),
      awaitReplaced: async (mined: SentTransaction) => {
        if (mined.hash === '0xaa') await awaitFinal();
      },
    });
    return seen;
  };
  const pending = (): number => fixture.outbox.pendingCount();

  it('makes a record FAILED that was alone in it when it reverted in the end', async () => {
    const seen = answerFirst('succeeded', async () => inBlock('reverted'));
    const { confirmation_status: status } = await fixture.append(numbered(1));
    expect(status).to.equal('FAILED');
    expect(seen.submissions).to.equal(1);
    expect([pending(), fixture.outbox.failedCount()]).to.deep.equal([0, 1]);
  });

  it('is submitted again when it reverted in the end with a lower nonce than an earlier one of its record', async () => {
    const seen = answerFirst('succeeded', async () => inBlock('reverted'));
    const { submission } = fixture.chain;
    const { submit } = submission;
    submission.submit = async (records, signal, onNonce) => {
      if (seen.submissions === 0) await onNonce!({ address: '0x', nonce: 1 });
      return submit(records, signal, onNonce);
    };
    const { confirmation_status: status } = await fixture.append(numbered(1));
    expect([status, seen.submissions]).to.deep.equal(['CONFIRMED', 2]);
  });

  it('is submitted again when several records were in it and it reverted in the end', async () => {
    const seen = answerFirst('succeeded', async () => inBlock('reverted'));
    const commitments = await Promise.all([fixture.append(numbered(1)), fixture.append(numbered(2))]);
    expect(commitments.map(({ confirmation_status: status }) => status)).to.deep.equal(['CONFIRMED', 'CONFIRMED']);
    expect(seen.submissions).to.equal(2);
    expect(fixture.chain.submitted).to.deep.equal([[eventOf(1, 1), eventOf(1, 2)]]);
    expect(fixture.problems.join()).to.contain('submitted again');
  });

  it('is submitted again before any further batch', async () => {
    const submittedAgain = Promise.withResolvers<void>();
    answerFirst('succeeded', async () => inBlock('reverted'));
    fixture.chain.beforeSubmit = () => submittedAgain.promise;
    void fixture.append(numbered(1));
    void fixture.append(numbered(2));
    await time.until(() => fixture.chain.submitted.length === 1);
    void fixture.append(numbered(3));
    await time.until(() => pending() === 3);
    await time.turns();
    expect(fixture.chain.submitted).to.deep.equal([[eventOf(1, 1), eventOf(1, 2)]]);
    submittedAgain.resolve();
    await time.passUntil(() => pending() === 0);
    expect(fixture.chain.submitted[1]).to.deep.equal([eventOf(1, 3)]);
  });

  it('does not make a record FAILED when it succeeded in the end', async () => {
    answerFirst('reverted', async () => inBlock('succeeded'));
    void fixture.append(numbered(1));
    await time.until(() => fixture.problems.length > 0);
    expect(fixture.problems.join()).to.contain('npm run rebuild');
    expect([pending(), fixture.outbox.failedCount()]).to.deep.equal([1, 0]);
  });

  it('is kept on the chain until it is final although it reverted, since others wait for its nonce', async () => {
    let failures = 3;
    answerFirst('reverted', async () => {
      failures -= 1;
      if (failures >= 0) throw new LedgerError('CHAIN_UNAVAILABLE');
      return inBlock('reverted');
    });
    void fixture.append(numbered(1));
    void fixture.append(numbered(2));
    await time.passUntil(() => pending() === 0 && failures < 0);
    expect(fixture.outbox.failedCount()).to.equal(0);
  });
});
