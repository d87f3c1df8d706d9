// The key that is shown for a node: fake nodes with headers that are sealed here, and recorded ones.
import { expect } from 'chai';
import type { Behaviour } from '../../support/fakeNode.ts';
import { hang } from '../../support/fakeNode.ts';
import { enodeOf, GENESIS, QBFT_GENESIS, toAnswers, useFakeNodes } from '../../support/nodeReports.ts';
import {
  type BftOptions,
  type Header,
  readHeaderVectors,
  sealBft,
  sealClique,
  validator,
} from '../../support/sealedHeaders.ts';

type Answers = Record<string, Behaviour>;

const keyOf = (n: number): string => validator(n).publicKey;
const nodeInfo = (n: number): Answers => ({ admin_nodeInfo: { result: { enode: enodeOf(n) } } });
const coinbase = (address: string): Answers => ({ eth_coinbase: { result: address } });
const coinbaseOf = (n: number): Answers => coinbase(validator(n).address.toUpperCase().replace('0X', '0x'));
const toHexNumber = (number: number): string => `0x${number.toString(16)}`;

/** Blocks by number, and the newest of them. */
const toChain = (genesis: Header, blocks: readonly Header[]): Answers => ({
  ...toAnswers(blocks.at(-1)!, genesis),
  ...Object.fromEntries(blocks.map((block) => [`eth_getBlockByNumber ${block.number}`, { result: block }])),
});

const withoutBlock = (chain: Answers, number: number): Answers => ({
  ...chain,
  [`eth_getBlockByNumber ${toHexNumber(number)}`]: { result: null },
});

/** A BFT chain with block `n` as in the n-th options. */
const toBftChain = (engine: 'qbft' | 'ibft2', blocks: readonly BftOptions[]): Answers =>
  toChain(
    QBFT_GENESIS,
    blocks.map((options, at) => sealBft(engine, { ...options, fields: { number: toHexNumber(at + 1) } })),
  );

const toCliqueChain = (sealers: readonly number[], genesis = GENESIS): Answers =>
  toChain(
    genesis,
    sealers.map((sealer, at) => sealClique({ sealer, fields: { number: toHexNumber(at + 1) } })),
  );

describe('the key that the node report shows for a node', () => {
  const { reportOne } = useFakeNodes();
  const show = async (...answers: Answers[]): Promise<string | undefined> => {
    const { entry, key } = await reportOne(Object.assign({}, ...answers) as Answers);
    expect(entry).to.not.equal(undefined);
    return key;
  };
  const countBlocks = (requested: readonly string[]): number =>
    requested.filter((method) => method === 'eth_getBlockByNumber').length - 2;

  const contract: BftOptions = { validators: [] };
  for (const engine of ['qbft', 'ibft2'] as const) {
    describe(`on ${engine}`, () => {
      const chain = toBftChain(engine, [{ proposer: 1 }]);

      it('is its own, where the header names it as a validator', async () => {
        expect(await show(chain, nodeInfo(3))).to.equal(keyOf(3));
        expect(await show(chain, nodeInfo(3), coinbaseOf(4))).to.equal(keyOf(3));
      });

      it('is its own, where the header names no validators', async () => {
        expect(await show(toBftChain(engine, [contract]), nodeInfo(9), coinbaseOf(2))).to.equal(keyOf(9));
      });

      it('is none, where it is known not to be a validator', async () => {
        expect(await show(chain, nodeInfo(9))).to.equal(undefined);
        expect(await show(chain, nodeInfo(9), coinbaseOf(9))).to.equal(undefined);
        expect(await show(chain, coinbaseOf(9))).to.equal(undefined);
      });

      it("is none, where it reports nothing about itself: never the proposer's", async () => {
        expect(await show(chain)).to.equal(undefined);
        expect(await show(toBftChain(engine, [contract]))).to.equal(undefined);
      });

      it('is that of the seal with its address, among all seals', async () => {
        for (const n of [1, 2, 3, 4]) expect(await show(chain, coinbaseOf(n))).to.equal(keyOf(n));
        expect(await show(chain, nodeInfo(9), coinbaseOf(3))).to.equal(keyOf(3));
        expect(await show(toBftChain(engine, [contract]), coinbaseOf(3))).to.equal(keyOf(3));
      });

      it('is the same where the beneficiary is another account', async () => {
        for (const miner of [validator(1).address, `0x${'c0'.repeat(20)}`]) {
          const head = sealBft(engine, { fields: { miner } });
          expect(await show(toAnswers(head, QBFT_GENESIS), coinbaseOf(4))).to.equal(keyOf(4));
          expect(await show(toAnswers(head, QBFT_GENESIS))).to.equal(undefined);
        }
      });

      it('is none, where the signer is no validator', async () => {
        const head = sealBft(engine, { validators: [1, 2], sealers: [1, 2, 5], proposer: 5 });
        expect(await show(toAnswers(head, QBFT_GENESIS), coinbaseOf(5))).to.equal(undefined);
      });

      it('is found in an earlier block, where the newest lacks its seal', async () => {
        const three = { sealers: [1, 2, 3] };
        expect(await show(toBftChain(engine, [{}, three, three, three]), coinbaseOf(4))).to.equal(keyOf(4));
        const five = toBftChain(engine, [{}, three, three, three, three]);
        expect(await show(five, coinbaseOf(4)), 'further back than there are validators').to.equal(undefined);
      });

      it('is none, where the block before has not its own hash, or did not name it', async () => {
        const newest = { sealers: [1, 2, 3] };
        const tampered = toBftChain(engine, [{}, newest]);
        const before = { ...sealBft(engine, { fields: { number: '0x1' } }), gasUsed: '0x1' };
        tampered['eth_getBlockByNumber 0x1'] = { result: before };
        expect(await show(tampered, coinbaseOf(4))).to.equal(undefined);
        expect(await show(toBftChain(engine, [{ validators: [1, 2, 3] }, newest]), coinbaseOf(4))).to.equal(undefined);
      });

      it("is the only validator's, where its own key is unknown", async () => {
        const sole = { validators: [2], sealers: [2], proposer: 2 };
        expect(await show(toBftChain(engine, [sole]))).to.equal(keyOf(2));
        expect(await show(toBftChain(engine, [{ ...sole, fields: { miner: `0x${'c0'.repeat(20)}` } }]))).to.equal(
          keyOf(2),
        );
        expect(await show(toBftChain(engine, [sole]), nodeInfo(9)), 'its own is no validator').to.equal(undefined);
        expect(await show(toBftChain(engine, [{ ...sole, sealers: [3] }]))).to.equal(undefined);
      });
    });
  }

  describe('on clique', () => {
    for (const { name, genesis, head, signers, sealed_by_one_of } of readHeaderVectors().clique) {
      it(`is its signer's, where the node has its address: ${name}`, async () => {
        const answers = { ...toAnswers(head, genesis), clique_getSigners: { result: signers } };
        const keys = await Promise.all(sealed_by_one_of.map((address) => show(answers, coinbase(address))));
        expect(keys.filter((key) => key !== undefined)).to.have.length(1);
        // The signer is known, but not that it is this node.
        expect(await show(answers)).to.equal(undefined);
        expect(await show(answers, coinbaseOf(9))).to.equal(undefined);
      });
    }

    it("is that of the signer whose address the node has, and no other's", async () => {
      const chain = toCliqueChain([2]);
      expect(await show(chain, coinbaseOf(2))).to.equal(keyOf(2));
      expect(await show(chain, nodeInfo(9), coinbaseOf(2)), "devp2p's key is another").to.equal(keyOf(2));
      expect(await show(chain, coinbaseOf(1))).to.equal(undefined);
      expect(await show(chain, nodeInfo(9))).to.equal(undefined);
      expect(await show(chain)).to.equal(undefined);
    });

    it('is found in the block before, with two signers', async () => {
      expect(await show(toCliqueChain([1, 2]), coinbaseOf(1))).to.equal(keyOf(1));
      expect(await show(toCliqueChain([1, 2, 2]), coinbaseOf(1))).to.equal(undefined);
    });

    it("is that of a signer that the node's list or the newest block names", async () => {
      const chain = toCliqueChain([5, 1]);
      expect(await show(chain, coinbaseOf(5))).to.equal(undefined);
      const clique_getSigners = { result: [validator(5).address, validator(1).address] };
      expect(await show(chain, coinbaseOf(5), { clique_getSigners })).to.equal(keyOf(5));
      const epoch = sealClique({ named: [1, 5], sealer: 1, fields: { number: '0x2' } });
      const later = { ...chain, 'eth_getBlockByNumber latest': { result: epoch } };
      expect(await show(later, coinbaseOf(5))).to.equal(keyOf(5));
    });

    it("is the only signer's, where it is known to be the only one", async () => {
      const chain = toCliqueChain([2], sealClique({ named: [2] }));
      expect(await show(chain), 'others may have been voted in').to.equal(undefined);
      expect(await show(chain, coinbaseOf(2))).to.equal(keyOf(2));
      expect(await show(chain, { clique_getSigners: { result: [validator(2).address] } })).to.equal(keyOf(2));
      expect(await show(chain, { clique_getSigners: { result: [validator(3).address] } })).to.equal(undefined);
    });
  });

  describe('on another chain', () => {
    it('is its own', async () => {
      const head = { ...sealClique({ sealer: 2 }), difficulty: '0x0' };
      expect(await show(toAnswers(head, GENESIS), nodeInfo(9))).to.equal(keyOf(9));
      expect(await show(toAnswers(head, GENESIS), coinbaseOf(2))).to.equal(undefined);
    });

    it('is none, where the header is incomplete', async () => {
      const { extraData: _, ...head } = sealClique({ sealer: 2 });
      expect(await show(toAnswers(head, GENESIS), coinbaseOf(2))).to.equal(undefined);
    });
  });

  describe('is searched in blocks before the newest', () => {
    const twenty = Array.from({ length: 20 }, (_, at) => at + 1);
    const count = async (blocks: readonly BftOptions[], ...answers: Answers[]): Promise<number> => {
      const chain = Object.assign(toBftChain('qbft', blocks), ...answers) as Answers;
      return countBlocks((await reportOne(chain)).requested);
    };

    it('as many as there are validators, at most 16, and 8 when their number is unknown', async () => {
      const missing = { sealers: [1, 2, 3] };
      expect(await count(Array(30).fill(missing), coinbaseOf(4))).to.equal(3);
      const many = { validators: twenty, sealers: [1] };
      expect(await count(Array(30).fill(many), coinbaseOf(20))).to.equal(15);
      expect(await count(Array(30).fill({ ...missing, validators: [] }), coinbaseOf(4))).to.equal(8);
      expect(await count(Array(3).fill(many), coinbaseOf(20)), 'a short chain').to.equal(2);
      expect(await count([missing], coinbaseOf(4)), 'a chain of one block').to.equal(0);
    });

    it('only where it may be found', async () => {
      expect(await count(Array(30).fill({}), coinbaseOf(4)), 'found').to.equal(0);
      expect(await count(Array(30).fill({}), coinbaseOf(9)), 'no validator').to.equal(0);
      expect(await count(Array(30).fill({}), nodeInfo(3)), 'its own').to.equal(0);
      expect(await count(Array(30).fill({})), 'no address').to.equal(0);
    });

    it('though some of them are missing', async () => {
      const three = { sealers: [1, 2, 3] };
      const chain = toBftChain('qbft', [{}, three, three, three]);
      expect(await show(withoutBlock(chain, 2), coinbaseOf(4))).to.equal(keyOf(4));
      expect(await show(withoutBlock(chain, 1), coinbaseOf(4))).to.equal(undefined);
    });

    it("within the node's timeout: it stays reachable if they hang, and the others count", async () => {
      const three = { sealers: [1, 2, 3] };
      const chain = { ...toBftChain('qbft', [{}, three, three]), ...coinbaseOf(4) };
      const others = await reportOne({ ...chain, 'eth_getBlockByNumber 0x2': hang });
      expect(others.key).to.equal(keyOf(4));
      const none = await reportOne({ ...chain, 'eth_getBlockByNumber 0x1': hang });
      expect(none.entry?.height).to.equal(3);
      expect(none.key).to.equal(undefined);
    });
  });
});
