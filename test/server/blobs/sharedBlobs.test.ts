// Servers of one organisation with one directory of blobs: each writes and cleans it while the others do.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { type BlobStore, openBlobStore, type StagedFile } from '../../../server/blobs/blobStore.ts';
import { useDirectories } from '../../support/directories.ts';
import { listFiles } from '../support/uploads.ts';

const TENANT = 'tenant/0b7f3bd4-9d3c-4c12-8f3a-1f6b1d7c2e90';
const SERVERS = ['0x01', '0x02', '0x03'] as const;
const UPLOADS = 40;

const toStream = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
};

describe('blobs of several servers', () => {
  const createDirectory = useDirectories();
  let directory: string;
  beforeEach(async () => {
    directory = join(await createDirectory(), 'blobs');
  });

  // No server knows the records that wait in the outbox of another.
  const open = (sharedAs: string): Promise<BlobStore> =>
    openBlobStore({
      directory,
      sharedAs,
      bytesMax: 100,
      tenantBytesMax: 0,
      reserveBytes: 0,
      readBlobBytes: async () => 0,
      newUuid: randomUUID,
      isContentKnown: async () => false,
      onProblem: (message) => expect.fail(message),
    });
  const stage = (store: BlobStore, text = 'hello'): Promise<StagedFile> =>
    store.stage(TENANT, toStream(text), undefined);
  const read = async (store: BlobStore, { sha256, size }: StagedFile): Promise<string> => {
    const { root, path } = await store.locate({ tenantIdentity: TENANT, sha256 }, size);
    return readFile(join(root, path), 'utf8');
  };
  const refuse = async (): Promise<never> => {
    throw new LedgerError('OUTBOX_FULL');
  };

  it('are kept by one server while another starts, before, during and after the append', async () => {
    const store = await open('0x01');
    const staged = await stage(store);
    const other = await open('0x02');
    await store.keep(TENANT, staged, () => open('0x03'));
    await open('0x02');
    expect(await read(other, staged)).to.equal('hello');
  });

  it('stay when the record of another server with the same content is refused', async () => {
    const [store, other] = [await open('0x01'), await open('0x02')];
    const [kept, refused] = [await stage(store), await stage(other)];
    await store.keep(TENANT, kept, () => other.keep(TENANT, refused, refuse).catch(() => undefined));
    expect(await read(store, kept)).to.equal('hello');
    await other.keep(TENANT, await stage(other), refuse).catch(() => undefined);
    expect(await read(store, kept)).to.equal('hello');
  });

  it('of a server that was killed are cleaned at its own next start', async () => {
    const store = await open('0x01');
    await stage(store, 'never appended');
    await open('0x02');
    expect(await listFiles(directory)).to.have.length(1);
    await open('0x01');
    expect(await listFiles(directory)).to.deep.equal([]);
  });

  it('are complete, whatever the servers upload, refuse and clean at once', async () => {
    const stores = await Promise.all(SERVERS.map(open));
    const uploads = Array.from({ length: UPLOADS }, async (_, at) => {
      const store = stores[at % stores.length]!;
      const staged = await stage(store, `content ${at % 5}`);
      await store.keep(TENANT, staged, at % 3 === 0 ? refuse : async () => undefined).catch(() => undefined);
      return staged;
    });
    const starts = Array.from({ length: 10 }, () => open('0x04'));
    const staged = await Promise.all(uploads);
    await Promise.all(starts);
    for (const [at, file] of staged.entries())
      for (const store of stores) expect(await read(store, file)).to.equal(`content ${at % 5}`);
    expect((await listFiles(directory)).every((path) => path.startsWith('content/'))).to.equal(true);
  });
});
