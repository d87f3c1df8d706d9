// The load of test:repeat ends with it.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { startLoad } from './load.ts';

const childrenOf = (pid: number): number =>
  execFileSync('ps', ['-A', '-o', 'ppid='], { encoding: 'utf8' })
    .split('\n')
    .filter((ppid) => Number(ppid) === pid).length;

const writtenFiles = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('pt-disk-'));

describe('a load beside tests', () => {
  it('runs as many busy loops as it should, and a writer, until it is ended', async () => {
    const [before, writtenBefore] = [childrenOf(process.pid), writtenFiles().length];
    const end = startLoad(2, true);
    await until(() => writtenFiles().length > writtenBefore);
    const during = childrenOf(process.pid);
    await end();
    // ps itself is a child when it counts.
    expect([during - before, childrenOf(process.pid) - before]).to.deep.equal([3, 0]);
    expect(writtenFiles().length).to.equal(writtenBefore);
  });
});
