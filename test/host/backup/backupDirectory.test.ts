import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { claimBackupDirectory } from '../../../host/backup/backupDirectory.ts';
import { useDirectories } from '../../support/directories.ts';

describe('the directory of a backup', () => {
  const createDirectory = useDirectories();

  for (const [title, isThere] of [
    ['empty', true],
    ['new', false],
  ] as const) {
    it(`(${title}) is claimed by exactly one of several simultaneous calls`, async () => {
      const path = join(await createDirectory(), 'deep', 'place');
      if (isThere) await mkdir(path, { recursive: true });
      const taken = await Promise.allSettled([1, 2, 3, 4].map(() => claimBackupDirectory(path)));
      expect(taken.map(({ status }) => status).sort()).to.eql(['fulfilled', 'rejected', 'rejected', 'rejected']);
      expect(await readdir(path)).to.eql(['manifest.json.unfinished']);
    });

    it(`(${title}) is restored when the claim is released`, async () => {
      const path = join(await createDirectory(), 'place');
      if (isThere) await mkdir(path);
      const giveUp = await claimBackupDirectory(path);
      await mkdir(join(path, 'keys'));
      await writeFile(join(path, 'keys', 'relayer.key'), '0x');
      await giveUp();
      expect(await readdir(path).catch(() => undefined)).to.eql(isThere ? [] : undefined);
    });
  }

  it('is refused when it is not empty', async () => {
    const path = await createDirectory();
    await writeFile(join(path, 'something'), '');
    const refusal = await claimBackupDirectory(path).catch((error: Error) => error.message);
    expect(refusal).to.equal(`${path} is not empty`);
    expect(await readdir(path)).to.eql(['something']);
  });
});
