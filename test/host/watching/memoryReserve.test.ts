// The memory that is left, and the reserve below which records are refused.
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type FreeMemory, readFreeMemory } from '../../../host/watching/freeMemory.ts';
import { createMemoryReserve } from '../../../host/watching/memoryReserve.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import { useDirectories } from '../../support/directories.ts';

const MIB = 2 ** 20;

describe('the memory that is left', () => {
  const makeDirectory = useDirectories();
  const readWith = async (files: Readonly<Record<string, string>>): Promise<FreeMemory> => {
    const root = await makeDirectory();
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    return readFreeMemory(root);
  };

  it('is that of the machine where no group has a limit', async () => {
    const group = { 'sys/fs/cgroup/memory.max': 'max\n', 'sys/fs/cgroup/memory.current': '1000\n' };
    for (const files of [{}, { 'proc/self/cgroup': '0::/\n', ...group }])
      expect((await readWith(files)).limitBytes).to.equal(os.totalmem());
  });

  it('is that of the group around the process with the least, in version 2', async () => {
    const free = await readWith({
      'proc/self/cgroup': '0::/outer/inner\n',
      'sys/fs/cgroup/outer/inner/memory.max': 'max\n',
      'sys/fs/cgroup/outer/inner/memory.current': '900000\n',
      'sys/fs/cgroup/outer/memory.max': '1000000\n',
      'sys/fs/cgroup/outer/memory.current': '900000\n',
      'sys/fs/cgroup/outer/memory.stat': 'anon 700000\ninactive_file 150000\nactive_file 50000\n',
    });
    expect(free).to.deep.equal({ freeBytes: 250_000, limitBytes: 1_000_000 });
  });

  it('is that of a container whose group has another path outside, in version 1', async () => {
    const free = await readWith({
      'proc/self/cgroup': '9:name=systemd:/\n4:cpu,memory:/docker/0123\n0::/\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '1000000\n',
      'sys/fs/cgroup/memory/memory.usage_in_bytes': '600000\n',
      'sys/fs/cgroup/memory/memory.stat': 'inactive_file 1\ntotal_inactive_file 100000\n',
    });
    expect(free).to.deep.equal({ freeBytes: 500_000, limitBytes: 1_000_000 });
  });
});

describe('the reserve of memory', () => {
  const create = (reserveBytes?: number) => {
    const memory = { freeBytes: 1_000 * MIB, limitBytes: 1_500 * MIB };
    const problems: string[] = [];
    let atMs = 0;
    const { assertFree } = createMemoryReserve({
      reserveBytes,
      readFree: () => ({ ...memory }),
      onProblem: (message) => problems.push(message),
      nowMs: () => atMs,
    });
    const codeWith = (freeMebibytes: number): string | undefined => {
      memory.freeBytes = freeMebibytes * MIB;
      atMs += 250;
      try {
        assertFree();
        return undefined;
      } catch (error) {
        return (error as LedgerError).code;
      }
    };
    return { codeWith, problems };
  };

  it('refuses records below a fifth of the limit until more is free, and says so once', () => {
    const { codeWith, problems } = create();
    const codes = [301, 299, 200, 301].map(codeWith);
    expect(codes).to.deep.equal([undefined, 'MEMORY_RESERVED', 'MEMORY_RESERVED', undefined]);
    expect(problems).to.have.length(2);
  });

  it('can be set, and switched off', () => {
    expect([100, 99].map(create(100 * MIB).codeWith)).to.deep.equal([undefined, 'MEMORY_RESERVED']);
    expect([1, 0].map(create(0).codeWith)).to.deep.equal([undefined, undefined]);
  });
});
