import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { findFreePort } from '../support/externalNode.ts';
import { collectGarbage, toInspectorArguments } from './collectGarbage.ts';

const MEBIBYTE = 2 ** 20;

// Keeps a buffer, makes some 100 MiB of garbage, then answers each line with the bytes of its heap.
const BUFFER_BYTES = 20 * MEBIBYTE;
const PROGRAM = `
  globalThis.buffer = Buffer.alloc(${BUFFER_BYTES}, 1);
  let objects = Array.from({ length: 2_000_000 }, (_, number) => ({ number }));
  objects = undefined;
  process.stdin.on('data', () => console.log(process.memoryUsage().heapUsed));
  console.log('ready');`;

describe('the collection of garbage in another process', () => {
  it('leaves what is in use', async () => {
    const inspectorPort = await findFreePort();
    const args = [...toInspectorArguments(inspectorPort), '--eval', PROGRAM];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const readHeap = async (): Promise<number> => {
      child.stdin.write('\n');
      return Number(String((await once(child.stdout, 'data'))[0]));
    };
    try {
      await once(child.stdout, 'data');
      expect(await readHeap()).to.be.above(50 * MEBIBYTE);
      for (let time = 0; time < 2; time += 1) {
        const { heapUsed, external } = await collectGarbage({ pid: child.pid!, inspectorPort });
        expect(heapUsed).to.be.within(MEBIBYTE, 10 * MEBIBYTE);
        expect(external).to.be.within(BUFFER_BYTES, BUFFER_BYTES + 5 * MEBIBYTE);
      }
      expect(await readHeap()).to.be.below(10 * MEBIBYTE);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
