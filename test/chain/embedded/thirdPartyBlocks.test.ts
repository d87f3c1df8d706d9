// Which attestations count towards the gas budget of third parties at a replay.
import { expect } from 'chai';
import { Wallet } from 'ethers';
import type { Edr } from '../../../chain/embedded/edr.ts';
import { isThirdPartyBlock } from '../../../chain/embedded/thirdPartyBlocks.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';

const CONTRACT: Hex = `0x${'c0'.repeat(20)}`;
const LOGS: Hex = `0x${'01'.repeat(256)}`;
const HASH: Hex = `0x${'11'.repeat(32)}`;
const TENANT = `0x${'22'.repeat(32)}`;

describe('a block with logs of the contract', () => {
  const own = Wallet.createRandom();
  const other = Wallet.createRandom();

  const isThirdParty = async (
    sender: { signTransaction: Wallet['signTransaction']; address: string },
    data: string,
  ) => {
    const raw = await sender.signTransaction({ to: CONTRACT, data, chainId: 1, gasLimit: 100_000, nonce: 0, type: 2 });
    const edr = { request: async () => ({ from: sender.address }) } as unknown as Edr;
    const block = { number: 1, hash: HASH, timestampSeconds: 1, transaction: fromHex(raw as Hex) };
    const mined = { hash: HASH, gasUsed: '0x1' as Hex, logsBloom: LOGS, transactions: [HASH] };
    const isSender = async (address: Hex): Promise<boolean> => address === own.address.toLowerCase();
    return isThirdPartyBlock(edr, block, mined, { contract: CONTRACT, isSender });
  };

  it('is of a third party when another account attests, and not when the server does', async () => {
    const attest = ledgerInterface.encodeFunctionData('attest', [[[TENANT, [], [], []]]]);
    expect([await isThirdParty(other, attest), await isThirdParty(own, attest)]).to.deep.equal([true, false]);
  });

  it('is of the ledger when another account appends', async () => {
    const append = ledgerInterface.encodeFunctionData('append', [TENANT, [[TENANT, TENANT, '0x01']]]);
    expect(await isThirdParty(other, append)).to.equal(false);
  });
});
