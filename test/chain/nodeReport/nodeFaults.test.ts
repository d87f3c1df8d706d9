import { expect } from 'chai';
import type { NodeClient, StartTimeout } from '../../../chain/nodeReport/fetchNodeStatus.ts';
import { createNodeReporter } from '../../../chain/nodeReport/nodeReporter.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { type Behaviour, hang, sendEndlessly, sendText, startFakeNode, stopHalfWay } from '../../support/fakeNode.ts';
import {
  enodeOf,
  GENESIS,
  hexOf,
  PLAIN,
  statusesOf,
  toAnswers,
  toClient,
  useFakeNodes,
} from '../../support/nodeReports.ts';
import { sealClique, validator } from '../../support/sealedHeaders.ts';

const GENESIS_HASH = GENESIS.hash as Hex;

describe('the node report', () => {
  const { start, report } = useFakeNodes();

  describe('of a node with invalid answers', () => {
    const head = sealClique({ sealer: 2 });
    const unreachable: readonly [string, Record<string, Behaviour> | Behaviour][] = [
      ['to everything', sendText('hello')],
      ['with a status of 502', sendText('{}', 502)],
      ['with JSON that is no answer', sendText('[]')],
      ['without a newest block', { ...PLAIN, 'eth_getBlockByNumber latest': { result: null } }],
      ['without a genesis block', { ...PLAIN, 'eth_getBlockByNumber 0x0': { result: null } }],
      ['with a genesis block that is none', { ...PLAIN, 'eth_getBlockByNumber 0x0': { result: head } }],
      ['with a number as a text', toAnswers({ ...head, number: '12' }, GENESIS)],
      ['with a number past all numbers', toAnswers({ ...head, number: `0x${'f'.repeat(15)}` }, GENESIS)],
      ['with a time past all dates', toAnswers({ ...head, timestamp: '0xffffffffffff' }, GENESIS)],
      ['with a short hash', toAnswers({ ...head, hash: '0x12' }, GENESIS)],
      ['with a list for a block', { ...PLAIN, 'eth_getBlockByNumber latest': { result: [head] } }],
    ];
    for (const [name, answers] of unreachable) {
      it(`shows it as unreachable: ${name}`, async () => {
        const { statuses: entries } = await report(answers);
        expect(entries).to.deep.equal([undefined]);
      });
    }

    const empty: readonly [string, unknown][] = [
      ['eth_syncing', { startingBlock: 0, currentBlock: 1, highestBlock: 2 }],
      ['eth_syncing', { startingBlock: '0x0', currentBlock: '0x1' }],
      ['eth_syncing', true],
      ['eth_syncing', []],
      ['admin_peers', { enode: enodeOf(3) }],
      ['admin_peers', [null, 1, 'peer', [enodeOf(3)]]],
      ['admin_nodeInfo', 'enode'],
      ['admin_nodeInfo', { enode: 'enode://00@127.0.0.1' }],
      ['clique_getSigners', [1, null, '0x12']],
      ['clique_getSigners', 'all'],
    ];
    for (const [method, result] of empty) {
      it(`leaves the field empty: ${method} ${JSON.stringify(result).slice(0, 60)}`, async () => {
        const { statuses: entries } = await report({ ...PLAIN, [method]: { result } });
        expect(entries[0]?.syncing).to.equal(undefined);
        expect(entries[0]?.peers).to.deep.equal([]);
        expect(hexOf(entries[0]?.validatorKey)).to.equal(validator(2).publicKey);
      });
    }
  });

  describe('of a node that does not answer in time', () => {
    const never: NodeClient = { request: () => new Promise(() => undefined) };
    const late: readonly [string, Record<string, Behaviour> | Behaviour][] = [
      ['hangs', hang],
      ['stops half-way', stopHalfWay],
      ['sends without end', sendEndlessly],
      ['hangs at its newest block', { ...PLAIN, 'eth_getBlockByNumber latest': hang }],
      ['sends a huge genesis block', { ...PLAIN, 'eth_getBlockByNumber 0x0': sendEndlessly }],
    ];
    for (const [name, answers] of late) {
      it(`shows it as unreachable, and the others as they are: it ${name}`, async () => {
        const { statuses: entries } = await report(PLAIN, answers, PLAIN);
        expect(entries.map((entry) => entry?.height)).to.deep.equal([1, undefined, 1]);
      });
    }

    it('shows it as unreachable when no server listens', async () => {
      const { url, close } = await startFakeNode(hang);
      close();
      const { read } = createNodeReporter({ nodes: [toClient(url)], genesisHash: GENESIS_HASH, now: Date.now });
      expect(statusesOf(await read())).to.deep.equal([undefined]);
    });

    for (const [name, behaviour] of [['hangs', hang] as const, ['sends without end', sendEndlessly] as const]) {
      it(`omits the field where the node ${name}, and keeps the rest`, async () => {
        const optional = [
          'eth_coinbase',
          'eth_syncing',
          'admin_peers',
          'admin_nodeInfo',
          'clique_getSigners',
          'web3_clientVersion',
        ];
        const { kind, statuses: entries } = await report({
          ...PLAIN,
          ...Object.fromEntries(optional.map((method) => [method, behaviour])),
        });
        expect(kind).to.equal(undefined);
        expect(entries[0]?.height).to.equal(1);
        expect(entries[0]?.peers).to.deep.equal([]);
        expect(entries[0]?.validatorKey).to.equal(undefined);
      });
    }

    it('gives up on a node after its default timeout', async () => {
      const { read } = createNodeReporter({ nodes: [never], genesisHash: GENESIS_HASH, now: Date.now });
      expect(statusesOf(await read())).to.deep.equal([undefined]);
    });

    it('shows the other nodes as they are, whatever the client of a node does', async () => {
      const throwing: NodeClient = {
        request: () => {
          throw new Error('not even a promise');
        },
      };
      const good = toClient((await start(PLAIN)).url);
      let timeouts = 0;
      const startTimeout: StartTimeout = (onTimeout) => {
        timeouts += 1;
        if (timeouts === 1) onTimeout();
        return () => undefined;
      };
      const options = { nodes: [never, throwing, good], genesisHash: GENESIS_HASH, now: Date.now, startTimeout };
      const entries = statusesOf(await createNodeReporter(options).read());
      expect(entries.map((entry) => entry?.height)).to.deep.equal([undefined, undefined, 1]);
    });
  });
});
