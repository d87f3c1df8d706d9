import { expect } from 'chai';
import { readProcessUsage, toCpuMs, toResidentBytes } from '../../bench/load/processUsage.ts';
import { skipWithoutLinux } from '../support/missing.ts';

describe('the usage of a process', () => {
  it('is read from a stat file, whose name may contain spaces and parentheses', () => {
    const stat = '4711 (node (x) y) S 1 4711 4711 0 -1 4194304 9 0 0 0 250 30 7 8 20 0 11 0 1234 99 12';
    expect(toCpuMs(stat)).to.equal(2_800);
  });

  it('is read from a status file', () => {
    expect(toResidentBytes('Name:\tnode\nVmHWM:\t  90000 kB\nVmRSS:\t   81920 kB\n')).to.equal(81_920 * 1_024);
  });

  it('agrees with what this process knows about itself', async function () {
    skipWithoutLinux(this);
    for (const until = performance.now() + 100; performance.now() < until; );
    const { user, system } = process.cpuUsage();
    const usage = await readProcessUsage(process.pid);
    expect(usage.cpuMs).to.be.closeTo((user + system) / 1_000, 100);
    expect(usage.mainThreadCpuMs).to.be.greaterThan(50).and.at.most(usage.cpuMs);
    expect(usage.residentBytes).to.be.closeTo(process.memoryUsage.rss(), 2 ** 25);
  });
});
