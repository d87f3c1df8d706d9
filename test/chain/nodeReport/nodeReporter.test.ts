import { expect } from 'chai';
import type { NodeClient } from '../../../chain/nodeReport/fetchNodeStatus.ts';
import { createNodeReporter } from '../../../chain/nodeReport/nodeReporter.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { QUICK_NODE, startNode } from '../../support/externalNode.ts';
import type { Behaviour } from '../../support/fakeNode.ts';
import {
  enodeOf,
  GENESIS,
  hexOf,
  PLAIN,
  QBFT_GENESIS,
  WITHOUT_TIMEOUT as startTimeout,
  statusesOf,
  toAnswers,
  toClient,
  useFakeNodes,
} from '../../support/nodeReports.ts';
import { type Header, sealBft, sealClique, validator } from '../../support/sealedHeaders.ts';
import { createAccount, createChains, START_MS, signRaw } from '../embedded/fixtures.ts';

describe('the node report', () => {
  const { start, report, reportOn } = useFakeNodes();

  describe('of a node that answers', () => {
    it('has the numbers, hashes and times of its blocks', async () => {
      const { kind, statuses: entries } = await report({
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

    it('shows its progress with catching up', async () => {
      const result = { startingBlock: '0x0', currentBlock: '0x1', highestBlock: '0x3e8', healedBytecodes: '0x0' };
      const { statuses: entries } = await report({ ...PLAIN, eth_syncing: { result } });
      expect(entries[0]?.syncing).to.deep.equal({ startingBlock: 0, currentBlock: 1, highestBlock: 1000 });
    });

    it('shows that it is behind, also with a number that is too large', async () => {
      const result = { startingBlock: '0x0', currentBlock: '0x1', highestBlock: `0x${'f'.repeat(16)}` };
      const { statuses: entries } = await report({ ...PLAIN, eth_syncing: { result } });
      const highestBlock = Number.MAX_SAFE_INTEGER;
      expect(entries[0]?.syncing).to.deep.equal({ startingBlock: 0, currentBlock: 1, highestBlock });
    });

    it('shows its peers with their keys, of geth and of Besu', async () => {
      const ofGeth = { enode: enodeOf(3), id: 'ab'.repeat(32), name: 'Geth', network: {} };
      const ofBesu = { id: `0x${validator(4).publicKey}`, name: 'besu', network: {} };
      const unknown = [{ enode: `enode://${'11'.repeat(64)}@127.0.0.1:1` }, { enode: 7, id: null }];
      const { statuses: entries } = await reportOn(QBFT_GENESIS.hash!, {
        ...toAnswers(sealBft('qbft', { sealers: [1] }), QBFT_GENESIS),
        admin_peers: { result: [ofGeth, ofBesu, ...unknown] },
      });
      const keys = entries[0]?.peers.map(({ validatorKey }) => hexOf(validatorKey));
      expect(keys).to.deep.equal([validator(3).publicKey, validator(4).publicKey, undefined, undefined]);
    });

    it('limits the number of peers', async () => {
      const { statuses: entries } = await report({ ...PLAIN, admin_peers: { result: Array(5000).fill({}) } });
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

  describe('of nodes of several chains', () => {
    const FOREIGN: Record<string, Behaviour> = {
      ...toAnswers(sealClique({ sealer: 3 }), sealClique({ named: [3] })),
      eth_coinbase: { result: validator(3).address },
      admin_nodeInfo: { result: { enode: enodeOf(3) } },
      web3_clientVersion: { result: 'besu/v24.8.0' },
    };

    it('shows the chain of a node of another chain, and neither its key nor its kind', async () => {
      const ours = { ...PLAIN, web3_clientVersion: { result: 'Geth/v1.13.14' } };
      const { kind, statuses: entries } = await report(FOREIGN, ours);
      expect(kind).to.equal('geth');
      const [foreign, own] = entries;
      expect(foreign?.height).to.equal(1);
      expect(foreign?.genesisHash).to.equal(sealClique({ named: [3] }).hash);
      expect(foreign?.validatorKey).to.equal(undefined);
      expect(hexOf(own?.validatorKey)).to.equal(validator(2).publicKey);
      expect((await report(FOREIGN)).kind).to.equal(undefined);
    });

    it('shows no key for a node of another chain, even if one is configured', async () => {
      const client = toClient((await start(PLAIN)).url);
      const node = { ...client, validatorKey: Buffer.from(validator(1).publicKey, 'hex') };
      const { read } = createNodeReporter({
        nodes: [node],
        genesisHash: QBFT_GENESIS.hash as Hex,
        now: Date.now,
        startTimeout,
      });
      expect(statusesOf(await read())[0]?.validatorKey).to.equal(undefined);
    });

    it('keeps the known kind while no node answers, until one reports another', async () => {
      let version: unknown = 'Geth/v1.13.14';
      let isDown = false;
      const { request } = toClient((await start(PLAIN)).url);
      const node: NodeClient = {
        request: async (method, params) => {
          if (isDown) throw new Error('down');
          return method === 'web3_clientVersion' ? version : request(method, params);
        },
      };
      const clock = { atMs: 0 };
      const { read } = createNodeReporter({
        nodes: [node],
        genesisHash: GENESIS.hash as Hex,
        now: () => clock.atMs,
        startTimeout,
      });
      const readLater = () => {
        clock.atMs += 1000;
        return read();
      };
      expect((await readLater()).kind).to.equal('geth');
      isDown = true;
      const away = await readLater();
      expect([away.kind, statusesOf(away)]).to.deep.equal(['geth', [undefined]]);
      expect((await readLater()).kind).to.equal('geth');
      isDown = false;
      version = undefined;
      expect((await readLater()).kind).to.equal('geth');
      version = 'besu/v24.8.0';
      expect((await readLater()).kind).to.equal('besu');
    });
  });

  describe('of frequent requests', () => {
    it('queries a node once for simultaneous requests, and at most once a second', async () => {
      const node = await start(PLAIN);
      const clock = { atMs: 1_000_000 };
      const { read } = createNodeReporter({
        nodes: [toClient(node.url)],
        genesisHash: GENESIS.hash as Hex,
        now: () => clock.atMs,
        startTimeout,
      });
      const countReports = (): number => node.requested.filter((method) => method === 'web3_clientVersion').length;
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
    it('describes the embedded chain', async () => {
      const chains = createChains();
      try {
        const chain = await chains.start(await chains.makeDirectory());
        await chain.submitTransaction(await signRaw(createAccount(), 0));
        const key = Buffer.from(validator(1).publicKey, 'hex');
        const { read } = createNodeReporter({
          nodes: [{ request: chain.request, validatorKey: key }],
          genesisHash: chain.genesisHash,
          now: Date.now,
          startTimeout,
        });
        const states = await read();
        const { kind } = states;
        const entries = statusesOf(states);
        expect(kind).to.equal('hardhat');
        const genesis = (await chain.request('eth_getBlockByNumber', ['0x0', false])) as Header;
        expect(entries).to.deep.equal([
          {
            validatorKey: key,
            height: 1,
            headAtSeconds: START_MS / 1000 + 1,
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

    it('shows the embedded chain as unreachable after it is closed', async () => {
      const chains = createChains();
      const chain = await chains.start(await chains.makeDirectory());
      await chains.clean();
      const { read } = createNodeReporter({
        nodes: [{ request: chain.request }],
        genesisHash: chain.genesisHash,
        now: Date.now,
        startTimeout,
      });
      expect(statusesOf(await read())).to.deep.equal([undefined]);
    });

    it('describes a node of another process, and its end', async () => {
      const node = await startNode(QUICK_NODE);
      try {
        const { request } = node;
        for (let block = 0; block < 3; block += 1) await request('evm_mine', []);
        const [head, genesis] = (await Promise.all([
          request('eth_getBlockByNumber', ['latest', false]),
          request('eth_getBlockByNumber', ['0x0', false]),
        ])) as Header[];
        const clock = { atMs: 0 };
        const { read } = createNodeReporter({
          nodes: [toClient(node.url)],
          genesisHash: genesis!.hash as Hex,
          now: () => clock.atMs,
          startTimeout,
        });
        const states = await read();
        const { kind } = states;
        const entries = statusesOf(states);
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
        expect(statusesOf(await read())).to.deep.equal([undefined]);
      } finally {
        await node.kill();
      }
    });
  });
});
