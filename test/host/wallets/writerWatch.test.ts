import { expect } from 'chai';
import type { BlockRef } from '../../../chain/port.ts';
import { watchWriters } from '../../../host/wallets/writerWatch.ts';
import { useVirtualTime } from '../../support/virtualTime.ts';

const PAUSE_MS = 5_000;

describe('the watch of writers', () => {
  const time = useVirtualTime();
  let listener: ((head: BlockRef) => void) | undefined;
  let tenants: string[];
  let asked: string[];
  let removed: string[];
  let writers: Set<string>;
  let former: Set<string>;
  let end: () => Promise<void>;

  const blockOf = (number: number) => ({ number, hash: '0x', timestampSeconds: 0 }) as BlockRef;
  const mine = (number: number): void => listener?.(blockOf(number));
  const watch = ({ tenantsMax, begun = 1 }: { tenantsMax?: number; begun?: number } = {}): void => {
    const chain = {
      onFinalHead: (added: (head: BlockRef) => void) => {
        listener = added;
        return () => {
          listener = undefined;
        };
      },
    };
    end = watchWriters({
      chain,
      begun: begun === 0 ? Promise.reject(new Error('no node answers')) : Promise.resolve(blockOf(begun)),
      tenantIdentities: () => tenants,
      isWriter: async (tenant, block) => {
        asked.push(`${tenant}@${block}`);
        if (tenant === 'away') throw new Error('the node does not have the block');
        return writers.has(tenant);
      },
      wasWriter: async (tenant) => former.has(tenant),
      onRemoved: async (tenant) => removed.push(tenant),
      pauseMs: PAUSE_MS,
      ...(tenantsMax !== undefined && { tenantsMax }),
    });
  };
  const lookedAt = (count: number) => time.passUntil(() => asked.length === count);
  beforeEach(() => {
    [tenants, asked, removed, writers, former] = [['a', 'b'], [], [], new Set(['a', 'b']), new Set()];
  });
  afterEach(() => end());

  it('looks at the block that it begins with, then at new ones, and reports a writer that is none any more once', async () => {
    watch();
    await lookedAt(2);
    writers.delete('b');
    mine(7);
    await lookedAt(4);
    mine(8);
    await lookedAt(6);
    expect(asked).to.deep.equal(['a@1', 'b@1', 'a@7', 'b@7', 'a@8', 'b@8']);
    expect(removed).to.deep.equal(['b']);
  });

  it('does not report one that is not registered yet', async () => {
    tenants = [];
    watch({ begun: 0 });
    mine(1);
    await time.pass(PAUSE_MS);
    [tenants, writers] = [['a', 'b'], new Set()];
    mine(1);
    await lookedAt(2);
    writers.add('a');
    mine(2);
    await lookedAt(4);
    writers.delete('a');
    mine(3);
    await lookedAt(6);
    expect(removed).to.deep.equal(['a']);
  });

  it('reports one that was removed before it was looked at, once until it is a writer again', async () => {
    [writers, former] = [new Set(['a']), new Set(['b'])];
    watch();
    await lookedAt(2);
    mine(2);
    await lookedAt(4);
    expect(removed).to.deep.equal(['b']);
    writers.add('b');
    mine(3);
    await lookedAt(6);
    writers.delete('b');
    mine(4);
    await lookedAt(8);
    expect(removed).to.deep.equal(['b', 'b']);
  });

  it('asks once after many blocks that come during a pause, and about the newest', async () => {
    watch();
    await lookedAt(2);
    for (const number of [2, 3, 4]) mine(number);
    await lookedAt(4);
    await time.pass(10 * PAUSE_MS);
    expect(asked.slice(2)).to.deep.equal(['a@4', 'b@4']);
  });

  it('asks about all tenants, a bounded number at a time, and goes on after a failure', async () => {
    tenants = ['away', 'b', 'c', 'd', 'e'];
    writers = new Set(tenants);
    watch({ tenantsMax: 2 });
    await lookedAt(5);
    writers.clear();
    mine(2);
    await lookedAt(10);
    await time.passUntil(() => removed.length === 4);
    expect(removed).to.deep.equal(['b', 'c', 'd', 'e']);
  });

  it('asks nothing after its end', async () => {
    watch();
    await lookedAt(2);
    await end();
    mine(2);
    await time.pass(10 * PAUSE_MS);
    expect([asked.length, listener]).to.deep.equal([2, undefined]);
  });
});
