// Several batches that are submitted side by side, with the failures of one among them.
import { expect } from 'chai';
import type { Submission } from '../../../chain/writing/submission.ts';
import type { SentTransaction } from '../../../chain/writing/transactionSender.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { Commitment } from '../../../ledger/records/commitment.ts';
import { useDirectories } from '../../support/directories.ts';
import { type HeldSubmission, holdSubmissions, untilAborted } from '../../support/heldSubmissions.ts';
import { anEvent, eventOf } from '../../support/records.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';
import { openWriter, type WriterFixture } from '../../support/writerFixture.ts';

const IN_FLIGHT = 3;
const LINGER_MS = 50;

describe('several transactions in flight', () => {
  const time = useVirtualTime();
  const makeDirectory = useDirectories();
  let directory: string;
  let fixture: WriterFixture;
  let submitted: HeldSubmission[];
  let answers: Promise<Commitment>[];

  const open = async (limits = {}): Promise<void> => {
    fixture = await openWriter(directory, {
      limits: { transactionsInFlight: IN_FLIGHT, batchRecordsMax: 1, ...limits },
    });
    submitted = holdSubmissions(fixture.chain);
  };
  beforeEach(async () => {
    directory = await makeDirectory();
    answers = [];
    await open();
  });
  afterEach(() => fixture.close());

  /** Appends an event to an asset. */
  const append = (asset: number, event: number): string => {
    const record = anEvent({ identity: eventOf(asset, event) });
    answers.push(fixture.append(record));
    return record.identity;
  };
  const untilSubmitted = (count: number): Promise<void> => time.passUntil(() => submitted.length >= count);
  const order = (): string[][] => submitted.map(({ identities }) => identities);
  const statuses = async (): Promise<string[]> =>
    (await Promise.all(answers)).map(({ confirmation_status: status }) => status);
  const onChain = (): string[] => fixture.chain.appended.map(({ record }) => record.identity);

  it('are as many as may be, and the next one follows when one is mined', async () => {
    const all = [1, 2, 3, 4].map((asset) => append(asset, 1));
    await untilSubmitted(IN_FLIGHT);
    await time.pass(1_000);
    expect(order()).to.deep.equal(all.slice(0, IN_FLIGHT).map((identity) => [identity]));
    await submitted[1]!.mine();
    await untilSubmitted(4);
    for (const at of [0, 2, 3]) await submitted[at]!.mine();
    expect(await statuses()).to.deep.equal(Array(4).fill('CONFIRMED'));
  });

  it('never have two records of one stream, whose order could change', async () => {
    const [first, second, other] = [append(1, 1), append(1, 2), append(2, 1)];
    await untilSubmitted(2);
    await time.pass(1_000);
    expect(order()).to.deep.equal([[first], [other]]);
    await submitted[0]!.mine();
    await untilSubmitted(3);
    expect(order()[2]).to.deep.equal([second]);
    for (const at of [1, 2]) await submitted[at]!.mine();
    expect(await statuses()).to.deep.equal(Array(3).fill('CONFIRMED'));
  });

  it('gather records for 50 ms while one is in flight, and not at all when none is', async () => {
    await fixture.close();
    await open({ batchRecordsMax: 3 });
    append(1, 1);
    await time.until(() => submitted.length === 1);
    append(2, 1);
    await time.until(() => fixture.outbox.readEntries().length === 2);
    await time.turns();
    await time.pass(LINGER_MS - 1);
    append(3, 1);
    await time.until(() => fixture.outbox.readEntries().length === 3);
    expect(submitted).to.have.length(1);
    await time.pass(1);
    await time.until(() => submitted.length === 2);
    expect(submitted[1]!.identities).to.have.length(2);
    for (const { mine } of submitted) await mine();
    await statuses();
  });

  it('gather no longer when the batch is full, or nothing is in flight any more', async () => {
    await fixture.close();
    await open({ batchRecordsMax: 2 });
    append(1, 1);
    await time.until(() => submitted.length === 1);
    for (const asset of [2, 3]) append(asset, 1);
    await time.until(() => submitted.length === 2);
    append(4, 1);
    await time.until(() => fixture.outbox.readEntries().length === 4);
    await time.turns();
    for (const { mine } of submitted) await mine();
    await time.until(() => submitted.length === 3);
    await submitted[2]!.mine();
    await statuses();
  });

  it('let a failed one be sent again at once, and no further one begin before it is mined', async () => {
    const [first, second, third] = [append(1, 1), append(2, 1), append(3, 1)];
    await untilSubmitted(3);
    const fourth = append(4, 1);
    submitted[1]!.fail();
    await time.until(() => fixture.problems.length === 1);
    await submitted[0]!.mine();
    await untilSubmitted(4);
    await time.pass(1_000);
    expect(order()).to.deep.equal([[first], [second], [third], [second]]);
    await submitted[3]!.mine();
    await untilSubmitted(5);
    expect(order()[4]).to.deep.equal([fourth]);
    for (const at of [2, 4]) await submitted[at]!.mine();
    expect(await statuses()).to.deep.equal(Array(4).fill('CONFIRMED'));
  });

  it('end before a batch that reverted is split, and no further one begins before its parts', async () => {
    await fixture.close();
    await open({ batchRecordsMax: 2 });
    const all = [1, 2, 3, 4, 5, 6].map((asset) => append(asset, 1));
    await untilSubmitted(3);
    const last = append(7, 1);
    for (const at of [1, 0]) await submitted[at]!.mine({ outcome: 'reverted' });
    await time.pass(1_000);
    expect(submitted).to.have.length(3);
    await submitted[2]!.mine();
    for (let at = 3; at < 7; at += 1) {
      await untilSubmitted(at + 1);
      await time.pass(1_000);
      expect(submitted).to.have.length(at + 1);
      await submitted[at]!.mine();
    }
    await untilSubmitted(8);
    expect(order().slice(3).flat()).to.deep.equal([...all.slice(0, 4), last]);
    await submitted[7]!.mine();
    expect(await statuses()).to.deep.equal(Array(7).fill('CONFIRMED'));
  });

  it('leave later records of an asset waiting for those that may be submitted again', async () => {
    await fixture.close();
    await open({ batchRecordsMax: 2 });
    const final = Promise.withResolvers<void>();
    let removed: Hex | undefined = '0x';
    Object.assign(fixture.chain.submission, {
      findRemovedAuthor: async () => removed,
      awaitFinal: async (mined: SentTransaction, signal: AbortSignal) => {
        if (mined.outcome === 'reverted') await Promise.race([final.promise, untilAborted(signal)]);
        return mined;
      },
    });
    const [first, second] = [append(1, 1), append(1, 2)];
    await untilSubmitted(1);
    const [third, other] = [append(1, 3), append(2, 1)];
    for (const at of [0, 1]) {
      await untilSubmitted(at + 1);
      await submitted[at]!.mine({ outcome: 'reverted' });
    }
    await untilSubmitted(3);
    await time.pass(1_000);
    expect(order()).to.deep.equal([[first, second], [first], [other]]);
    removed = undefined;
    final.resolve();
    for (const at of [2, 3, 4]) {
      await untilSubmitted(at + 1);
      await submitted[at]!.mine();
    }
    expect(order().slice(3)).to.deep.equal([[second], [third]]);
    expect(await statuses()).to.deep.equal(['FAILED', 'CONFIRMED', 'CONFIRMED', 'CONFIRMED']);
  });

  describe('of which one has reverted', () => {
    // The first of two in flight has reverted; the other one waits for its nonce.
    const revertFirst = async (awaitFinal: Submission['awaitFinal']): Promise<void> => {
      Object.assign(fixture.chain.submission, { awaitFinal });
      for (const asset of [1, 2]) append(asset, 1);
      await untilSubmitted(2);
      await submitted[0]!.mine({ outcome: 'reverted' });
      await time.turns();
    };

    it('keep it on the chain until it is handled, and handle it once they are mined', async () => {
      const kept: (AbortSignal | undefined)[] = [];
      await revertFirst(async (mined, signal) => {
        if (mined.outcome !== 'reverted') return mined;
        kept.push(signal);
        if (kept.length === 1) await untilAborted(signal!);
        return mined;
      });
      expect(kept.map((signal) => signal!.aborted)).to.deep.equal([false]);
      await submitted[1]!.mine();
      expect(await statuses()).to.deep.equal(['FAILED', 'CONFIRMED']);
      expect(kept.map((signal) => signal!.aborted)).to.deep.equal([true, false]);
      expect(fixture.failedAttempts()).to.equal(0);
    });

    it('follow its outcome in the final block, when that comes before they are mined', async () => {
      const { submit } = fixture.chain.submission;
      await revertFirst(async (mined, signal) => {
        if (mined.outcome !== 'reverted') return mined;
        const waiting = fixture.outbox.readEntries().slice(0, 1);
        const again = submit(waiting, signal, undefined);
        await submitted.at(-1)!.mine();
        return again;
      });
      await submitted[1]!.mine();
      expect(await statuses()).to.deep.equal(['CONFIRMED', 'CONFIRMED']);
      expect(submitted).to.have.length(3);
    });

    it('leave it in the outbox when the writer stops meanwhile', async () => {
      await revertFirst((_, signal) => untilAborted(signal!));
      await fixture.writer.stop();
      expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
      expect(fixture.outbox.pendingCount()).to.equal(2);
    });
  });

  it('are submitted with an estimate when gas was used up, and never FAILED for that', async () => {
    append(1, 1);
    await untilSubmitted(1);
    await submitted[0]!.mine({ outcome: 'reverted', mayLackGas: true });
    await untilSubmitted(2);
    await submitted[1]!.mine({ outcome: 'reverted', mayLackGas: true, isEstimated: true });
    await untilSubmitted(3);
    expect(submitted.map(({ isEstimated }) => isEstimated)).to.deep.equal([false, true, true]);
    expect(fixture.outbox.failedCount()).to.equal(0);
    await submitted[2]!.mine();
    expect(await statuses()).to.deep.equal(['CONFIRMED']);
  });

  it('are halved when an estimate does not help a batch', async () => {
    await fixture.close();
    await open({ batchRecordsMax: 2 });
    const all = [append(1, 1), append(2, 1)];
    await untilSubmitted(1);
    await submitted[0]!.mine({ outcome: 'reverted', mayLackGas: true });
    await untilSubmitted(2);
    await submitted[1]!.mine({ outcome: 'reverted', mayLackGas: true, isEstimated: true });
    for (const at of [2, 3]) {
      await untilSubmitted(at + 1);
      await submitted[at]!.mine();
    }
    expect(order()).to.deep.equal([all, all, [all[0]], [all[1]]]);
    expect(await statuses()).to.deep.equal(['CONFIRMED', 'CONFIRMED']);
  });

  it('are submitted after a restart before new records, each once', async () => {
    const before = [1, 2, 3, 4].map((asset) => append(asset, 1));
    await untilSubmitted(IN_FLIGHT);
    const { chain } = fixture;
    await submitted[1]!.mine();
    await time.until(() => onChain().length === 1);
    await fixture.close();
    const held = submitted.length;
    fixture = await openWriter(directory, {
      chain,
      limits: { transactionsInFlight: IN_FLIGHT, batchRecordsMax: 1 },
    });
    const after = append(5, 1);
    for (let at = held; at < held + 3; at += 1) {
      await untilSubmitted(at + 1);
      await submitted[at]!.mine();
    }
    await untilSubmitted(held + 4);
    await submitted[held + 3]!.mine();
    await time.passUntil(() => fixture.outbox.pendingCount() === 0);
    expect(onChain().toSorted()).to.deep.equal([...before, after].toSorted());
    expect(onChain().at(-1)).to.equal(after);
  });

  it('keep their records in the outbox when the writer stops', async () => {
    for (const asset of [1, 2, 3, 4]) append(asset, 1);
    await untilSubmitted(IN_FLIGHT);
    await fixture.writer.stop();
    expect(await statuses()).to.deep.equal(Array(4).fill('PENDING'));
    expect(fixture.outbox.pendingCount()).to.equal(4);
  });
});
