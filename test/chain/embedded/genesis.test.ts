// The beneficiary of a chain's blocks is part of their hashes, so a chain never changes it.
import { expect } from 'chai';
import { Wallet } from 'ethers';
import { createGenesisConfig, decodeGenesis, encodeGenesis, NOBODY } from '../../../chain/embedded/genesis.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { codeOf } from '../../support/refusals.ts';
import { CHAIN_ID, createChains, START_MS, signRaw } from './fixtures.ts';

// Output of the version before this field, with chain id and time as in the fixtures: its genesis entry, and the hash
// of a block 1 with the transaction of `signOne`.
const OLD_GENESIS =
  '{"config":{"formatVersion":1,"chainId":7331,"genesisTimeSeconds":1767225600,"hardfork":"cancun","blockGasLimit":1000000000,' +
  '"transactionGasMax":67108864},"hash":"0xb9b71bd3b0aa2feb8facd5a540ff928e0b82de7d6c121d9505cb352d5fb2fe1c",' +
  '"checksum":"0x51d3ed2d34b006bd1971417978398379df595607184ed54a68e23bf6d229568c"}';
const OLD_GENESIS_HASH = '0xb9b71bd3b0aa2feb8facd5a540ff928e0b82de7d6c121d9505cb352d5fb2fe1c';
const OLD_BLOCK_HASH = '0xcd5f3ef077a8c295fed15bb3d948bb5f06b1297f759eb7d288e24dd45e5ba19b';

const COINBASE: Hex = `0x${'5b'.repeat(20)}`;
const signOne = (): Promise<Uint8Array> => signRaw(new Wallet(`0x${'11'.repeat(32)}`), 0);
const refuseToAsk = (): Promise<Hex> => {
  throw new Error('a chain that exists has its own');
};

describe('the coinbase of the embedded chain', () => {
  const chains = createChains();
  afterEach(() => chains.clean());

  it('is the default address on a chain from before it was recorded, whose blocks keep their hashes', async () => {
    const directory = await chains.makeDirectory();
    let nowMs = START_MS;
    const first = await chains.start(directory, { now: () => nowMs });
    // A block's timestamp is the end of its second; in that version it was the start.
    nowMs -= 1;
    await first.submitTransaction(await signOne());
    await first.close();
    const again = await chains.start(directory, { openCoinbase: refuseToAsk });
    expect(again.coinbase).to.equal(NOBODY);
    expect(again.genesisHash).to.equal(OLD_GENESIS_HASH);
    expect(await again.fetchBlockHash(1)).to.equal(OLD_BLOCK_HASH);
  });

  it('is not added to the genesis entry of a chain without one', () => {
    const bytes = Buffer.from(OLD_GENESIS, 'utf8');
    const genesis = decodeGenesis(bytes);
    expect(genesis.config).to.deep.equal({ ...createGenesisConfig(CHAIN_ID, START_MS / 1000), formatVersion: 1 });
    expect(Buffer.from(encodeGenesis(genesis)).toString('utf8')).to.equal(OLD_GENESIS);
  });

  it('is recorded by a new chain, named by its blocks, and requested only once', async () => {
    const directory = await chains.makeDirectory();
    const first = await chains.start(directory, { openCoinbase: async () => COINBASE });
    await first.submitTransaction(await signOne());
    const block = (await first.request('eth_getBlockByNumber', ['0x1', false])) as { miner: Hex; hash: Hex };
    expect(block.miner).to.equal(COINBASE);
    expect(block.hash).to.not.equal(OLD_BLOCK_HASH);
    await first.close();
    const again = await chains.start(directory, { openCoinbase: refuseToAsk });
    expect(again.coinbase).to.equal(COINBASE);
    expect(await again.fetchBlockHash(1)).to.equal(block.hash);
  });

  it('must be an address: otherwise the genesis entry is damaged', () => {
    const config = createGenesisConfig(CHAIN_ID, 0, COINBASE);
    const decode = (coinbase: unknown): string =>
      codeOf(() =>
        decodeGenesis(encodeGenesis({ config: { ...config, coinbase: coinbase as Hex }, hash: OLD_BLOCK_HASH })),
      );
    expect(decode(COINBASE)).to.equal('NOT_REFUSED');
    for (const wrong of ['0x12', '', null, 7, `0x${'5B'.repeat(20)}`]) expect(decode(wrong)).to.equal('CHAIN_CORRUPT');
  });
});
