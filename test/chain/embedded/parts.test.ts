import { expect } from 'chai';
import { Wallet } from 'ethers';
import fc from 'fast-check';
import { createGate, type Turn } from '../../../chain/embedded/gate.ts';
import {
  decodeBlock,
  decodeBlockKey,
  encodeBlock,
  encodeBlockKey,
} from '../../../chain/embedded/journal/journalBlock.ts';
import { createMemoryWatch, readMemoryUse } from '../../../chain/embedded/memoryWatch.ts';
import { readRecipient } from '../../../chain/embedded/rawRecipient.ts';
import { createLimiter } from '../../../chain/embedded/rpc/limiter.ts';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';

const createTask = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
};

describe('createGate', () => {
  const setUp = () => {
    const gate = createGate();
    const begun: string[] = [];
    const begin = (kind: 'shared' | 'exclusive', name: string, turn?: Turn) => {
      const task = createTask();
      const done = gate[kind](() => {
        begun.push(name);
        return task.run();
      }, turn);
      return async () => {
        task.end();
        await done;
      };
    };
    return { begun, begin };
  };

  it('runs shared tasks together and an exclusive one alone, first come first served', async () => {
    const { begun, begin } = setUp();
    const endA = begin('shared', 'a');
    const endB = begin('shared', 'b');
    const endC = begin('exclusive', 'c');
    const endD = begin('shared', 'd');
    const endE = begin('exclusive', 'e');
    await endA();
    expect(begun.join('')).to.equal('ab');
    await endB();
    expect(begun.join('')).to.equal('abc');
    await endC();
    expect(begun.join('')).to.equal('abcd');
    await endD();
    await endE();
    expect(begun.join('')).to.equal('abcde');
  });

  it("starts the ledger's own tasks before those of others that wait", async () => {
    const { begun, begin } = setUp();
    const ends = [
      begin('shared', 'a', 'others'),
      begin('exclusive', 'b', 'others'),
      begin('shared', 'c', 'others'),
      begin('exclusive', 'd', 'own'),
      begin('shared', 'e', 'own'),
    ];
    for (const index of [0, 3, 4, 1, 2]) await ends[index]!();
    expect(begun.join('')).to.equal('adebc');
  });

  it('opens again after a task that fails', async () => {
    const gate = createGate();
    const failure = await gate
      .exclusive(async () => {
        throw new Error('first');
      })
      .catch((error: Error) => error.message);
    expect([failure, await gate.shared(async () => 'second')]).to.deep.equal(['first', 'second']);
  });
});

describe('createLimiter', () => {
  it('runs as many tasks as it may, lets as many wait, and refuses the rest', async () => {
    const limit = createLimiter({ concurrent: 2, waitingMax: 1, refuse: () => new Error('full') });
    const tasks = Array.from({ length: 4 }, createTask);
    const begun: number[] = [];
    const results = tasks.map((task, index) =>
      limit(() => {
        begun.push(index);
        return task.run();
      }).catch((error: Error) => error.message),
    );
    expect(await results[3]).to.equal('full');
    expect(begun).to.deep.equal([0, 1]);
    tasks[1]?.end();
    await results[1];
    for (const task of tasks) task.end();
    await Promise.all(results);
    expect(begun).to.deep.equal([0, 1, 2]);
  });
});

describe('readRecipient', () => {
  const wallet = Wallet.createRandom();

  it('reads what ethers wrote, in every type of transaction', async () => {
    const fields = fc.record({
      type: fc.constantFrom(0, 1, 2),
      gasLimit: fc.nat(2 ** 31 - 1),
      nonce: fc.nat(1000),
      data: fc.uint8Array({ maxLength: 400 }).map(toHex),
      to: fc.option(fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex)),
    });
    const check = fc.asyncProperty(fields, async ({ to, ...rest }) => {
      const fees = rest.type === 2 ? { maxFeePerGas: 7, maxPriorityFeePerGas: 0 } : { gasPrice: 12_345_678 };
      const raw = await wallet.signTransaction({ chainId: 5, to, ...fees, ...rest });
      expect(readRecipient(fromHex(raw))).to.equal(to ?? undefined);
    });
    await fc.assert(check, { numRuns: 60 });
  });

  it('gives an address or undefined for any bytes at all', () => {
    const check = fc.property(fc.uint8Array({ maxLength: 60 }), (raw) => {
      expect(readRecipient(raw)?.length ?? 42).to.equal(42);
    });
    fc.assert(check, { numRuns: 2000 });
  });
});

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

  it('reports memory that can not be read once until it can be read again, and throws nothing', () => {
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

describe('journal block', () => {
  const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
  const blocks = fc.record({
    number: fc.nat(),
    timestampSeconds: fc.maxSafeNat(),
    hash: hashes,
    transaction: fc.uint8Array({ minLength: 1, maxLength: 100 }),
  });

  it('decodes to what was encoded', () => {
    const check = fc.property(blocks, (block) => {
      const { transaction, ...rest } = decodeBlock(block.number, encodeBlock(block));
      expect({ ...rest, transaction: Uint8Array.from(transaction) }).to.deep.equal(block);
    });
    fc.assert(check);
  });

  it('has keys in the order of the numbers', () => {
    const check = fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (a, b) => {
      expect(Math.sign(Buffer.compare(encodeBlockKey(a), encodeBlockKey(b)))).to.equal(Math.sign(a - b));
      expect(decodeBlockKey(encodeBlockKey(a))).to.equal(a);
    });
    fc.assert(check);
  });

  it('refuses entries and keys that are none', () => {
    const refusals = [
      () => decodeBlock(1, new Uint8Array(40)),
      () => decodeBlock(1, new Uint8Array(50).fill(255)),
      () => decodeBlockKey(new Uint8Array(7)),
      () => decodeBlockKey(new Uint8Array(8).fill(255)),
    ];
    for (const refusal of refusals) expect(refusal).to.throw(LedgerError).with.property('code', 'CHAIN_CORRUPT');
  });
});
