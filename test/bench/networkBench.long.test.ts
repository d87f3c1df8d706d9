import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { toMinedRate } from '../../bench/network/bareLoop.ts';
import { runNetworkBench } from '../../bench/network/networkBench.ts';
import { type LoadFigures, toNetworkTable } from '../../bench/network/networkTable.ts';
import { createPrivateKey, createWallet } from '../../chain/wallet.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { setBalance, skipWithoutAnvil, startNode } from '../support/externalNode.ts';
import { skipWithoutLinux } from '../support/missing.ts';

const cellsOf = (table: string, row: string): string[] =>
  table
    .split('\n')
    .find((line) => line.startsWith(`| ${row} |`))!
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('the benchmark on a network', () => {
  it('measures closed and open loops beside a bare loop, with gas that a key pays for', async function () {
    skipWithoutLinux(this);
    skipWithoutAnvil(this);
    const node = await startNode('anvil', { more: ['--block-time', '1'] });
    const directory = await mkdtemp(join(tmpdir(), 'provenance-test-'));
    try {
      const key = createPrivateKey();
      const fundingKeyFile = join(directory, 'funding.key');
      await writeFile(fundingKeyFile, toHex(key), { mode: 0o600 });
      await setBalance(node, createWallet(key).address);
      const loads = { clients: [4], rates: [5], assets: 10, seconds: 3, inFlight: 8 };
      const common = { record: false, title: undefined, cpuProf: false };
      const table = await runNetworkBench({ rpc: node.url, fundingKeyFile, ...loads, ...common });
      for (const row of ['4 clients', '5 events/s arrive']) {
        const [, perSecond, , mean, , , cpu, records, transactions, ...others] = cellsOf(table, row);
        for (const figure of [perSecond, mean, cpu, records, transactions]) expect(Number(figure)).to.be.greaterThan(0);
        expect(others).to.deep.equal(['0', '0', '0']);
      }
      expect(Number(cellsOf(table, 'bare loop')[1])).to.be.greaterThan(0);
    } finally {
      await node.kill();
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('counts what was not confirmed as slower than everything that was', () => {
    const use = { records: 10, transactions: 5, blocks: 2 };
    const load = { title: 'a load', elapsedMs: 1_000, mainThreadMs: 3, refused: 0, failed: 1, use };
    const toCells = (figures: Pick<LoadFigures, 'latenciesMs' | 'pending'>): string[] =>
      cellsOf(toNetworkTable([{ ...load, ...figures }], undefined), 'a load');
    const rest = ['2', '2.5'];
    expect(toCells({ latenciesMs: [3_000, 1_000], pending: 1 })).to.deep.equal([
      'a load',
      '2',
      '',
      '2.00',
      '3.00',
      'not confirmed',
      '1500',
      ...rest,
      '1',
      '0',
      '1',
    ]);
    expect(toCells({ latenciesMs: [], pending: 0 })).to.deep.equal([
      'a load',
      '0',
      '',
      '',
      '',
      '',
      '',
      ...rest,
      '0',
      '0',
      '1',
    ]);
  });

  it('takes the rate of a network from blocks that were full', () => {
    const mined = [
      { atMs: 1_000, count: 3 },
      { atMs: 2_000, count: 13 },
      { atMs: 3_000, count: 23 },
      { atMs: 4_000, count: 24 },
    ];
    expect(toMinedRate(mined)).to.equal(10);
    expect(toMinedRate(mined.slice(0, 2))).to.equal(10);
    expect(() => toMinedRate(mined.slice(0, 1))).to.throw('one block');
  });
});
