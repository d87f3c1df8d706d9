// Files and their names are on the disk, not only in the kernel, when a function resolves. A killed process can't show
// that.
import { readFile, realpath, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type ContentFiles, openContentFiles, writeStream } from '../../../server/blobs/contentFiles.ts';
import { useDirectories } from '../../support/directories.ts';
import { watchFileSyncs } from '../../support/fileSyncs.ts';

const KEY = { tenantIdentity: 'tenant/0b7f3bd4-9d3c-4c12-8f3a-1f6b1d7c2e90', sha256: `ab${'c'.repeat(62)}` };

async function* toStream(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

describe('content files', () => {
  const createDirectory = useDirectories();
  let root: string;
  let files: ContentFiles;
  beforeEach(async () => {
    root = join(await realpath(await createDirectory()), 'blobs');
    files = await openContentFiles(root);
  });

  const write = async (): Promise<string> => {
    const path = files.toIncomingPath('new');
    const bounds = { bytesMax: 100, beforeWrite: async () => undefined, afterWrite: () => undefined };
    await writeStream(path, toStream('hel', 'lo'), bounds);
    return path;
  };

  it('are opened with their directories synced', async () => {
    const other = join(dirname(root), 'others');
    const syncs = await watchFileSyncs(() => openContentFiles(other));
    expect(syncs).to.deep.equal([
      { path: other, content: ['content', 'incoming'] },
      { path: dirname(root), content: ['blobs', 'others'] },
    ]);
  });

  it('are written completely before they are synced', async () => {
    const syncs = await watchFileSyncs(write);
    expect(syncs).to.deep.equal([{ path: files.toIncomingPath('new'), content: 'hello' }]);
  });

  it('are synced at their path, with each new directory above it', async () => {
    const path = await write();
    const syncs = await watchFileSyncs(() => files.place(path, KEY, 5));
    const [tenant, folder, name] = files.toPath(KEY).split('/') as [string, string, string];
    expect(syncs).to.deep.equal([
      { path: join(files.directory, tenant, folder), content: [name] },
      { path: join(files.directory, tenant), content: [folder] },
      { path: files.directory, content: [tenant] },
    ]);
  });

  it('replace a truncated file, and leave a complete one', async () => {
    await files.place(await write(), KEY, 5);
    const place = join(files.directory, files.toPath(KEY));
    await truncate(place, 3);
    await files.place(await write(), KEY, 5);
    expect(await readFile(place, 'utf8')).to.equal('hello');
    const again = await write();
    await files.place(again, KEY, 5);
    expect(await readFile(again, 'utf8'), 'not moved').to.equal('hello');
  });

  it('are deleted from a directory that is then synced', async () => {
    await files.place(await write(), KEY, 5);
    const syncs = await watchFileSyncs(() => files.remove(KEY));
    expect(syncs).to.deep.equal([{ path: dirname(join(files.directory, files.toPath(KEY))), content: [] }]);
  });

  it('have a synced marker before anything relies on it', async () => {
    const syncs = await watchFileSyncs(() => files.mark(KEY, 'one'));
    const path = (await files.readLeftovers())[0]!.path;
    expect(syncs).to.deep.equal([{ path: dirname(path), content: [path.slice(dirname(path).length + 1)] }]);
  });
});
