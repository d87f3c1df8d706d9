// Final blocks of QBFT and IBFT 2.0, which two thirds of the named validators must have sealed.
import { expect } from 'chai';
import { FalseAnswer } from '../../../chain/jsonRpc/falseAnswer.ts';
import { readHeader } from '../../../chain/jsonRpc/headerFields.ts';
import type { JsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../../chain/jsonRpc/nodeMarks.ts';
import { createNodeSet, type NodeSet } from '../../../chain/network/nodeSet.ts';
import { createRpcNode } from '../../../chain/network/rpcNode.ts';
import { createSealCheck } from '../../../chain/network/sealCheck.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toBlockHash } from '../../../ledger/evidence/blockHash.ts';
import {
  type BlockHeader,
  decodeBlockHeader,
  HEADER_FIELDS,
  hashHeader,
} from '../../../ledger/evidence/blockHeader.ts';
import { failureOf, NOT_REFUSED, rejectionOf } from '../../support/refusals.ts';
import {
  type BftOptions,
  type Header,
  readHeaderVectors,
  sealBft,
  sealClique,
  validator,
} from '../../support/sealedHeaders.ts';

const ENGINES = ['qbft', 'ibft2'] as const;
const ROOT = `0x${'77'.repeat(32)}`;
const VALIDATORS = [1, 2, 3, 4].map((n) => validator(n).address);

const at = (number: number, options: BftOptions = {}, engine: (typeof ENGINES)[number] = 'qbft'): Header =>
  sealBft(engine, { ...options, fields: { ...options.fields, number: `0x${number.toString(16)}` } });

const GENESIS_HEADER: Header = { ...at(5), number: '0x0' };
const GENESIS: Hex = toHex(hashHeader(readHeader(GENESIS_HEADER) as BlockHeader));

// A node with these blocks, the newest last.
const nodeAt = (name: string, ...blocks: Header[]): JsonRpcClient & { blocks: Header[] } => {
  const node = {
    name,
    marks: createNodeMarks(() => 0),
    blocks,
    request: async (method: string, [tag]: readonly unknown[]) => {
      if (method === 'eth_chainId') return '0x1';
      if (tag === '0x0') return { ...GENESIS_HEADER, hash: GENESIS };
      return (tag === 'latest' ? blocks.at(-1) : blocks.find(({ number }) => number === tag)) ?? null;
    },
    requestBatch: () => Promise.reject(new Error('no batch')),
  };
  return node;
};

const toText = (bytes: Uint8Array, kind: unknown): string =>
  kind === 'quantity' ? `0x${BigInt(toHex(bytes) === '0x' ? 0 : toHex(bytes)).toString(16)}` : toHex(bytes);

const toJson = (header: BlockHeader): Header => {
  const fields = HEADER_FIELDS.filter(([field]) => header[field] !== undefined);
  return Object.fromEntries(fields.map(([field, kind]) => [field, toText(header[field]!, kind)]));
};

describe('the seals of a final block', () => {
  let left: string[];
  beforeEach(() => {
    left = [];
  });
  const open = (...clients: JsonRpcClient[]): NodeSet => {
    const nodes = clients.map((client) =>
      createRpcNode(client, { now: () => 0, onChange: (failure) => failure && left.push(failure.message) }),
    );
    const identity = { chainId: 1, genesisHash: GENESIS };
    const assertSealed = createSealCheck(VALIDATORS, GENESIS);
    return createNodeSet({ nodes, identity, confirmations: 1, agreeing: 1, assertSealed });
  };

  for (const engine of ENGINES) {
    it(`are those of two thirds of the validators on ${engine}`, async () => {
      const sealed = at(5, { sealers: [4, 2, 1] }, engine);
      const few = at(6, { sealers: [1, 2] }, engine);
      const node = nodeAt('http://one', sealed);
      const nodes = open(node);
      expect(await nodes.fetchFinal()).to.deep.equal({ number: 5, hash: sealed.hash });
      node.blocks.push(few);
      expect(await rejectionOf(nodes.fetchFinal())).to.equal('CHAIN_UNAVAILABLE');
      expect(nodes.final?.number).to.equal(5);
      expect(left.join('\n')).to.match(/^http:\/\/one gave a false answer: block 6 has seals of 2 .* 3 of 4/);
      expect(nodes.uses()[0]).to.include({ name: 'http://one', isLeft: true, falseAnswers: 1 });
    });
  }

  const forged: readonly (readonly [name: string, header: Header])[] = [
    ['of too few validators', at(9, { sealers: [1, 2] })],
    ['of one validator three times', at(9, { sealers: [1, 1, 1] })],
    ['of validators that only the header names', at(9, { validators: [7, 8, 9], sealers: [7, 8, 9] })],
    ['of too few among many others', at(9, { sealers: [1, 7, 8, 9, 10, 2] })],
    ['over something else', at(9, { round: 1, sealsOver: 'the hash of the block' })],
    ['of no one', at(9, { sealers: [] })],
    ['of a block with another root', { ...at(9), stateRoot: ROOT }],
    ['of a block with another hash', { ...at(9), hash: ROOT }],
    ['of another block', { ...at(9, { fields: { stateRoot: ROOT } }), extraData: at(9).extraData! }],
    ['of another engine', { ...at(9), extraData: at(9, {}, 'ibft2').extraData! }],
    ['that the extra data has no room for', { ...at(9), extraData: '0x' }],
  ];
  for (const [name, head] of forged) {
    it(`are refused when they are ${name}: the node is left and named, and another one is used`, async () => {
      const honest = at(8);
      const nodes = open(nodeAt('http://liar', head), nodeAt('http://honest', honest));
      expect(await nodes.fetchFinal()).to.deep.equal({ number: 8, hash: honest.hash });
      expect(await nodes.useFinal(async ({ name: used }) => used)).to.equal('http://honest');
      expect(left).to.have.length(1);
      expect(left[0]).to.include('http://liar gave a false answer');
    });
  }

  it('are not the one seal of a clique block: the setting is named', async () => {
    const head = sealClique({ sealer: 1, fields: { number: '0x5' } });
    expect(await rejectionOf(open(nodeAt('http://one', head)).fetchFinal())).to.equal('CHAIN_UNAVAILABLE');
    expect(left.join('\n')).to.match(/^http:\/\/one gave a false answer: block 5 is none of .* CHAIN_VALIDATORS/);
  });

  it('of block 0 are not needed, but its hash is', async () => {
    const genesis = { ...GENESIS_HEADER, hash: GENESIS };
    expect((await open(nodeAt('http://one', genesis)).fetchFinal()).number).to.equal(0);
    const assertSealed = createSealCheck(VALIDATORS, GENESIS);
    const other = nodeAt('http://one', genesis);
    await assertSealed(other, { number: 0, hash: GENESIS });
    expect(await rejectionOf(assertSealed(other, { number: 0, hash: ROOT as Hex }))).to.equal('CHAIN_UNAVAILABLE');
  });

  it('are counted by two thirds of any number of validators, rounded up', async () => {
    for (const [count, needed] of [
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 3],
      [6, 4],
      [7, 5],
    ] as const) {
      const numbers = Array.from({ length: count }, (_, n) => n + 1);
      const isSealed = async (sealers: number): Promise<boolean> => {
        const assertSealed = createSealCheck(
          numbers.map((n) => validator(n).address),
          GENESIS,
        );
        const head = at(5, { validators: numbers, sealers: numbers.slice(0, sealers) });
        const check = assertSealed(nodeAt('http://one', head), { number: 5, hash: head.hash as Hex });
        return (await failureOf(check)) === NOT_REFUSED;
      };
      expect([await isSealed(needed), await isSealed(needed - 1)], `${count}`).to.deep.equal([true, false]);
    }
  });

  it('are accepted as real networks made them', async () => {
    for (const { number, rule, header, validators, sealers, name } of readHeaderVectors().recorded_bft) {
      const decoded = decodeBlockHeader(fromHex(header));
      const hash = toHex(toBlockHash(decoded, rule)!);
      const node = nodeAt('http://one', { ...toJson(decoded), hash });
      await createSealCheck(validators, GENESIS)(node, { number, hash });
      const without = validators.filter((address) => !sealers.includes(address));
      const others = [...without, validator(1).address, validator(2).address];
      const check = createSealCheck(others, GENESIS)(node, { number, hash });
      expect(await failureOf(check), name).to.be.instanceOf(FalseAnswer);
    }
  });
});
