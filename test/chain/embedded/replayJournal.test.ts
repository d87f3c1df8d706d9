// A replayed chain must have the hashes in its journal, the genesis hash included: tested with well-formed entries that
// have another hash.
import { expect } from 'chai';
import { Level } from 'level';
import { decodeGenesis, encodeGenesis } from '../../../chain/embedded/genesis.ts';
import {
  decodeBlock,
  encodeBlock,
  encodeBlockKey,
  type JournalBlock,
} from '../../../chain/embedded/journal/journalBlock.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { createAccount, createChains, signRaw } from './fixtures.ts';

const OTHER_HASH: Hex = `0x${'ab'.repeat(32)}`;
type ChangeEntry = (entry: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** Blocks of a group: their gas is less than the most that one group may use. */
const GROUPED = 8;

describe('the replay of the embedded chain', () => {
  const chains = createChains();
  afterEach(() => chains.clean());

  const changeEntry = async (directory: string, number: number, change: ChangeEntry) => {
    const entries = new Level<Uint8Array, Uint8Array>(directory, { keyEncoding: 'view', valueEncoding: 'view' });
    const key = encodeBlockKey(number);
    await entries.put(key, await change((await entries.get(key))!));
    await entries.close();
  };

  /** A journal of two blocks with this entry replaced. */
  const makeJournal = async (number: number, change: ChangeEntry): Promise<string> => {
    const directory = await chains.makeDirectory();
    const chain = await chains.start(directory);
    const account = createAccount();
    for (const nonce of [0, 1]) await chain.submitTransaction(await signRaw(account, nonce));
    await chain.close();
    await changeEntry(directory, number, change);
    return directory;
  };

  it('refuses a genesis with another hash', async () => {
    const directory = await makeJournal(0, (entry) => encodeGenesis({ ...decodeGenesis(entry), hash: OTHER_HASH }));
    const error = await chains.start(directory).catch((cause: unknown) => cause);
    expect(error).to.have.property('code', 'CHAIN_CORRUPT');
  });

  for (const number of [1, 2]) {
    it(`refuses a block with another hash: ${number}`, async () => {
      const directory = await makeJournal(number, (entry) =>
        encodeBlock({ ...decodeBlock(number, entry), hash: OTHER_HASH }),
      );
      const error = await chains.start(directory).catch((cause: unknown) => cause);
      expect(error).to.have.property('code', 'CHAIN_CORRUPT');
    });
  }

  describe('of appends, which are executed in groups', () => {
    const account = createAccount();
    // The replay reads only what a transaction calls; no contract needs to be there.
    const contract = account.address.toLowerCase() as Hex;
    const findLedgerAccounts = async () => ({ contract, isSender: async () => true });
    const append = { to: contract, data: ledgerInterface.getFunction('append')!.selector };

    const makeAppends = async (): Promise<string> => {
      const directory = await chains.makeDirectory();
      const chain = await chains.start(directory, { findLedgerAccounts });
      for (let nonce = 0; nonce < GROUPED; nonce += 1) {
        await chain.submitTransaction(await signRaw(account, nonce, append));
      }
      await chain.close();
      return directory;
    };

    it('executes several blocks in one group', async () => {
      const directory = await makeAppends();
      const blocksDone: number[] = [];
      const onProgress = (progress: { blocksDone: number }) => blocksDone.push(progress.blocksDone);
      await chains.start(directory, { findLedgerAccounts, onProgress });
      expect(blocksDone).to.deep.equal([GROUPED]);
    });

    const damaged: Record<string, (block: JournalBlock) => Promise<Partial<JournalBlock>>> = {
      'another hash': async () => ({ hash: OTHER_HASH }),
      'another timestamp': async ({ timestampSeconds }) => ({ timestampSeconds: timestampSeconds + 1 }),
      'a transaction that the chain refuses': async () => ({
        transaction: await signRaw(account, GROUPED + 1, append),
      }),
      'bytes that are no transaction': async () => ({ transaction: Buffer.from([1, 2, 3]) }),
    };
    for (const [name, change] of Object.entries(damaged)) {
      for (const number of [1, 5, GROUPED]) {
        it(`names block ${number} with ${name}`, async () => {
          const directory = await makeAppends();
          await changeEntry(directory, number, async (entry) => {
            const block = decodeBlock(number, entry);
            return encodeBlock({ ...block, ...(await change(block)) });
          });
          const error = await chains.start(directory, { findLedgerAccounts }).catch((cause: unknown) => cause);
          expect(error).to.have.property('code', 'CHAIN_CORRUPT');
          expect((error as Error).message).to.contain(`block ${number}: `);
        });
      }
    }
  });
});
