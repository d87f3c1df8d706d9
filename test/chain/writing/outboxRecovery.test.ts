// A failed write of the outbox: what was acknowledged stays, what was refused is removed, and no restart is needed.
import { expect } from 'chai';
import type { Level } from 'level';
import { createOutbox, type Outbox } from '../../../chain/writing/outbox.ts';
import { readCommittedBlock } from '../../../chain/writing/outboxStore.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { acceptRecord } from '../../support/acceptRecord.ts';
import { useDirectories } from '../../support/directories.ts';
import { FULL, withFailingLevel, withLevelMethod } from '../../support/levelMethod.ts';
import { A_FAILURE, ALPHA, anEvent, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { until } from '../../support/until.ts';

describe('outbox on a disk that was full', () => {
  const makeDirectory = useDirectories();
  const open = (directory: string, problems: string[] = []): Promise<Outbox> =>
    createOutbox({
      directory,
      entriesMax: 100,
      recoveryPeriodMs: 1,
      onProblem: (message) => problems.push(message),
    });
  const accept = (outbox: Outbox, event: number) => {
    const record = anEvent({ identity: eventOf(1, event) });
    return acceptRecord(outbox, ALPHA, record, encodePayload(record));
  };
  const eventsOf = (outbox: Outbox): string[] => outbox.readEntries().map(({ record }) => record.identity);
  const isWorking = (outbox: Outbox) => (): boolean => outbox.findHealthIssue() === undefined;

  const expectStored = async (directory: string, events: readonly number[]): Promise<void> => {
    const again = await open(directory);
    expect(eventsOf(again)).to.deep.equal(events.map((event) => eventOf(1, event)));
    await again.close();
  };

  it('accepts records again once there is space, and has exactly those that it acknowledged', async () => {
    const directory = await makeDirectory();
    const problems: string[] = [];
    const outbox = await open(directory, problems);
    await accept(outbox, 1);
    await withFailingLevel(
      'batch',
      async () => {
        expect(await rejectionOf(accept(outbox, 2))).to.equal('STORAGE_FULL');
        expect(await rejectionOf(accept(outbox, 3))).to.equal('STORAGE_FULL');
        expect(outbox.findHealthIssue()).to.be.a('string');
      },
      FULL,
    );
    await until(isWorking(outbox));
    await accept(outbox, 4);
    expect(eventsOf(outbox)).to.deep.equal([eventOf(1, 1), eventOf(1, 4)]);
    expect(problems).to.have.length(2);
    await outbox.close();
    await expectStored(directory, [1, 4]);
  });

  it('writes nothing after a failed write until the database is opened again', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    const committed = await accept(outbox, 1);
    let attempts = 0;
    // A part of the record may be in LevelDB's log, and a record behind it is lost at the next opening.
    const failOnce = (): (() => Promise<void>) => async () => {
      attempts += 1;
      await Promise.resolve();
      throw FULL;
    };
    await withLevelMethod('batch', failOnce, async () => {
      const removal = outbox.remove([committed], 1);
      expect(await rejectionOf(accept(outbox, 2))).to.equal('STORAGE_FULL');
      await removal;
    });
    expect(attempts).to.equal(1);
    await until(isWorking(outbox));
    await accept(outbox, 3);
    await outbox.close();
    await expectStored(directory, [3]);
  });

  it('is not opened again while the disk refuses what that writes', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    await accept(outbox, 1);
    let attempts = 0;
    const fail = () => async () => {
      attempts += 1;
      throw FULL;
    };
    await withLevelMethod('batch', fail, async () => {
      expect(await rejectionOf(accept(outbox, 2))).to.equal('STORAGE_FULL');
      await until(() => attempts > 3);
      expect(outbox.findHealthIssue()).to.be.a('string');
    });
    await until(isWorking(outbox));
    await outbox.close();
    await expectStored(directory, [1]);
  });

  it('keeps the newest block of removals that the disk refused', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    const entries = [await accept(outbox, 1), await accept(outbox, 2), await accept(outbox, 3)];
    await withFailingLevel(
      'batch',
      async () => {
        await outbox.remove([entries[0]!], 10);
        await outbox.remove([entries[1]!], 20);
      },
      FULL,
    );
    await outbox.remove([entries[2]!], 15);
    await until(isWorking(outbox));
    await outbox.close();
    expect(await readCommittedBlock(directory)).to.equal(20);
    await expectStored(directory, []);
  });

  it('drops a refused record that reached the disk', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    const failAfterwards = (original: (this: Level, ...args: unknown[]) => Promise<void>) =>
      async function (this: Level, ...args: unknown[]): Promise<void> {
        await original.apply(this, args);
        throw FULL;
      };
    await withLevelMethod('batch', failAfterwards, async () => {
      expect(await rejectionOf(accept(outbox, 1))).to.equal('STORAGE_FULL');
    });
    await until(isWorking(outbox));
    await outbox.close();
    await expectStored(directory, []);
  });

  it('repeats failed removals, and writes again what the disk has lost', async () => {
    const directory = await makeDirectory();
    const problems: string[] = [];
    const outbox = await open(directory, problems);
    const [first] = [await accept(outbox, 1), await accept(outbox, 2)];
    let loses = true;
    const loseAll = (original: (this: Level, ...args: unknown[]) => Promise<void>) =>
      async function (this: Level, ...args: unknown[]): Promise<void> {
        if (loses) await this.clear();
        loses = false;
        if (!outbox.findHealthIssue()) throw FULL;
        return original.apply(this, args);
      };
    await withLevelMethod('batch', loseAll, async () => {
      await outbox.remove([first], 1);
      await until(isWorking(outbox));
    });
    expect(eventsOf(outbox)).to.deep.equal([eventOf(1, 2)]);
    expect(problems.some((message) => message.startsWith('1 entries'))).to.equal(true);
    await outbox.close();
    await expectStored(directory, [2]);
  });

  it('marks a record as FAILED only when that is on the disk', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    const entry = await accept(outbox, 1);
    await withFailingLevel(
      'batch',
      async () => {
        expect(await rejectionOf(outbox.fail(entry, A_FAILURE))).to.equal('STORAGE_FULL');
      },
      FULL,
    );
    expect(outbox.readEntries()[0]!.status).to.equal('PENDING');
    await until(isWorking(outbox));
    await outbox.fail(entry, A_FAILURE);
    expect(outbox.readEntries()[0]!.status).to.equal('FAILED');
    await outbox.close();
  });

  it('closes while the disk is full', async () => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    await accept(outbox, 1);
    await withFailingLevel('batch', async () => {
      await rejectionOf(accept(outbox, 2));
      await outbox.close();
    });
    await expectStored(directory, [1]);
  });
});
