// Indexes that were set aside have their mark at the end of their own name, whatever the folders above are called.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { findUnread, markRead, setIndexAside } from '../../../host/gone/replacedIndexes.ts';
import { useDirectories } from '../../support/directories.ts';

describe('an index that is set aside', () => {
  const newDirectory = useDirectories();

  it('is unread first, and then read, also below a folder that has such a name', async () => {
    const directory = join(await newDirectory(), 'data.replaced-1', 'old.unread-2');
    const index = join(directory, 'index');
    await mkdir(index, { recursive: true });
    await setIndexAside(index);
    expect(await findUnread(index)).to.deep.equal([`${index}.unread-1`]);
    expect(await markRead(`${index}.unread-1`)).to.equal(`${index}.replaced-1`);
    await setIndexAside(index);
    expect(await readdir(directory)).to.have.members(['index', 'index.replaced-1', 'index.unread-2']);
  });
});
