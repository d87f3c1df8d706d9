// Who validates a chain, and when each validator last sealed: QBFT, IBFT 2.0 and clique, with headers sealed here.
import { expect } from 'chai';
import type { Engine } from '../../../chain/network/blockIntervals.ts';
import { createRecentHeaders, fetchHeader } from '../../../chain/network/recentHeaders.ts';
import { createSealReader } from '../../../chain/network/validatorSeals.ts';
import type { ChainValidators } from '../../../chain/port.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { hexOf } from '../../support/nodeReports.ts';
import { makeBlocks, sealBftChain, sealCliqueChain, toHeaderClient } from '../../support/sealedChains.ts';
import { type Header, validator } from '../../support/sealedHeaders.ts';

const addressesOf = (...numbers: readonly number[]): Hex[] => numbers.map((n) => validator(n).address);

describe('the validators of a chain', () => {
  const read = async (
    headers: readonly Header[],
    engine: Engine,
    named: readonly Hex[] = [],
  ): Promise<ChainValidators> => {
    const client = toHeaderClient(() => headers);
    const recent = createRecentHeaders();
    await recent.follow(client, headers.length - 1);
    const genesis = await fetchHeader(client, 0);
    return createSealReader().read(recent.read(), { engine, named, genesis: genesis! });
  };
  const lastOf = ({ all }: ChainValidators) => all.map(({ lastSealed }) => lastSealed?.number);
  const silentOf = ({ all }: ChainValidators) => all.map(({ isSilent }) => isSilent);

  // Validator 4 stops at block 20, and 5 never works.
  const toSealers = (at: number): number[] => (at <= 20 ? [1, 2, 3, 4] : [1, 2, 3]);

  for (const engine of ['qbft', 'ibft2'] as const) {
    it(`of ${engine} are those that the header names, each with its newest seal`, async () => {
      const found = await read(sealBftChain(engine, [1, 2, 3, 4, 5], makeBlocks(40, toSealers)), engine);
      expect(found.all.map(({ address }) => address)).to.eql(addressesOf(1, 2, 3, 4, 5));
      expect(lastOf(found)).to.eql([39, 39, 39, 20, undefined]);
      expect(found.all[3]!.lastSealed).to.eql({ number: 20, timestampSeconds: 1_020 });
      expect(silentOf(found)).to.eql([false, false, false, true, true]);
      const keys = found.all.map(({ key }) => hexOf(key));
      expect(keys).to.eql([...[1, 2, 3, 4].map((n) => validator(n).publicKey), undefined]);
      expect([found.engine, found.needed]).to.eql([engine, 4]);
    });
  }

  it('of a contract are those that a node names, else those that sealed', async () => {
    const headers = sealBftChain('qbft', [], makeBlocks(40, toSealers));
    const named = await read(headers, 'qbft', addressesOf(4, 1, 2, 3));
    expect([lastOf(named), named.needed]).to.eql([[20, 39, 39, 39], 3]);
    const unnamed = await read(headers, 'qbft');
    expect(unnamed.all.map(({ address }) => address)).to.have.members(addressesOf(1, 2, 3, 4));
    expect(unnamed.needed).to.equal(undefined);
  });

  it('of clique are its signers, each with the newest block that it signed', async () => {
    const headers = sealCliqueChain(
      [1, 2, 3],
      makeBlocks(30, (at) => [at <= 10 ? (at % 3) + 1 : (at % 2) + 1]),
    );
    const found = await read(headers, 'clique');
    expect(found.all.map(({ address }) => address)).to.eql(addressesOf(1, 2, 3));
    expect([lastOf(found), silentOf(found), found.needed]).to.eql([[28, 29, 8], [false, false, true], 2]);
    const voted = await read(headers, 'clique', addressesOf(1, 2));
    expect([lastOf(voted), voted.needed]).to.eql([[28, 29], 2]);
  });

  it('have no seal that another key made', async () => {
    const found = await read(
      sealBftChain(
        'qbft',
        [1, 2],
        makeBlocks(9, () => [1, 3]),
      ),
      'qbft',
    );
    expect(lastOf(found)).to.eql([8, undefined]);
  });
});
