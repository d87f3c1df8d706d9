// Set-up on disks that can't be written.
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { skipWithout } from '../support/missing.ts';
import { mountReadOnly } from '../support/readOnlyMount.ts';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk.ts';
import { copyRepository, type RepositoryCopy } from './repositoryCopy.ts';

const ONE_LINE = /^set-up: [^\n]+\n$/;

describe('scripts/setup.js on a disk', () => {
  const createDirectory = useDirectories();

  const expectRefusal = async (copy: RepositoryCopy, words: RegExp): Promise<void> => {
    const run = copy.start();
    expect(await run.ended).to.equal(1);
    expect(run.stderr()).to.match(ONE_LINE).and.match(words);
    expect(copy.npmLog()).to.deep.equal([]);
  };

  describe('that is small', () => {
    let disk: SmallDisk | undefined;
    let copy: RepositoryCopy;

    beforeEach(async function () {
      const directory = await createDirectory();
      disk = await mountSmallDisk(directory, 16);
      if (disk === undefined) skipWithout(this, 'the right to mount a disk (root)');
      copy = await copyRepository(directory);
    });
    afterEach(() => disk?.unmount());

    it('says how much it needs and how much there is', () =>
      expectRefusal(copy, /need over \d+ MiB .* has \d+ MiB free/));

    it('says that it is full', async () => {
      await disk!.fill();
      await expectRefusal(copy, /the disk is full \(ENOSPC\)/);
    });
  });

  it('that is read-only says so', async function () {
    const directory = await createDirectory();
    const copy = await copyRepository(directory);
    const unmount = await mountReadOnly(copy.root, copy.root);
    if (unmount === undefined) skipWithout(this, 'the right to mount a disk (root)');
    try {
      await expectRefusal(copy, /the disk is read-only \(EROFS\)/);
    } finally {
      await unmount!();
    }
  });
});
