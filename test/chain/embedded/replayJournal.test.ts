// A replayed chain must have the hashes in its journal, the genesis hash included: tested with well-formed entries that
// have another hash.
import { expect } from 'chai';
import { Level } from 'level';
import { decodeGenesis, encodeGenesis } from '../../../chain/embedded/genesis.ts';
import { decodeBlock, encodeBlock, encodeBlockKey } from '../../../chain/embedded/journal/journalBlock.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { createAccount, createChains, signRaw } from './fixtures.ts';

const OTHER_HASH: Hex = `0x${'ab'.repeat(32)}`;

describe('the replay of the embedded chain', () => {
  const chains = createChains();
  afterEach(() => chains.clean());

  /** A journal of two blocks with this entry replaced. */
  const makeJournal = async (number: number, change: (entry: Uint8Array) => Uint8Array): Promise<string> => {
    const directory = await chains.makeDirectory();
    const chain = await chains.start(directory);
    const account = createAccount();
    for (const nonce of [0, 1]) await chain.submitTransaction(await signRaw(account, nonce));
    await chain.close();
    const entries = new Level<Uint8Array, Uint8Array>(directory, { keyEncoding: 'view', valueEncoding: 'view' });
    const key = encodeBlockKey(number);
    await entries.put(key, change((await entries.get(key))!));
    await entries.close();
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
});
