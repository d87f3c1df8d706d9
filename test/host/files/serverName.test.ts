// The name of a server among those that share a directory of blobs.
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { openServerName } from '../../../host/files/serverName.ts';
import { openBlobs } from '../../../host/openBlobs.ts';
import type { Ledger } from '../../../host/openLedger.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA } from '../../support/records.ts';

const LIMITS = { bytesMax: 100, tenantBytesMax: 0, reserveBytes: 0 };
const UUID = /^[0-9a-f-]{36}$/;

describe('the name of a server', () => {
  const createDirectory = useDirectories();

  it('is the same at each start', async () => {
    const dataDir = await createDirectory();
    const name = await openServerName(dataDir);
    expect(name).to.match(UUID);
    expect(await openServerName(dataDir)).to.equal(name);
    expect(await readdir(dataDir)).to.deep.equal(['server-name']);
  });

  it('is another one in a copy of the data directory', async () => {
    const [dataDir, copy] = [await createDirectory(), await createDirectory()];
    const name = await openServerName(dataDir);
    await cp(dataDir, copy, { recursive: true });
    const other = await openServerName(copy);
    expect(other).not.to.equal(name);
    expect([await openServerName(dataDir), await openServerName(copy)]).to.deep.equal([name, other]);
  });

  it('is a new one when the file was cut off or changed', async () => {
    const dataDir = await createDirectory();
    for (const text of ['', 'name', '../../elsewhere 12\n']) {
      await writeFile(dataPaths(dataDir).serverName, text);
      expect(await openServerName(dataDir)).to.match(UUID);
    }
  });

  it('keeps the uploads of servers apart that were given the same relayer key', async () => {
    const shared = await createDirectory();
    const view = { readBlobBytes: async () => 0, isContentKnown: async () => false };
    const relayer = { address: `0x${'11'.repeat(20)}` };
    const dataDirs = [await createDirectory(), await createDirectory()];
    const open = (at: number) =>
      openBlobs({ dataDir: dataDirs[at]!, view, relayer } as unknown as Ledger, LIMITS, shared);
    const first = await open(0);
    const stream = async function* () {
      yield Buffer.from('in progress');
    };
    const staged = await first.stage(ALPHA, stream(), undefined);
    await open(1);
    expect(await first.keep(ALPHA, staged, async () => 'kept')).to.equal('kept');
    const left = await first.stage(ALPHA, stream(), undefined);
    await open(0);
    const incoming = (await readdir(join(shared, 'incoming'), { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    );
    expect([incoming, left.size]).to.deep.equal([[], 11]);
  });
});
