import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LedgerError, type LedgerErrorCode } from '../../../ledger/errors.ts';
import { type BlobStore, openBlobStore } from '../../../server/blobs/blobStore.ts';
import { toStorageError } from '../../../server/blobs/contentFiles.ts';
import { useDirectories } from '../../support/directories.ts';
import { listFiles } from '../support/uploads.ts';

const TENANT = 'tenant/0b7f3bd4-9d3c-4c12-8f3a-1f6b1d7c2e90';

const toStream = async function* (...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
};

describe('createBlobStore', () => {
  const createDirectory = useDirectories();
  let directory: string;
  let known: Set<string>;
  let problems: string[];

  const open = (): Promise<BlobStore> =>
    openBlobStore({
      directory,
      bytesMax: 100,
      tenantBytesMax: 0,
      reserveBytes: 0,
      readBlobBytes: async () => 0,
      newUuid: randomUUID,
      isContentKnown: async (tenantIdentity, sha256) => known.has(`${tenantIdentity} ${sha256}`),
      onProblem: (message) => problems.push(message),
    });
  const stageHello = (store: BlobStore) => store.stage(TENANT, toStream('hel', 'lo'), undefined);

  beforeEach(async () => {
    directory = join(await createDirectory(), 'blobs');
    known = new Set();
    problems = [];
  });

  it('has a staged file in the folder of incoming files until it is kept or discarded', async () => {
    const store = await open();
    const [kept, discarded] = [await stageHello(store), await stageHello(store)];
    expect((await listFiles(directory)).map((path) => path.split('/')[0])).to.eql(['incoming', 'incoming']);
    await store.discard(discarded);
    expect(await store.keep(TENANT, kept, async () => 'answer')).to.equal('answer');
    await store.discard(kept);
    const { root, path } = await store.locate({ tenantIdentity: TENANT, sha256: kept.sha256 }, 5);
    expect(await readFile(join(root, path), 'utf8')).to.equal('hello');
    expect(await listFiles(directory)).to.eql([`content/${path}`]);
  });

  it('does not locate a content of another size', async () => {
    const store = await open();
    const kept = await stageHello(store);
    await store.keep(TENANT, kept, async () => 'answer');
    const key = { tenantIdentity: TENANT, sha256: kept.sha256 };
    for (const size of [4, 6]) {
      const error = await store.locate(key, size).catch((cause: unknown) => cause);
      expect(error).to.have.property('code', 'BLOB_DAMAGED');
    }
    expect(problems).to.have.length(2);
  });

  it('has moved the content and marked it when the record is appended', async () => {
    const store = await open();
    const staged = await stageHello(store);
    await store.keep(TENANT, staged, async () => {
      const files = await listFiles(directory);
      expect(files).to.have.length(2);
      expect(files[1]).to.include(staged.sha256);
      await store.locate({ tenantIdentity: TENANT, sha256: staged.sha256 }, 5);
    });
  });

  it('leaves no file of a stream that fails', async () => {
    const store = await open();
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('hel');
      throw new Error('gone');
    };
    const error = await store.stage(TENANT, broken(), undefined).catch((cause: unknown) => cause);
    expect(error).to.have.property('message', 'gone');
    expect(await listFiles(directory)).to.eql([]);
  });

  it('reports a full disk to the client and the operator', async () => {
    const store = await open();
    // biome-ignore lint/correctness/useYield: it fails before it has anything
    const full = async function* (): AsyncGenerator<Uint8Array> {
      throw Object.assign(new Error(), { code: 'ENOSPC' });
    };
    const error = await store.stage(TENANT, full(), undefined).catch((cause: unknown) => cause);
    expect(error).to.have.property('code', 'STORAGE_FULL');
    expect(problems).to.have.length(1);
    expect(await listFiles(directory)).to.eql([]);
  });

  it('deletes at the next start an incoming file that was not kept', async () => {
    await stageHello(await open());
    await open();
    expect(await listFiles(directory)).to.eql([]);
  });

  // A process that is killed leaves the disk as it is at that moment; here the append never ends.
  const dieWhileAppending = async (): Promise<string> => {
    const store = await open();
    const staged = await stageHello(store);
    await new Promise<void>((resolve) => {
      store.keep(TENANT, staged, () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    return staged.sha256;
  };

  it('deletes at the next start a content without a record', async () => {
    await dieWhileAppending();
    await open();
    expect(await listFiles(directory)).to.eql([]);
  });

  it('keeps at the next start a content whose record was accepted', async () => {
    const sha256 = await dieWhileAppending();
    known.add(`${TENANT} ${sha256}`);
    const store = await open();
    expect(await listFiles(directory)).to.have.length(1);
    await store.locate({ tenantIdentity: TENANT, sha256 }, 5);
  });

  it('deletes it even if another tenant has the same content', async () => {
    const sha256 = await dieWhileAppending();
    known.add(`tenant/another ${sha256}`);
    await open();
    expect(await listFiles(directory)).to.eql([]);
  });

  it('keeps a content whose record may have been accepted until the next start', async () => {
    for (const error of [new LedgerError('CHAIN_UNAVAILABLE'), new Error('?')]) {
      const store = await open();
      const refusal = await store
        .keep(TENANT, await stageHello(store), () => Promise.reject(error))
        .catch((cause: unknown) => cause);
      expect(refusal).to.equal(error);
      expect(await listFiles(directory)).to.have.length(2);
      await open();
      expect(await listFiles(directory)).to.eql([]);
    }
  });

  it('keeps a content whose record may have been accepted, even when the same content is refused later', async () => {
    const store = await open();
    const keep = async (code: LedgerErrorCode): Promise<unknown> => {
      const append = () => Promise.reject(new LedgerError(code));
      const staged = await stageHello(store);
      const error = await store.keep(TENANT, staged, append).catch((cause: unknown) => cause);
      await store.discard(staged);
      return error;
    };
    await keep('CHAIN_UNAVAILABLE');
    await keep('STOPPING');
    expect((await listFiles(directory)).map((path) => path.split('/')[0])).to.eql(['content', 'incoming']);
  });

  it('converts the errors of a full disk', () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      expect(toStorageError(Object.assign(new Error(), { code }))).to.have.property('code', 'STORAGE_FULL');
    }
    const error = Object.assign(new Error(), { code: 'EIO' });
    expect(toStorageError(error)).to.equal(error);
  });

  it('leaves no file when a content cannot be moved', async () => {
    const store = await open();
    const staged = await stageHello(store);
    await store.discard(staged);
    const append = async (): Promise<void> => expect.fail('the record is appended');
    const error = await store.keep(TENANT, staged, append).catch((cause: unknown) => cause);
    expect(error).to.have.property('code', 'ENOENT');
    expect(await listFiles(directory)).to.eql([]);
  });

  it('opens an existing directory', async () => {
    await mkdir(directory);
    await chmod(directory, 0o700);
    await open();
    await open();
  });
});
