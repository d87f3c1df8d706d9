// A journal is compared with the copy of its newest blocks: the newest before the chain is opened, the others by the
// replay.
import { join } from 'node:path';
import { expect } from 'chai';
import { type EmbeddedChain, openEmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import { openCheckedJournal } from '../../../../chain/embedded/journal/checkedJournal.ts';
import { openRecentBlocks } from '../../../../chain/embedded/journal/recentBlocks.ts';
import { useDirectories } from '../../../support/directories.ts';
import { type Step, withFailingStep } from '../../../support/failingSteps.ts';
import { CHAIN_ID, createAccount, START_MS, signRaw } from '../fixtures.ts';

const BLOCKS = 3;

describe('a journal with a copy of its newest blocks', () => {
  const makeDirectory = useDirectories();

  const open = (
    directory: string,
    onProblem: (message: string) => void = (message) => expect.fail(message),
  ): Promise<EmbeddedChain> =>
    openEmbeddedChain({
      directory: join(directory, 'chain'),
      chainId: CHAIN_ID,
      now: () => START_MS,
      openJournal: openCheckedJournal({
        copyDirectory: join(directory, 'copy'),
        knownBlocks: [],
        onProblem,
      }),
    });

  const create = async (): Promise<string> => {
    const directory = await makeDirectory();
    const account = createAccount();
    const chain = await open(directory);
    for (let nonce = 0; nonce < BLOCKS; nonce += 1) await chain.submitTransaction(await signRaw(account, nonce));
    await chain.close();
    return directory;
  };

  const changeCopy = async (directory: string, number: number, change: object): Promise<void> => {
    const copy = await openRecentBlocks(join(directory, 'copy'));
    await copy.write({ ...(await copy.readBlock(number))!, ...change });
    await copy.close();
  };

  it('is opened and replayed when both are the same', async () => {
    const chain = await open(await create());
    await chain.replayed;
    await chain.close();
  });

  it('begins a chain after a start that was cut off, whichever read of its copy fails once, or is refused', async () => {
    const begin = async (failing?: Step) => {
      const directory = await makeDirectory();
      await (await openRecentBlocks(join(directory, 'copy'))).close();
      let refusal: unknown;
      const { steps } = await withFailingStep(directory, failing, async () => {
        try {
          const chain = await open(directory, () => undefined);
          await chain.submitTransaction(await signRaw(createAccount(), 0));
          await chain.close();
        } catch (cause) {
          refusal = cause;
        }
      });
      return { steps, refusal };
    };
    const isRead = ({ name }: Step): boolean => /^(?:readFile|readdir) \/copy/.test(name);
    const reads = (await begin()).steps.filter(isRead);
    expect(reads).not.to.have.length(0);
    for (const read of reads) {
      const { refusal } = await begin(read);
      expect(refusal, `${read.name} ${read.occurrence}`).not.to.be.an.instanceOf(TypeError);
    }
  });

  it('is refused when its newest block has another hash', async () => {
    const directory = await create();
    await changeCopy(directory, BLOCKS, { hash: `0x${'11'.repeat(32)}` });
    const error = await open(directory).catch((cause: unknown) => cause);
    expect(error).to.include({ code: 'CHAIN_CORRUPT' });
    expect((error as Error).message).to.match(/block 3 has the hash 0x.*the copy of the newest blocks has it with/);
  });

  it('is refused when the copy has a newer block', async () => {
    const directory = await create();
    const copy = await openRecentBlocks(join(directory, 'copy'));
    await copy.write({ ...(await copy.readBlock(BLOCKS))!, number: BLOCKS + 1 });
    await copy.close();
    const error = await open(directory).catch((cause: unknown) => cause);
    expect((error as Error).message).to.match(/ends at block 3, and the copy of the newest blocks has block 4/);
  });

  for (const [name, change] of Object.entries({
    hash: { hash: `0x${'11'.repeat(32)}` },
    timestamp: { timestampSeconds: 1 },
    transaction: { transaction: Buffer.from('another') },
  })) {
    it(`fails its replay when an older block has another ${name}`, async () => {
      const directory = await create();
      await changeCopy(directory, 1, change);
      const chain = await open(directory);
      const error = await chain.replayed.catch((cause: unknown) => cause);
      expect(error).to.include({ code: 'CHAIN_CORRUPT' });
      expect((error as Error).message).to.match(/block 1 differs from its copy/);
      expect(() => chain.assertSame()).to.throw('block 1 differs');
      await chain.close();
    });
  }
});
