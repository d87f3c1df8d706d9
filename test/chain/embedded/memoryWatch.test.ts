import { expect } from 'chai';
import { createMemoryWatch, readMemoryUse } from '../../../chain/embedded/memoryWatch.ts';

describe('createMemoryWatch', () => {
  it('warns at three quarters of the memory, and again only when more is used', () => {
    const uses = [10, 74, 76, 77, 80, 82, 70, 90];
    const warnings: number[] = [];
    const left = [...uses];
    const watch = createMemoryWatch({
      readUse: () => ({ usedBytes: left.shift() ?? 0, limitBytes: 100 }),
      onWarning: ({ usedBytes }) => warnings.push(usedBytes),
      onProblem: (cause) => expect.fail(String(cause)),
    });
    for (const _ of uses) watch.check();
    expect(warnings).to.deep.equal([76, 82, 90]);
  });

  it('reports unreadable memory use once until it can be read again, and does not throw', () => {
    const emfile = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    const reads = [emfile, emfile, 80, emfile, 90];
    const [problems, warnings]: [unknown[], number[]] = [[], []];
    const watch = createMemoryWatch({
      readUse: () => {
        const read = reads.shift()!;
        if (typeof read !== 'number') throw read;
        return { usedBytes: read, limitBytes: 100 };
      },
      onWarning: ({ usedBytes }) => warnings.push(usedBytes),
      onProblem: (cause) => problems.push(cause),
    });
    for (const _ of [...reads]) watch.check();
    expect(problems).to.deep.equal([emfile, emfile]);
    expect(warnings).to.deep.equal([80, 90]);
  });

  it('reads the memory of this process and of this machine', () => {
    const { usedBytes, limitBytes } = readMemoryUse();
    expect(usedBytes)
      .to.be.greaterThan(2 ** 20)
      .and.lessThan(limitBytes);
  });
});
