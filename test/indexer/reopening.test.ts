// A failed write of the index: reads continue, and the index catches up without a restart.
import { expect } from 'chai';
import { createLedgerView } from '../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../indexer/reads/uncommitted.ts';
import type { FakeChain } from '../support/fakeChain.ts';
import { chainWithAsset, follow, useIndexStores } from '../support/indexStores.ts';
import { FULL, withStepwiseBatches } from '../support/levelMethod.ts';
import { ALPHA, anEvent, eventOf } from '../support/records.ts';
import { failureOf } from '../support/refusals.ts';
import { rowsOf } from '../support/viewFixture.ts';

describe('index on a full disk', () => {
  const { openStore } = useIndexStores();
  const onWipe = (): void => undefined;
  const mineEvent = (chain: FakeChain, event: number): number =>
    chain.mine({ record: anEvent({ identity: eventOf(1, event) }) });
  const rebuild = async (chain: FakeChain): Promise<unknown> => {
    const store = await openStore();
    await (await follow({ chain, store, onWipe })).catchUp();
    return rowsOf(store);
  };

  for (const isKept of [false, true]) {
    it(`equals a rebuilt one after a failed write that ${isKept ? 'is' : 'is not'} on the disk`, async () => {
      const chain = chainWithAsset();
      const store = await openStore();
      const follower = await follow({ chain, store, onWipe });
      await follower.catchUp();
      mineEvent(chain, 5);
      const fail = async ({ write }: { write: () => Promise<void> }): Promise<void> => {
        if (isKept) await write();
        throw FULL;
      };
      await withStepwiseBatches(fail, async () => {
        expect(await failureOf(follower.catchUp())).to.include({ code: 'STORAGE_FULL', cause: FULL });
        expect(store.failure()).to.equal(FULL);
      });
      mineEvent(chain, 6);
      await follower.catchUp();
      expect(store.failure()).to.equal(undefined);
      expect(await rowsOf(store)).to.deep.equal(await rebuild(chain));
    });
  }

  it('continues only when the names of its files are on the disk again', async () => {
    const chain = chainWithAsset();
    const synced: (Error | undefined)[] = [];
    const results = [undefined, FULL, undefined];
    const syncDirectory = async (): Promise<void> => {
      const refusal = results[synced.length];
      synced.push(refusal);
      if (refusal !== undefined) throw refusal;
    };
    const store = await openStore(undefined, { syncDirectory });
    expect(synced).to.deep.equal([undefined]);
    const follower = await follow({ chain, store, onWipe });
    await withStepwiseBatches(
      () => Promise.reject(FULL),
      () => failureOf(follower.catchUp()),
    );
    expect(await failureOf(store.recover())).to.include({ code: 'STORAGE_FULL', cause: FULL });
    expect(store.failure()).to.equal(FULL);
    await follower.catchUp();
    expect(synced).to.deep.equal([undefined, FULL, undefined]);
    expect(await rowsOf(store)).to.deep.equal(await rebuild(chain));
  });

  it('writes nothing and is read while there is too little free space', async () => {
    let hasRoom = false;
    const chain = chainWithAsset();
    const assertFreeSpace = async (): Promise<void> => {
      if (!hasRoom) throw FULL;
    };
    const store = await openStore(undefined, { assertFreeSpace });
    const view = createLedgerView({ store, outbox: toUncommittedRecords([]) });
    const follower = await follow({ chain, store, onWipe });
    await follower.catchUp();
    mineEvent(chain, 5);
    await withStepwiseBatches(
      () => Promise.reject(FULL),
      () => failureOf(follower.catchUp()),
    );
    expect(await failureOf(follower.catchUp())).to.equal(FULL);
    expect(await view.readTenant(ALPHA)).to.be.an('object');
    expect(store.readCursor()!.blockNumber).to.equal(1);
    hasRoom = true;
    await follower.catchUp();
    expect(store.readCursor()!.blockNumber).to.equal(2);
  });

  const openAfterFailedWrite = async () => {
    const chain = chainWithAsset();
    const store = await openStore();
    const view = createLedgerView({ store, outbox: toUncommittedRecords([]) });
    const follower = await follow({ chain, store, onWipe });
    await follower.catchUp();
    const snapshot = await store.snapshot();
    mineEvent(chain, 5);
    await withStepwiseBatches(
      () => Promise.reject(FULL),
      () => failureOf(follower.catchUp()),
    );
    return { chain, store, view, follower, snapshot };
  };

  it('waits for its readers before it is reopened, and new readers wait for that', async () => {
    const { chain, store, view, follower, snapshot } = await openAfterFailedWrite();
    const catchingUp = follower.catchUp();
    await Promise.resolve();
    while (store.opening() === undefined) await new Promise(setImmediate);
    const reading = view.readTenant(ALPHA);
    expect((await snapshot.readFirst({}, 1)).length).to.equal(1);
    await snapshot.close();
    await catchingUp;
    expect(await reading).to.be.an('object');
    expect(await rowsOf(store)).to.deep.equal(await rebuild(chain));
  });

  it('stays open when a reader does not end, and retries', async () => {
    const { store, view, follower, snapshot } = await openAfterFailedWrite();
    const refused = failureOf(follower.catchUp());
    while (store.opening() === undefined) await new Promise(setImmediate);
    const reading = view.readTenant(ALPHA);
    expect(await refused).to.be.instanceOf(Error);
    expect(await reading).to.be.an('object');
    await snapshot.close();
    await follower.catchUp();
    expect(store.readCursor()!.blockNumber).to.equal(2);
  });
});
