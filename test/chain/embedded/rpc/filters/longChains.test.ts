// Filters on a chain that is longer than an answer may be.
import { expect } from 'chai';
import { LOG_BLOCKS_MAX, LOG_BYTES_MAX } from '../../../../../chain/embedded/rpc/fetchPublicLogs.ts';
import { createFilterMethods } from '../../../../../chain/embedded/rpc/filters/filterMethods.ts';
import { createPublicFilters } from '../../../../../chain/embedded/rpc/filters/publicFilters.ts';
import type { PublicChain } from '../../../../../chain/embedded/rpc/publicChain.ts';
import { runAtOnce } from '../../../../../chain/embedded/rpc/rpcWork.ts';

const LIMITS = { max: 8, ofPartyMax: 6, idleMs: 1 };

describe('a filter on a long chain', () => {
  let head: number;
  let textOfRun: (first: number) => string;
  const undos: (() => void)[] = [];

  const open = () => {
    const filters = createPublicFilters(LIMITS, () => 0);
    const chain = {
      filters,
      fetchFinalHead: async () => ({ number: head, hash: '0x' }),
      readFinal: async (method: string, [param]: readonly unknown[]) =>
        method === 'eth_getBlockByNumber'
          ? JSON.stringify({ hash: param })
          : `[${textOfRun(Number((param as { fromBlock: string }).fromBlock))}]`,
    } as Partial<PublicChain> as PublicChain;
    const methods = new Map(createFilterMethods(chain));
    return async (method: string, param?: unknown, party = 'one'): Promise<unknown> => {
      const params = param === undefined ? [] : [param];
      const client = { party, undoIfLost: (undo: () => void) => void undos.push(undo) };
      return JSON.parse(await methods.get(method)!(params, runAtOnce, client)) as unknown;
    };
  };

  beforeEach(() => {
    head = 0;
    textOfRun = String;
    undos.length = 0;
  });

  it('answers for at most so many blocks, and for the rest the next time', async () => {
    const ask = open();
    const [blocks, logs] = [await ask('eth_newBlockFilter'), await ask('eth_newFilter', {})];
    head = 2 * LOG_BLOCKS_MAX + 5;
    for (const length of [LOG_BLOCKS_MAX, LOG_BLOCKS_MAX, 5, 0])
      expect(await ask('eth_getFilterChanges', blocks)).to.have.length(length);
    const runs: unknown[] = [];
    for (let at = 0; at < 4; at += 1) runs.push(...((await ask('eth_getFilterChanges', logs)) as unknown[]));
    expect(new Set(runs).size).to.equal(runs.length);
    expect(runs.at(-1)).to.equal(2 * LOG_BLOCKS_MAX + 1);
  });

  it('answers with at most so many bytes, and with the rest the next time', async () => {
    const ask = open();
    const id = await ask('eth_newFilter', {});
    head = 32 * 4;
    textOfRun = (first) => JSON.stringify(`${first} ${'a'.repeat(LOG_BYTES_MAX / 2)}`);
    const starts: string[][] = [];
    for (let at = 0; at < 3; at += 1)
      starts.push(((await ask('eth_getFilterChanges', id)) as string[]).map((text) => text.split(' ')[0]!));
    expect(starts).to.deep.equal([['1', '33'], ['65', '97'], []]);
  });

  it('answers again with what was lost', async () => {
    const ask = open();
    const id = await ask('eth_newBlockFilter');
    head = 3;
    expect(await ask('eth_getFilterChanges', id)).to.have.length(3);
    undos.at(-1)!();
    expect(await ask('eth_getFilterChanges', id)).to.have.length(3);
  });

  it('goes with the answer that has its id', async () => {
    const ask = open();
    for (const create of [() => ask('eth_newBlockFilter'), () => ask('eth_newFilter', {})]) {
      const id = await create();
      undos.at(-1)!();
      expect(await ask('eth_uninstallFilter', id)).to.equal(false);
    }
  });

  it('counts for its client by its size, and for all', async () => {
    const ask = open();
    const codeOf = (promise: Promise<unknown>) =>
      promise.then(
        () => undefined,
        ({ code }: { code: number }) => code,
      );
    textOfRun = () => '';
    const large = { topics: [Array.from({ length: 60 }, () => `0x${'11'.repeat(32)}`)] };
    await ask('eth_newFilter', large);
    await ask('eth_newBlockFilter');
    expect(await codeOf(ask('eth_newBlockFilter'))).to.equal(-32005);
    await ask('eth_newBlockFilter', undefined, 'two');
    await ask('eth_newBlockFilter', undefined, 'two');
    expect(await codeOf(ask('eth_newBlockFilter', undefined, 'two'))).to.equal(-32005);
  });
});
