import { expect } from 'chai';
import fc from 'fast-check';
import { readBftSeals } from '../../../chain/nodeReport/bftSeals.ts';
import { type BlockHeader, decodeHeader, isHashOf } from '../../../chain/nodeReport/blockHeader.ts';
import { readCliqueSeal } from '../../../chain/nodeReport/cliqueSeal.ts';
import { toSigners } from '../../../chain/nodeReport/nodeAnswers.ts';
import { toKeyAddress } from '../../../chain/nodeReport/publicKey.ts';
import type { Hex } from '../../../ledger/hex.ts';
import {
  ADD_VOTE,
  type BftOptions,
  encodeExampleExtraData,
  type Header,
  readHeaderVectors,
  sealBft,
  sealClique,
  validator,
} from '../../support/sealedHeaders.ts';

const vectors = readHeaderVectors();

const decode = (header: Header): BlockHeader => {
  const decoded = decodeHeader(header);
  expect(decoded).to.not.equal(undefined);
  return decoded!;
};

const hexOf = (key: Uint8Array | undefined): string | undefined => key && Buffer.from(key).toString('hex');

describe('a recorded header', () => {
  const recorded: [string, Header][] = vectors.clique.flatMap(({ name, genesis, head }): [string, Header][] => [
    [name, head],
    [`the genesis block of ${name}`, genesis],
  ]);

  for (const [name, header] of [...recorded, ['a QBFT genesis block', vectors.qbft_genesis.head] as const]) {
    it(`has the hash that its chain gave it: ${name}`, () => {
      expect(isHashOf(decode(header), header.extraData as Hex)).to.equal(true);
    });

    it(`has another hash when any field is another: ${name}`, () => {
      const { hash, extraData, ...fields } = header;
      for (const field of Object.keys(fields)) {
        const last = header[field]!.slice(-1) === '1' ? '2' : '1';
        const changed = decode({ ...header, [field]: header[field]!.slice(0, -1) + last });
        expect(isHashOf(changed, changed.extraData), field).to.equal(false);
      }
    });
  }
});

describe('a clique header', () => {
  for (const { name, genesis, head, signers, sealed_by_one_of } of vectors.clique) {
    it(`reveals the key of its signer: ${name}`, () => {
      const sealed = readCliqueSeal(decode(head), decode(genesis), toSigners(signers));
      expect(sealed_by_one_of).to.include(toKeyAddress(sealed!.proposer!));
    });
  }

  it('reveals no key when the signer is none that the chain names', () => {
    const { genesis, head } = vectors.clique.find(({ name }) => name.startsWith('Goerli 5102442'))!;
    expect(readCliqueSeal(decode(head), decode(genesis), [])).to.deep.equal({
      validators: ['0xe0a2bd4258d2768837baa26a28fe71dc079f84c7'],
      proposer: undefined,
    });
  });

  it('reveals the very key that sealed it, with and without a base fee', () => {
    const genesis = decode(sealClique({ named: [1, 2] }));
    for (const fields of [{}, { baseFeePerGas: '0x0' }, { baseFeePerGas: '0x3b9aca00' }]) {
      const sealed = readCliqueSeal(decode(sealClique({ sealer: 2, fields })), genesis, []);
      expect(hexOf(sealed?.proposer)).to.equal(validator(2).publicKey);
    }
  });

  it('takes signers from an epoch block and from the node', () => {
    const genesis = decode(sealClique({ named: [1] }));
    const epoch = readCliqueSeal(decode(sealClique({ named: [1, 2], sealer: 2 })), genesis, []);
    expect(hexOf(epoch?.proposer)).to.equal(validator(2).publicKey);
    const named = readCliqueSeal(decode(sealClique({ sealer: 2 })), genesis, [validator(2).address]);
    expect(hexOf(named?.proposer)).to.equal(validator(2).publicKey);
  });

  it('says nothing when its hash is another', () => {
    const genesis = decode(sealClique({ named: [2] }));
    const head = sealClique({ sealer: 2 });
    expect(readCliqueSeal(decode({ ...head, gasUsed: '0x1' }), genesis, [])).to.equal(undefined);
  });

  it('reveals no key on a chain of the same shape that seals something else', () => {
    const genesis = decode(sealClique({ named: [2] }));
    const head = decode(sealClique({ sealer: 2, prefix: '0x38' }));
    expect(readCliqueSeal(head, genesis, [])?.proposer).to.equal(undefined);
  });

  it('reveals no key when it is the genesis block', () => {
    const genesis = decode(sealClique({ named: [2] }));
    expect(readCliqueSeal(genesis, genesis, [])).to.deep.equal({
      validators: [validator(2).address],
      proposer: undefined,
    });
  });
});

describe('a header of a Besu BFT chain', () => {
  it('is encoded by these tests as Besu encodes it', () => {
    expect(encodeExampleExtraData('qbft')).to.equal(vectors.extra_data.qbft);
    expect(encodeExampleExtraData('ibft2')).to.equal(vectors.extra_data.ibft2);
  });

  it('names the validators in its genesis block, which nobody sealed', () => {
    const { head, validators } = vectors.qbft_genesis;
    expect(readBftSeals(decode(head))).to.deep.equal({ validators, proposer: undefined });
  });

  const cases: readonly [string, BftOptions][] = [
    ['of round 0', {}],
    ['of a later round', { round: 3 }],
    ['of a round of four bytes', { round: 0x7fedcba9 }],
    ['with a vote to add', { vote: ADD_VOTE }],
    ['with the fewest seals', { sealers: [4, 1, 2] }],
    ['of one validator', { validators: [2], sealers: [2] }],
    ['with a base fee of zero', { fields: { baseFeePerGas: '0x0' } }],
    ['of Shanghai', { fields: { baseFeePerGas: '0x7', withdrawalsRoot: `0x${'5e'.repeat(32)}` } }],
    ['whose validators are in a contract', { validators: [] }],
  ];
  const engines: readonly ('qbft' | 'ibft2')[] = ['qbft', 'ibft2'];
  for (const engine of engines) {
    for (const [name, options] of cases) {
      it(`reveals the key of its proposer: ${engine} ${name}`, () => {
        const sealed = readBftSeals(decode(sealBft(engine, options)));
        expect(hexOf(sealed?.proposer)).to.equal(validator(2).publicKey);
        const validators = (options.validators ?? [1, 2, 3, 4]).map((n) => validator(n).address);
        expect(sealed?.validators).to.deep.equal(validators);
      });
    }

    it(`reveals no key when the proposer's seal is not among them: ${engine}`, () => {
      expect(readBftSeals(decode(sealBft(engine, { sealers: [1, 3, 4] })))?.proposer).to.equal(undefined);
    });

    it(`reveals no key when the seals are over the hash of the block: ${engine}`, () => {
      const head = sealBft(engine, { round: 3, sealsOver: 'the hash of the block' });
      expect(readBftSeals(decode(head))?.proposer).to.equal(undefined);
    });

    it(`says nothing when its hash is another: ${engine}`, () => {
      expect(readBftSeals(decode({ ...sealBft(engine), gasUsed: '0x1' }))).to.equal(undefined);
    });
  }

  it('says the same with a vote to drop: a null in QBFT, a zero byte in IBFT 2.0', () => {
    const qbft = sealBft('qbft', { vote: [validator(3).address, '0x'] });
    const ibft2 = sealBft('ibft2', { vote: [validator(3).address, '0x00'] });
    for (const head of [qbft, ibft2]) {
      expect(hexOf(readBftSeals(decode(head))?.proposer)).to.equal(validator(2).publicKey);
    }
  });
});

describe('a header with any extra data', () => {
  it('says nothing, and does not fail', () => {
    const head = sealBft('qbft');
    const genesis = decode(sealClique({ named: [1] }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const header = decode({ ...head, extraData: `0x${Buffer.from(bytes).toString('hex')}` });
        expect(readBftSeals(header)).to.equal(undefined);
        expect(readCliqueSeal(header, genesis, [])).to.equal(undefined);
      }),
    );
  });

  it('says nothing when the data are lists in lists without end', () => {
    const nested = Buffer.alloc(32 * 1024, 0xc1).toString('hex');
    expect(readBftSeals(decode({ ...sealBft('qbft'), extraData: `0x${nested}` }))).to.equal(undefined);
  });

  it('is no header when the data are larger than any chain has them', () => {
    expect(decodeHeader({ ...sealBft('qbft'), extraData: `0x${'00'.repeat(32 * 1024 + 1)}` })).to.equal(undefined);
  });
});
