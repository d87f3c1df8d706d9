// What the report keeps: the last state of a node that is away, and which peer is which signer of clique.
import { expect } from 'chai';
import type { SeenHead } from '../../../chain/network/rpcNode.ts';
import type { NodeClient } from '../../../chain/nodeReport/fetchNodeStatus.ts';
import { createNodeReporter } from '../../../chain/nodeReport/nodeReporter.ts';
import type { NodeStates } from '../../../chain/port.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import {
  enodeOf,
  GENESIS,
  hexOf,
  PLAIN,
  WITHOUT_TIMEOUT as startTimeout,
  toAnswers,
  toClient,
  useFakeNodes,
} from '../../support/nodeReports.ts';
import { sealClique, validator } from '../../support/sealedHeaders.ts';

describe('the node report', () => {
  const { start, report } = useFakeNodes();

  // Reads a report of the clique chain once a second; `isDown` switches the first node off.
  const openReports = async (...all: Parameters<typeof start>[0][]) => {
    const state = { isDown: false, atMs: 1_000_000, seen: undefined as SeenHead | undefined, requests: 0 };
    const clients = await Promise.all(all.map(async (answers) => toClient((await start(answers)).url)));
    const nodes = clients.map(
      (client, at): NodeClient => ({
        host: `node-${at}.example`,
        request: async (method, params) => {
          state.requests += 1;
          if (state.isDown && at === 0) throw new Error('down');
          return client.request(method, params);
        },
      }),
    );
    const { read, readUnasked } = createNodeReporter({
      nodes,
      genesisHash: GENESIS.hash as Hex,
      now: () => state.atMs,
      startTimeout,
      readSeen: (at) => (at === 0 ? state.seen : undefined),
    });
    const readLater = (): Promise<NodeStates> => {
      state.atMs += 1_000;
      return read();
    };
    return { state, readLater, readUnasked };
  };

  describe('of a node that was reachable', () => {
    it('has its host, and its key, height and time of then until it is back', async () => {
      const { state, readLater } = await openReports(PLAIN);
      const [up] = (await readLater()).nodes;
      expect([up?.host, up?.lastKnown]).to.deep.equal(['node-0.example', undefined]);
      const seenMs = state.atMs;
      state.isDown = true;
      for (let time = 0; time < 2; time += 1) {
        const [away] = (await readLater()).nodes;
        expect([away?.host, away?.status]).to.deep.equal(['node-0.example', undefined]);
        const { validatorKey, ...known } = away!.lastKnown!;
        expect(hexOf(validatorKey)).to.equal(validator(2).publicKey);
        expect(known).to.deep.equal({ height: 1, headAtSeconds: 0x5b3c42b8, atMs: seenMs });
      }
      state.isDown = false;
      const [back] = (await readLater()).nodes;
      expect([back?.status?.height, back?.lastKnown]).to.deep.equal([1, undefined]);
    });

    it("has what the chain's checks saw of it later, and its key, which is asked for once", async () => {
      const { state, readLater, readUnasked } = await openReports(PLAIN);
      await readUnasked();
      expect(state.requests).to.equal(0);
      state.seen = { height: 7, headAtSeconds: 70, atMs: state.atMs + 10 };
      await readUnasked();
      const { requests } = state;
      expect(requests).to.be.greaterThan(0);
      await readUnasked();
      expect(state.requests).to.equal(requests);
      state.isDown = true;
      const { validatorKey, ...known } = (await readLater()).nodes[0]!.lastKnown!;
      expect([hexOf(validatorKey), known]).to.deep.equal([validator(2).publicKey, state.seen]);
    });

    it('keeps nothing of a node of another chain, and of one that was never reached', async () => {
      const foreign = toAnswers(sealClique({ sealer: 3 }), sealClique({ named: [3] }));
      const { state, readLater } = await openReports(foreign);
      await readLater();
      state.isDown = true;
      expect((await readLater()).nodes[0]?.lastKnown).to.equal(undefined);
      const other = await openReports(PLAIN);
      other.state.isDown = true;
      expect((await other.readLater()).nodes[0]?.lastKnown).to.equal(undefined);
    });
  });

  describe('of the peers of a clique node', () => {
    const peersOf = (...numbers: number[]) => ({
      admin_peers: { result: numbers.map((n) => ({ enode: enodeOf(n), name: 'Geth' })) },
    });
    // The signer 2 on a node whose devp2p key is that of 5.
    const SIGNER = { ...PLAIN, admin_nodeInfo: { result: { enode: enodeOf(5) } } };

    it("has the signer's key of a peer that is a configured node, also while that is away", async () => {
      const { state, readLater } = await openReports(SIGNER, { ...PLAIN, ...peersOf(5, 6) });
      const readKeys = async () => (await readLater()).nodes[1]?.status?.peers.map((peer) => hexOf(peer.validatorKey));
      expect(await readKeys()).to.deep.equal([validator(2).publicKey, undefined]);
      state.isDown = true;
      expect(await readKeys()).to.deep.equal([validator(2).publicKey, undefined]);
    });

    it("has the key of a peer whose own key is a signer's, and no key that is not", async () => {
      const { statuses } = await report({ ...PLAIN, ...peersOf(1, 3) });
      expect(statuses[0]?.peers.map((peer) => hexOf(peer.validatorKey))).to.deep.equal([
        validator(1).publicKey,
        undefined,
      ]);
    });

    it('has no key of a signer that was voted out', async () => {
      const voted = { ...PLAIN, clique_getSigners: { result: [validator(1).address] }, ...peersOf(5) };
      const { readLater } = await openReports(SIGNER, voted);
      expect((await readLater()).nodes[1]?.status?.peers).to.deep.equal([{ validatorKey: undefined }]);
    });
  });
});
