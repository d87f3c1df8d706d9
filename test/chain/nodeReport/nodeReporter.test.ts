import { expect } from 'chai';
import { createNodeReporter } from '../../../chain/nodeReport/nodeReporter.ts';
import { QUICK_NODE, startNode } from '../../support/externalNode.ts';
import type { Behaviour } from '../../support/fakeNode.ts';
import {
  enodeOf,
  GENESIS,
  hexOf,
  PLAIN,
  QBFT_GENESIS,
  toAnswers,
  toClient,
  useFakeNodes,
} from '../../support/nodeReports.ts';
import { type Header, sealBft, sealClique, validator } from '../../support/sealedHeaders.ts';
import { createAccount, createChains, START_MS, signRaw } from '../embedded/fixtures.ts';

describe('the node report', () => {
  const { start, report } = useFakeNodes();

  describe('of a node that answers', () => {
    it('has the numbers, hashes and times of its blocks', async () => {
      const { kind, nodes: entries } = await report({
        ...PLAIN,
        web3_clientVersion: { result: 'Geth/v1.13.14-stable/linux-amd64/go1.21' },
        eth_syncing: { result: false },
      });
      expect(kind).to.equal('geth');
      expect(entries).to.have.length(1);
      const { validatorKey, ...entry } = entries[0]!;
      expect(hexOf(validatorKey)).to.equal(validator(2).publicKey);
      expect(entry).to.deep.equal({
        height: 1,
        headAtSeconds: 0x5b3c42b8,
        genesisHash: GENESIS.hash,
        genesisStateRoot: GENESIS.stateRoot,
        genesisAtSeconds: 0x5b3c42b8,
        syncing: undefined,
        peers: [],
      });
    });

    it('shows how far it is with catching up', async () => {
      const result = { startingBlock: '0x0', currentBlock: '0x1', highestBlock: '0x3e8', healedBytecodes: '0x0' };
      const { nodes: entries } = await report({ ...PLAIN, eth_syncing: { result } });
      expect(entries[0]?.syncing).to.deep.equal({ startingBlock: 0, currentBlock: 1, highestBlock: 1000 });
    });

    it('shows its peers with their keys, of geth and of Besu', async () => {
      const ofGeth = { enode: enodeOf(3), id: 'ab'.repeat(32), name: 'Geth', network: {} };
      const ofBesu = { id: `0x${validator(4).publicKey}`, name: 'besu', network: {} };
      const unknown = [{ enode: `enode://${'11'.repeat(64)}@127.0.0.1:1` }, { enode: 7, id: null }];
      const { nodes: entries } = await report({ ...PLAIN, admin_peers: { result: [ofGeth, ofBesu, ...unknown] } });
      const keys = entries[0]?.peers.map(({ validatorKey }) => hexOf(validatorKey));
      expect(keys).to.deep.equal([validator(3).publicKey, validator(4).publicKey, undefined, undefined]);
    });

    it('shows no more peers than a node has', async () => {
      const { nodes: entries } = await report({ ...PLAIN, admin_peers: { result: Array(5000).fill({}) } });
      expect(entries[0]?.peers).to.have.length(256);
    });

    const kinds: readonly [unknown, string | undefined][] = [
      ['besu/v24.8.0/linux-x86_64/openjdk-java-21', 'besu'],
      ['HardhatNetwork/3.17.0/@nomicfoundation/edr/0.20.0', 'hardhat'],
      ['anvil/v1.7.1', 'anvil'],
      ['Nethermind', 'nethermind'],
      ['<script>/1', undefined],
      ['x'.repeat(40), undefined],
      ['', undefined],
      [{ version: 1 }, undefined],
    ];
    for (const [result, kind] of kinds) {
      it(`names its kind: ${JSON.stringify(result)}`, async () => {
        expect((await report({ ...PLAIN, web3_clientVersion: { result } })).kind).to.equal(kind);
      });
    }
  });

  describe('shows as the key of a node', () => {
    const keyOf = async (answers: Record<string, Behaviour>): Promise<string | undefined> => {
      const { nodes: entries } = await report(answers);
      expect(entries[0]).to.not.equal(undefined);
      return hexOf(entries[0]?.validatorKey);
    };

    for (const engine of ['qbft', 'ibft2'] as const) {
      it(`the proposer of the newest block: ${engine}`, async () => {
        const head = sealBft(engine, { round: 2, proposer: 4 });
        expect(await keyOf(toAnswers(head, QBFT_GENESIS))).to.equal(validator(4).publicKey);
      });
    }

    it('its own, where the chain names it as a validator', async () => {
      const answers = toAnswers(sealBft('qbft'), QBFT_GENESIS);
      expect(await keyOf({ ...answers, admin_nodeInfo: { result: { enode: enodeOf(3) } } })).to.equal(
        validator(3).publicKey,
      );
    });

    it("the proposer's, where the chain doesn't name its own", async () => {
      const answers = toAnswers(sealBft('qbft'), QBFT_GENESIS);
      expect(await keyOf({ ...answers, admin_nodeInfo: { result: { enode: enodeOf(9) } } })).to.equal(
        validator(2).publicKey,
      );
    });

    it('its own, on a chain whose headers name no validators', async () => {
      const head = { ...sealClique({ sealer: 2 }), difficulty: '0x0' };
      const answers = toAnswers(head, GENESIS);
      expect(await keyOf({ ...answers, admin_nodeInfo: { result: { enode: enodeOf(9) } } })).to.equal(
        validator(9).publicKey,
      );
    });

    it('a clique signer that the node names', async () => {
      const answers = toAnswers(sealClique({ sealer: 5 }), GENESIS);
      expect(await keyOf(answers)).to.equal(undefined);
      const address = validator(5).address.toUpperCase().replace('0X', '0x');
      expect(await keyOf({ ...answers, clique_getSigners: { result: [address] } })).to.equal(validator(5).publicKey);
    });

    it('none, where nothing reveals one', async () => {
      const { extraData: _, ...head } = sealClique({ sealer: 2 });
      expect(await keyOf(toAnswers(head, GENESIS))).to.equal(undefined);
      expect(await keyOf(toAnswers(sealBft('qbft', { sealers: [1] }), QBFT_GENESIS))).to.equal(undefined);
    });
  });

  describe('of clients that ask often', () => {
    it('asks a node once for all that ask at the same time, and once a second', async () => {
      const node = await start(PLAIN);
      const clock = { atMs: 1_000_000 };
      const read = createNodeReporter({ nodes: [toClient(node.url)], now: () => clock.atMs });
      const countReports = (): number => node.asked.filter((method) => method === 'web3_clientVersion').length;
      const all = await Promise.all(Array.from({ length: 50 }, () => read()));
      expect(new Set(all).size).to.equal(1);
      clock.atMs += 999;
      await read();
      expect(countReports()).to.equal(1);
      clock.atMs += 1;
      await Promise.all([read(), read()]);
      expect(countReports()).to.equal(2);
      clock.atMs -= 10_000;
      await read();
      expect(countReports(), 'after the clock was set back').to.equal(3);
    });
  });

  describe('of real nodes', () => {
    it('tells of the embedded chain', async () => {
      const chains = createChains();
      try {
        const chain = await chains.start(await chains.makeDirectory());
        await chain.submitTransaction(await signRaw(createAccount(), 0));
        const key = Buffer.from(validator(1).publicKey, 'hex');
        const read = createNodeReporter({ nodes: [{ request: chain.request, validatorKey: key }], now: Date.now });
        const { kind, nodes: entries } = await read();
        expect(kind).to.equal('hardhat');
        const genesis = (await chain.request('eth_getBlockByNumber', ['0x0', false])) as Header;
        expect(entries).to.deep.equal([
          {
            validatorKey: key,
            height: 1,
            headAtSeconds: START_MS / 1000,
            genesisHash: chain.genesisHash,
            genesisStateRoot: genesis.stateRoot,
            genesisAtSeconds: START_MS / 1000,
            syncing: undefined,
            peers: [],
          },
        ]);
      } finally {
        await chains.clean();
      }
    });

    it("says that the embedded chain can't be reached once it is closed", async () => {
      const chains = createChains();
      const chain = await chains.start(await chains.makeDirectory());
      await chains.clean();
      const read = createNodeReporter({ nodes: [{ request: chain.request }], now: Date.now });
      expect((await read()).nodes).to.deep.equal([undefined]);
    });

    it('tells of a node of another process, and of its end', async () => {
      const node = await startNode(QUICK_NODE);
      try {
        const { request } = node;
        for (let block = 0; block < 3; block += 1) await request('evm_mine', []);
        const [head, genesis] = (await Promise.all([
          request('eth_getBlockByNumber', ['latest', false]),
          request('eth_getBlockByNumber', ['0x0', false]),
        ])) as Header[];
        const clock = { atMs: 0 };
        const read = createNodeReporter({ nodes: [toClient(node.url)], now: () => clock.atMs });
        const { kind, nodes: entries } = await read();
        expect(kind).to.equal(QUICK_NODE);
        expect(entries).to.deep.equal([
          {
            validatorKey: undefined,
            height: 3,
            headAtSeconds: Number(head!.timestamp),
            genesisHash: genesis!.hash,
            genesisStateRoot: genesis!.stateRoot,
            genesisAtSeconds: Number(genesis!.timestamp),
            syncing: undefined,
            peers: [],
          },
        ]);
        await node.kill();
        clock.atMs += 1000;
        expect((await read()).nodes).to.deep.equal([undefined]);
      } finally {
        await node.kill();
      }
    });
  });
});
