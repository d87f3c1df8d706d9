import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import fc from 'fast-check';
import { createChains } from './fixtures.ts';

const ROUNDS = 6;
const CHILD = path.join(import.meta.dirname, 'crashChild.ts');

interface Acknowledged {
  readonly hash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/**
 * Runs the child on a directory until it has acknowledged so many transactions, kills it, and returns all that it
 * acknowledged.
 */
const runAndKill = async (directory: string, acknowledgements: number): Promise<Acknowledged[]> => {
  const child = spawn(process.execPath, [CHILD, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const acknowledged: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as Acknowledged | { started: number };
    if ('hash' in said) acknowledged.push(said);
    if (acknowledged.length >= acknowledgements) child.kill('SIGKILL');
  }
  const [, signal] = (await exited) as [number | null, string | null];
  expect(signal).to.equal('SIGKILL');
  return acknowledged;
};

describe('embedded chain killed at random moments', () => {
  const chains = createChains();
  after(() => chains.clean());

  it('keeps every acknowledged transaction in its block', async () => {
    const directory = await chains.makeDirectory();
    const acknowledged: Acknowledged[] = [];
    for (const count of fc.sample(fc.integer({ min: 0, max: 60 }), ROUNDS)) {
      acknowledged.push(...(await runAndKill(directory, count)));
    }
    const chain = await chains.start(directory);
    for (const { hash, blockNumber, blockHash } of acknowledged) {
      expect(await chain.fetchBlockHash(blockNumber)).to.equal(blockHash);
      const receipt = await chain.request('eth_getTransactionReceipt', [hash]);
      expect(receipt).to.include({ blockHash, status: '0x1' });
    }
    expect(new Set(acknowledged.map(({ blockNumber }) => blockNumber)).size).to.equal(acknowledged.length);
    expect(chain.blocksReplayed).to.be.at.least(acknowledged.length).and.greaterThan(0);
  });
});
