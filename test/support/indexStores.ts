// Index stores that are closed after each test, and followers that fill them.
import { createFollower, type Follower, type FollowerOptions } from '../../indexer/follower.ts';
import { createIndexStore, type IndexDisk, type IndexStore } from '../../indexer/store.ts';
import { useDirectories } from './directories.ts';
import { CONTRACT, createFakeChain, type FakeChain } from './fakeChain.ts';
import { ALPHA, aCreation, aTenantRecord } from './records.ts';

/** Registers a mocha hook that closes what `openStore` opened. Without a directory, it opens a store in a new one. */
export const useIndexStores = () => {
  const makeDirectory = useDirectories();
  const opened: IndexStore[] = [];
  const closeAll = (): Promise<unknown> => Promise.all(opened.splice(0).map((store) => store.close()));
  afterEach(closeAll);
  return {
    makeDirectory,
    closeAll,
    openStore: async (directory?: string, disk?: Partial<IndexDisk>): Promise<IndexStore> => {
      const store = await createIndexStore(directory ?? (await makeDirectory()), disk);
      opened.push(store);
      return store;
    },
  };
};

/** A follower of a chain from block 1 on, in pages of two blocks. */
export const follow = (
  options: Pick<FollowerOptions, 'chain' | 'store' | 'onWipe'> & Partial<FollowerOptions>,
): Promise<Follower> => createFollower({ contract: CONTRACT, deploymentBlock: 1, pageBlocks: 2, ...options });

/** A chain with one block, which has a tenant and its asset. */
export const chainWithAsset = (): FakeChain => {
  const chain = createFakeChain();
  chain.mine({ record: aTenantRecord(ALPHA) }, { record: aCreation() });
  return chain;
};
