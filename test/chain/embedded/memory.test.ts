// Requests of the public port use a limited amount of memory: measured in a process of its own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { EXECUTION_BYTES_MAX } from '../../../chain/embedded/rpc/executionGas.ts';
import { skipWithoutLinux } from '../../support/missing.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';

const CHILD = fileURLToPath(new URL('memoryChild.ts', import.meta.url));

interface MemoryGrowth {
  readonly name: string;
  /** Code of the error that was the answer; 0 for none. */
  readonly code: number;
  readonly grewBytes: number;
}

describe('a public call', () => {
  it('uses at most 256 MiB of memory, whatever it executes', async function test() {
    skipWithoutLinux(this);
    const directory = await createTemporaryDirectory();
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', CHILD, directory.path]);
      const measured = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as MemoryGrowth);
      expect(measured).to.have.length.greaterThan(30);
      const over = measured.filter(({ grewBytes }) => grewBytes > EXECUTION_BYTES_MAX);
      expect(over).to.deep.equal([]);
    } finally {
      await directory.remove();
    }
  });
});
