import { expect } from 'chai';
import { openLedgerForOperator } from '../../host/operator/ledgerForOperator.ts';
import { INDEX_CACHE_BYTES } from '../../indexer/cacheBytes.ts';
import { useDirectories } from '../support/directories.ts';
import { watchCaches } from '../support/levelMethod.ts';

const SMALL_BYTES = 4 * 2 ** 20;

describe("the index's cache", () => {
  const makeDirectory = useDirectories();
  afterEach(() => {
    delete process.env.INDEX_CACHE_BYTES;
  });

  const openedWith = async (directory: string): Promise<unknown[]> =>
    watchCaches(async () => (await openLedgerForOperator(directory)).close());

  it('has the size of its setting', async () => {
    const directory = await makeDirectory();
    expect(await openedWith(directory))
      .to.include(INDEX_CACHE_BYTES)
      .and.not.to.include(SMALL_BYTES);
    process.env.INDEX_CACHE_BYTES = String(SMALL_BYTES);
    expect(await openedWith(directory))
      .to.include(SMALL_BYTES)
      .and.not.to.include(INDEX_CACHE_BYTES);
  });
});
