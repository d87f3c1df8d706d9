// Every database of a data directory begins again after a first start that a power failure cut off.
import { join } from 'node:path';
import { expect } from 'chai';
import { openJournal } from '../../../chain/embedded/journal/journal.ts';
import { openRecentBlocks } from '../../../chain/embedded/journal/recentBlocks.ts';
import { openSalvage } from '../../../chain/embedded/journal/salvage.ts';
import { createOutbox } from '../../../chain/writing/outbox.ts';
import { readCommittedBlock } from '../../../chain/writing/outboxStore.ts';
import { lockDirectory } from '../../../host/files/directoryLock.ts';
import { inspectIndex, openIndex } from '../../../host/files/indexFiles.ts';
import { openSalvagedIndex } from '../../../host/repair/repairIndex.ts';
import { cutOffStarts, writeFiles } from '../../support/cutOffStarts.ts';
import { useDirectories } from '../../support/directories.ts';

type Closable = { close(): Promise<void> };

const openInspectedIndex = async (directory: string, problems: string[]): Promise<Closable> => {
  const found = await inspectIndex(directory, () => undefined);
  return openIndex(directory, found, (message) => problems.push(message));
};

const OPENERS: Readonly<Record<string, (directory: string, problems: string[]) => Promise<Closable>>> = {
  outbox: (directory) => createOutbox({ directory, entriesMax: 1 }),
  journal: openJournal,
  'copy of the newest blocks': async (directory, problems) => {
    const copy = await openRecentBlocks(directory, { opensDamaged: false });
    if (copy.damage !== undefined) problems.push(copy.damage);
    return copy;
  },
  index: openInspectedIndex,
  'journal of a repair': async (journal) => {
    const salvage = await openSalvage({ journal, copy: `${journal}-none` });
    expect(salvage).to.include({ genesis: undefined, newest: 0, undamagedJournalNewest: undefined });
    return salvage;
  },
  'index of a repair': async (directory, problems) => {
    const index = await openSalvagedIndex(directory);
    if (index.damage !== undefined) problems.push(index.damage);
    return index;
  },
};

describe('a first start that a power failure cut off', () => {
  const makeDirectory = useDirectories();

  for (const [name, open] of Object.entries(OPENERS)) {
    it(`is no damage to the ${name}, which opens`, async () => {
      for (const files of Object.values(cutOffStarts)) {
        const directory = join(await makeDirectory(), 'database');
        await writeFiles(directory, files);
        const problems: string[] = [];
        await (await open(directory, problems)).close();
        expect(problems).to.deep.equal([]);
      }
    });
  }

  it('is no damage to the outbox for a command that only reads it', async () => {
    for (const files of Object.values(cutOffStarts)) {
      const directory = await makeDirectory();
      await writeFiles(directory, files);
      expect(await readCommittedBlock(directory)).to.equal(0);
    }
  });

  it('does not keep the data directory from being locked, for one process', async () => {
    for (const files of Object.values(cutOffStarts)) {
      const dataDir = await makeDirectory();
      await writeFiles(join(dataDir, 'lock'), files);
      const unlock = await lockDirectory(dataDir);
      const refusal = await lockDirectory(dataDir).catch((error: Error) => error.message);
      expect(refusal).to.equal(`Another process has ${dataDir} open`);
      await unlock();
      await (await lockDirectory(dataDir))();
    }
  });
});
