// What compliance checks read at a block: the same as from an index that ends with that block.
import { expect } from 'chai';
import fc from 'fast-check';
import { createFollower } from '../../../indexer/follower.ts';
import type { LedgerView, PolicyEvents } from '../../../indexer/ledgerView.ts';
import { createLedgerView } from '../../../indexer/reads/createLedgerView.ts';
import { createIndexStore, type IndexStore } from '../../../indexer/store.ts';
import { finish } from '../../../ledger/compliance/steps.ts';
import { toStreamIdentityOf, toVersionIdentity } from '../../../ledger/identity.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { CONTRACT, createFakeChain } from '../../support/fakeChain.ts';
import { ASSETS, blocks as histories } from '../../support/histories.ts';
import type { WrittenRecord } from '../../support/recordLogs.ts';
import { ALPHA, aPolicyRecord, aTenantRecord, policyOf, uuidOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
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
    return createLedgerView({ store, outbox: { readEntries: () => [], readStream: () => [] } });
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
      { numRuns: 15 },
    );
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

  it('is refused at a block that the index does not have', async () => {
    const view = await build([[{ record: aTenantRecord(ALPHA) }], []]);
    const read = (block: number) => view.readPolicyEvents(ALPHA, uuidOf(1), LATE_MS, async () => [], block);
    expect(await rejectionOf(read(3))).to.equal('REQUEST_INVALID');
    expect(await read(2)).to.equal(undefined);
  });
});
