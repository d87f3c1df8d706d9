// The index of a server that serves some tenants: no record of another tenant changes what it answers, and another set
// of tenants leads to the same rows as a new index, with a rebuild only where records are missing or too many.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Follower, FollowerOptions } from '../../indexer/follower.ts';
import { readTenantIdentities } from '../../indexer/inventory.ts';
import { createLedgerView } from '../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../indexer/reads/uncommitted.ts';
import type { IndexStore } from '../../indexer/store.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { createFakeChain, type FakeChain } from '../support/fakeChain.ts';
import { findIndexDifference } from '../support/findIndexDifference.ts';
import { blocks as histories } from '../support/histories.ts';
import { follow as followWith, useIndexStores } from '../support/indexStores.ts';
import { runs } from '../support/propertyRuns.ts';
import type { WrittenRecord } from '../support/recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  aCreation,
  aLocationRecord,
  anApplicationRecord,
  anAttach,
  anEvent,
  assetOf,
  aTenantRecord,
  BETA,
  eventOf,
  hashOf,
  SETTINGS,
  uuidOf,
} from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';
import { rowsOf } from '../support/viewFixture.ts';

type Served = ReadonlySet<Hex> | undefined;
const keyOf = (tenant: string): Hex => toHex(toKey(tenant));
const keysOf = (...tenants: string[]): ReadonlySet<Hex> => new Set(tenants.map(keyOf));
const only: (...tenants: string[]) => Served = keysOf;

const GAMMA = `tenant/${uuidOf(0xc)}`;
const PUBLIC = { ...SETTINGS, behaviours: [...SETTINGS.behaviours, 'Attachments'], public: true };

// What two tenants both record: X first.
const contested = (tenantIdentity: string): WrittenRecord[] =>
  [
    aTenantRecord(tenantIdentity, { display_name: 'the name' }),
    anApplicationRecord(1),
    aBlobRecord(1),
    aLocationRecord(1),
    aCreation({ asset_settings: PUBLIC, asset_attributes: { owner: tenantIdentity } }),
    anAttach([1]),
  ].map((record) => ({ tenantIdentity, record }));

describe('an index that serves some tenants', () => {
  const { makeDirectory, closeAll, openStore: openAny } = useIndexStores();
  const rebuilds: string[] = [];
  beforeEach(() => rebuilds.splice(0));
  const openStore = async (directory?: string): Promise<IndexStore> => {
    const store = await openAny(directory);
    store.damage.onFound(({ message, code }) => rebuilds.push(`${code}: ${message}`));
    return store;
  };

  const follow = (chain: FakeChain, store: IndexStore, options: Partial<FollowerOptions>): Promise<Follower> =>
    followWith({ chain, store, onWipe: (reason) => rebuilds.push(reason), ...options });
  const build = async (chain: FakeChain, served: Served, options: Partial<FollowerOptions> = {}) => {
    const store = await openStore();
    await (await follow(chain, store, { readServed: () => served, ...options })).catchUp();
    return store;
  };
  const viewOf = (store: IndexStore) => createLedgerView({ store, outbox: toUncommittedRecords([]) });

  const expectEqual = async (store: IndexStore, chain: FakeChain, served: Served): Promise<void> => {
    expect(await findIndexDifference(store, await build(chain, served))).to.equal(undefined);
  };

  it('gives no name to another tenant that recorded it first', async () => {
    const chain = createFakeChain();
    for (const tenant of [BETA, ALPHA]) chain.mine(...contested(tenant));
    const view = viewOf(await build(chain, only(ALPHA)));
    expect(await view.readPublicTenant(uuidOf(1))).to.equal(ALPHA);
    expect(await view.readTenantIdentity('the name')).to.equal(ALPHA);
    expect((await view.readApplication(uuidOf(1)))?.tenantIdentity).to.equal(ALPHA);
    const query = { sha256: hashOf(1), attachedByMax: 9 };
    const blobs = (await view.listPublicBlobs(query, { limit: 10, position: undefined })).items;
    expect(blobs).to.have.length(1);
    for (const read of [view.readAsset, view.readBlob, view.readLocation])
      expect(await read(BETA, uuidOf(1)), read.name).to.equal(undefined);
    // Without the choice of tenants, the first one has all of it.
    const all = viewOf(await build(chain, undefined));
    expect(await all.readPublicTenant(uuidOf(1))).to.equal(BETA);
  });

  it('has the records of a tenant that shares, and gives it no name and nothing public', async () => {
    const chain = createFakeChain();
    for (const tenant of [BETA, ALPHA]) chain.mine(...contested(tenant));
    const store = await build(chain, only(ALPHA), { sharing: keysOf(BETA) });
    const view = viewOf(store);
    for (const read of [view.readAsset, view.readBlob, view.readLocation])
      expect(await read(BETA, uuidOf(1)), read.name).to.be.an('object');
    expect(await view.readTenant(BETA)).to.equal(undefined);
    expect(await view.readPublicTenant(uuidOf(1))).to.equal(ALPHA);
    expect(await view.readTenantIdentity('the name')).to.equal(ALPHA);
    expect((await view.readApplication(uuidOf(1)))?.tenantIdentity).to.equal(ALPHA);
    const page = { limit: 10, position: undefined };
    expect((await view.listPublicBlobs({ sha256: hashOf(1), attachedByMax: 9 }, page)).items).to.have.length(1);
    const identities: string[] = [];
    for await (const identity of readTenantIdentities(store)) identities.push(identity);
    expect(identities).to.deep.equal([ALPHA]);
  });

  it('serves a tenant that is listed as sharing too', async () => {
    const chain = chainOfTwo();
    const both = only(ALPHA, BETA);
    const store = await build(chain, both, { sharing: keysOf(BETA) });
    expect(await findIndexDifference(store, await build(chain, both))).to.equal(undefined);
    expect(rebuilds).to.deep.equal([]);
  });

  const SHARING_CHANGES: [string, number, ...Partial<FollowerOptions>[]][] = [
    ['begins to share and has records', 1, {}, { sharing: keysOf(BETA) }],
    ['shares no more', 1, { sharing: keysOf(BETA) }, {}],
    ['is served from now on', 1, { sharing: keysOf(BETA) }, { readServed: () => only(ALPHA, BETA) }],
    ['shares instead of being served', 1, { readServed: () => only(ALPHA, BETA) }, { sharing: keysOf(BETA) }],
    ['begins to share without records', 0, {}, { sharing: keysOf(GAMMA) }],
    ['without records shares no more', 0, { sharing: keysOf(GAMMA) }, {}],
  ];
  for (const [title, count, before, after] of SHARING_CHANGES)
    it(`is ${count === 1 ? '' : 'not '}rebuilt when a tenant ${title}`, async () => {
      const chain = chainOfTwo();
      const store = await build(chain, only(ALPHA), before);
      await (await follow(chain, store, { readServed: () => only(ALPHA), ...after })).catchUp();
      expect(rebuilds).to.have.length(count);
      expect(await findIndexDifference(store, await build(chain, only(ALPHA), after))).to.equal(undefined);
    });

  it('has the rows that it would have if the others had recorded nothing', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (blocks) => {
        const [both, alone] = [createFakeChain(), createFakeChain()];
        for (const block of blocks) {
          const placed = block.map((each, logIndex) => ({ ...each, changed: { ...each.changed, logIndex } }));
          both.mine(...placed);
          alone.mine(...placed.filter(({ tenantIdentity }) => (tenantIdentity ?? ALPHA) === ALPHA));
        }
        const tables = async (store: IndexStore) =>
          (await rowsOf(store)).filter(([key]) => !['1f', '20'].includes(key.slice(0, 2)));
        const served = await build(both, only(ALPHA), { batchRecords: 3 });
        expect(await tables(served)).to.deep.equal(await tables(await build(alone, undefined)));
        await closeAll();
      }),
      runs(25),
    );
  });

  const chainOfTwo = (): FakeChain => {
    const chain = createFakeChain();
    for (const tenant of [ALPHA, BETA]) chain.mine(...contested(tenant));
    return chain;
  };

  it('needs no rebuild for a tenant that has no records, added or removed, while it runs or after a restart', async () => {
    const chain = chainOfTwo();
    const directory = await makeDirectory();
    let served = only(ALPHA);
    const store = await openStore(directory);
    const follower = await follow(chain, store, { readServed: () => served });
    await follower.catchUp();
    served = only(ALPHA, GAMMA);
    await follower.refresh();
    chain.mine({ tenantIdentity: GAMMA, record: aTenantRecord(GAMMA) }, { tenantIdentity: GAMMA, record: aCreation() });
    await follower.catchUp();
    expect(rebuilds).to.deep.equal([]);
    await expectEqual(store, chain, only(ALPHA, GAMMA));
    await closeAll();
    chain.fetched.splice(0);
    const restarted = await openStore(directory);
    const delta = `tenant/${uuidOf(0xd)}`;
    await (await follow(chain, restarted, { readServed: () => only(ALPHA, GAMMA, delta) })).catchUp();
    await (await follow(chain, restarted, { readServed: () => only(ALPHA, GAMMA) })).catchUp();
    expect(rebuilds).to.deep.equal([]);
    expect(chain.fetched).to.deep.equal([]);
    await expectEqual(restarted, chain, only(ALPHA, GAMMA));
  });

  const TENANT_CHANGES: [string, Served, Served][] = [
    ['is added and has records', only(ALPHA), only(ALPHA, BETA)],
    ['is removed', only(ALPHA, BETA), only(BETA)],
    ['takes the place of another', only(ALPHA), only(BETA)],
    ['is the only one left of all', undefined, only(ALPHA)],
  ];
  for (const [title, before, after] of TENANT_CHANGES) {
    it(`is rebuilt once when a tenant ${title}, at a start and while it runs`, async () => {
      const chain = chainOfTwo();
      let served = before;
      const store = await openStore();
      const follower = await follow(chain, store, { readServed: () => served });
      await follower.catchUp();
      served = after;
      await follower.refresh();
      expect(rebuilds).to.have.length(1);
      expect(rebuilds[0]).to.match(/^INDEX_REBUILDING: The index is not that of the tenants served/);
      expect(store.damage.isComplete()).to.equal(true);
      await expectEqual(store, chain, after);
      const stopped = await build(chain, before);
      rebuilds.splice(0);
      await (await follow(chain, stopped, { readServed: () => after })).catchUp();
      expect(rebuilds).to.have.length(1);
      await expectEqual(stopped, chain, after);
    });
  }

  it('refuses reads while it is rebuilt for another tenant', async () => {
    const chain = chainOfTwo();
    let served = only(ALPHA);
    const store = await openStore();
    const view = viewOf(store);
    const follower = await follow(chain, store, { readServed: () => served });
    await follower.catchUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    chain.beforeFetch = () => promise;
    served = only(ALPHA, BETA);
    const adopted = follower.refresh();
    await until(() => !store.damage.isComplete());
    expect(await rejectionOf(view.readAsset(ALPHA, uuidOf(1)))).to.equal('INDEX_REBUILDING');
    resolve();
    await adopted;
    expect((await view.readAsset(BETA, uuidOf(1)))?.identity).to.equal(assetOf(1));
  });

  it('continues a rebuild that ended before its end', async () => {
    const chain = chainOfTwo();
    let served = only(ALPHA);
    const store = await openStore();
    const follower = await follow(chain, store, { readServed: () => served, batchRecords: 1 });
    await follower.catchUp();
    served = only(ALPHA, BETA);
    chain.failingFetches = 1;
    expect(await rejectionOf(follower.refresh())).to.equal('CHAIN_UNAVAILABLE');
    expect(store.damage.isComplete()).to.equal(false);
    await follower.catchUp();
    await expectEqual(store, chain, served);
    expect(rebuilds).to.have.length(1);
  });

  it('serves a tenant that is added during a run from that run or the next one on', async () => {
    const chain = chainOfTwo();
    let served = only(ALPHA);
    const store = await openStore();
    const follower = await follow(chain, store, { readServed: () => served });
    const { promise, resolve } = Promise.withResolvers<void>();
    chain.beforeFetch = () => promise;
    const running = follower.catchUp();
    await until(() => chain.headFetches() === 1);
    served = only(ALPHA, GAMMA);
    const adopted = follower.refresh();
    resolve();
    await Promise.all([running, adopted]);
    chain.mine({ tenantIdentity: GAMMA, record: aTenantRecord(GAMMA) });
    await follower.catchUp();
    chain.mine({ record: anEvent({ identity: eventOf(1, 7) }) });
    await follower.catchUp();
    expect(rebuilds).to.deep.equal([]);
    await expectEqual(store, chain, served);
  });

  it('moves its cursor over blocks that only have records of others', async () => {
    const chain = createFakeChain();
    for (let number = 1; number <= 9; number += 1)
      chain.mine({ tenantIdentity: BETA, record: anEvent({ identity: eventOf(1, number) }) });
    const reached: number[] = [];
    await build(chain, only(ALPHA), { batchRecords: 2, onProgress: (block) => reached.push(block) });
    expect(reached).to.deep.equal([2, 4, 6, 8, 9]);
  });
});
