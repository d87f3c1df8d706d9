// What compliance checks read at a block: the same as from an index that ends with that block.
import { expect } from 'chai';
import fc from 'fast-check';
import { createFollower } from '../../../indexer/follower.ts';
import type { LedgerView, PolicyEvents } from '../../../indexer/ledgerView.ts';
import { createLedgerView } from '../../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../../indexer/reads/uncommitted.ts';
import { PAGE_EVENTS } from '../../../indexer/rows/policyPages.ts';
import { createIndexStore, type IndexStore } from '../../../indexer/store.ts';
import { finish } from '../../../ledger/compliance/steps.ts';
import { toStreamIdentityOf, toVersionIdentity } from '../../../ledger/identity.ts';
import { toContribution } from '../../../ledger/records/contribution.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { CONTRACT, createFakeChain } from '../../support/fakeChain.ts';
import { ASSETS, blocks as histories } from '../../support/histories.ts';
import { runs } from '../../support/propertyRuns.ts';
import type { WrittenRecord } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aCreation,
  anAccessPolicyRecord,
  anEvent,
  aPermission,
  aPolicyRecord,
  aSubjectRecord,
  aTenantRecord,
  BETA,
  eventOf,
  policyOf,
  subjectOf,
  uuidOf,
} from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { walletKeyOf, walletOf } from '../../support/sharedHistories.ts';
import { aLongTypedAsset, DISPLAY_TYPES, FIRST_MS } from '../../support/typedEvents.ts';

const LATE_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Everything that a check may read. */
const readAll = async (view: LedgerView, asset: number, atMs: number, fromMs: number, atBlock?: number) => {
  let policies: unknown[] = [];
  const ranges = DISPLAY_TYPES.map((displayType) => ({ displayType, fromMs }));
  const choose: Parameters<LedgerView['readPolicyEvents']>[3] = async (_, list) => {
    let position: string | undefined;
    policies = [];
    do {
      const page = await list({ limit: 2, position, isCounted: false });
      policies.push(...page.items.map((decode) => decode()));
      position = page.nextPosition;
    } while (position !== undefined);
    return ranges;
  };
  const found = await view.readPolicyEvents(ALPHA, uuidOf(asset), atMs, choose, atBlock);
  if (found === undefined) return undefined;
  const toShown = ({ ofType, identityOf }: PolicyEvents, type: string) =>
    finish(ofType(type))
      .filter(({ acceptedMs }) => acceptedMs >= fromMs)
      .map(({ ref, acceptedMs, correlation }) => ({ identity: identityOf(ref), acceptedMs, correlation }));
  const events = DISPLAY_TYPES.map((type) => toShown(found, type));
  return { asset: found.asset, policies, events, block: found.block?.number };
};

describe('a check at a block', () => {
  const makeDirectory = useDirectories();
  const opened: IndexStore[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));

  const build = async (blocks: readonly WrittenRecord[][]): Promise<LedgerView> => {
    const chain = createFakeChain();
    const counts = new Map<string, number>();
    for (const block of blocks) {
      chain.mine(
        ...block.map((written, logIndex) => {
          const stream = `${written.tenantIdentity} ${toStreamIdentityOf(written.record)}`;
          const sequence = (counts.get(stream) ?? 0) + 1;
          counts.set(stream, sequence);
          return { ...written, changed: { ...written.changed, sequence, logIndex } };
        }),
      );
    }
    const store = await createIndexStore(await makeDirectory());
    opened.push(store);
    const options = { contract: CONTRACT, deploymentBlock: 1, pageBlocks: 50, onWipe: () => undefined };
    await (await createFollower({ chain, store, ...options })).catchUp();
    return createLedgerView({ store, outbox: toUncommittedRecords([]) });
  };

  it('reads what an index has that ends with the block, in any history', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (blocks) => {
        const whole = await build(blocks);
        for (let block = 1; block <= blocks.length; block += 1) {
          const ended = await build(blocks.slice(0, block));
          for (const asset of ASSETS) {
            const wanted = await readAll(ended, asset, LATE_MS, Number.NEGATIVE_INFINITY);
            expect(await readAll(whole, asset, LATE_MS, Number.NEGATIVE_INFINITY, block)).to.deep.equal(wanted);
          }
        }
        await Promise.all(opened.splice(0).map((store) => store.close()));
      }),
      runs(15),
    );
  });

  it("has no policy that was created before the tenant's own record, and begins with one that was created again", async () => {
    const version = (number: number, follows?: number): LedgerRecord =>
      aPolicyRecord(1, {
        identity: toVersionIdentity(policyOf(1), uuidOf(number)),
        follows: follows === undefined ? '' : toVersionIdentity(policyOf(1), uuidOf(follows)),
      });
    const blocks: WrittenRecord[][] = [
      [version(1)],
      [version(2, 1), aTenantRecord(ALPHA), aCreation()],
      [version(3)],
      [version(4, 2)],
      [version(5, 3)],
    ].map((records) => records.map((record) => ({ record })));
    const whole = await build(blocks);
    const shown: unknown[][] = [];
    for (let block = 1; block <= blocks.length; block += 1) {
      const wanted = await readAll(await build(blocks.slice(0, block)), 1, LATE_MS, Number.NEGATIVE_INFINITY);
      const found = await readAll(whole, 1, LATE_MS, Number.NEGATIVE_INFINITY, block);
      expect(found, `${block}`).to.deep.equal(wanted);
      shown.push(found?.policies ?? []);
    }
    expect(shown.map(({ length }) => length)).to.deep.equal([0, 0, 1, 1, 1]);
  });

  it('reads what an index has that ends with the block, of many pages of events and policies that come and go', async () => {
    const ofBlock = (records: readonly LedgerRecord[]): WrittenRecord[] => records.map((record) => ({ record }));
    const deleted = (number: number) =>
      aPolicyRecord(number, {
        identity: toVersionIdentity(policyOf(number), uuidOf(2)),
        follows: toVersionIdentity(policyOf(number), uuidOf(1)),
        is_deleted: true,
      });
    const records = aLongTypedAsset(1_300);
    const blocks: WrittenRecord[][] = [];
    for (let from = 0; from < records.length; from += 100) blocks.push(ofBlock(records.slice(from, from + 100)));
    for (const [at, block] of blocks.entries()) {
      block.push(...ofBlock([aPolicyRecord(at + 1)]));
      if (at > 2) block.push(...ofBlock([deleted(at - 1)]));
    }
    const whole = await build(blocks);
    for (const block of [1, 2, 7, blocks.length - 1, blocks.length]) {
      const ended = await build(blocks.slice(0, block));
      for (const seconds of [-60, 63, 600, 1_400]) {
        const atMs = FIRST_MS + seconds * 1_000;
        for (const fromMs of [Number.NEGATIVE_INFINITY, atMs - 100_000]) {
          const wanted = await readAll(ended, 1, atMs, fromMs);
          expect(await readAll(whole, 1, atMs, fromMs, block), `${block} ${seconds}`).to.deep.equal(wanted);
        }
      }
    }
  });

  it('reads what an index has that ends with the block, where the owner records events under UUIDs of contributions', async () => {
    const typed = (number: number, type: number) =>
      anEvent({ identity: eventOf(1, number), event_attributes: { arc_display_type: DISPLAY_TYPES[type]! } });
    const byBeta = (number: number, type: number): WrittenRecord => ({
      tenantIdentity: BETA,
      record: toContribution(typed(number, type), ALPHA),
      changed: { author: walletOf(11) },
    });
    const byAlpha = (record: LedgerRecord): WrittenRecord => ({
      tenantIdentity: ALPHA,
      record,
      changed: { author: walletOf(10) },
    });
    const all = { behaviours: ['*'], asset_attributes_write: ['*'], event_arc_display_type_write: ['*'] };
    const opening = [
      aTenantRecord(ALPHA),
      aSubjectRecord(1, { wallet_pub_key: [walletKeyOf(11)] }),
      anAccessPolicyRecord(1, { access_permissions: [aPermission({ subjects: [subjectOf(1)], ...all })] }),
      aCreation(),
    ];
    const numbers = Array.from({ length: 2 * PAGE_EVENTS + 10 }, (_, at) => at + 10);
    const blocks: WrittenRecord[][] = [
      [{ tenantIdentity: BETA, record: aTenantRecord(BETA), changed: { author: walletOf(11) } }],
      opening.map(byAlpha),
      ...numbers.map((number) => [byBeta(number, 0)]),
      ...numbers.map((number) => [byAlpha(typed(number, number % 3 === 0 ? 1 : 0))]),
    ];
    const whole = await build(blocks);
    for (const block of [40, 2 + numbers.length, 6 + numbers.length, 80 + numbers.length, blocks.length]) {
      const ended = await build(blocks.slice(0, block));
      const wanted = await readAll(ended, 1, LATE_MS, Number.NEGATIVE_INFINITY);
      expect(await readAll(whole, 1, LATE_MS, Number.NEGATIVE_INFINITY, block), `${block}`).to.deep.equal(wanted);
    }
  });

  it('is refused at a block that the index does not have', async () => {
    const view = await build([[{ record: aTenantRecord(ALPHA) }], []]);
    const read = (block: number) => view.readPolicyEvents(ALPHA, uuidOf(1), LATE_MS, async () => [], block);
    expect(await rejectionOf(read(3))).to.equal('REQUEST_INVALID');
    expect(await read(2)).to.equal(undefined);
  });
});
