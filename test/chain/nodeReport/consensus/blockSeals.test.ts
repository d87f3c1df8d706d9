import { expect } from 'chai';
import fc from 'fast-check';
import { readBftSeals } from '../../../../chain/nodeReport/consensus/bftSeals.ts';
import { type BlockSeals, findSealer } from '../../../../chain/nodeReport/consensus/blockSeals.ts';
import { readCliqueSeal } from '../../../../chain/nodeReport/consensus/cliqueSeal.ts';
import { decodeHeader, type ReportedHeader } from '../../../../chain/nodeReport/consensus/reportedHeader.ts';
import { toSigners } from '../../../../chain/nodeReport/decodeNodeAnswers.ts';
import { type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { hashHeader } from '../../../../ledger/evidence/blockHeader.ts';
import { toKeyAddress } from '../../../../ledger/evidence/sealers.ts';
import {
  ADD_VOTE,
  type BftOptions,
  encodeExampleExtraData,
  type Header,
  readHeaderVectors,
  sealBft,
  sealClique,
  validator,
} from '../../../support/sealedHeaders.ts';

const vectors = readHeaderVectors();

const decode = (header: Header): ReportedHeader => {
  const decoded = decodeHeader(header);
  expect(decoded).to.not.equal(undefined);
  return decoded!;
};

const hasItsHash = ({ header, hash }: ReportedHeader): boolean => toHex(hashHeader(header)) === hash;

const hexOf = (key: Uint8Array | undefined): string | undefined => key && Buffer.from(key).toString('hex');

describe('a recorded header', () => {
  const recorded: [string, Header][] = vectors.clique.flatMap(({ name, genesis, head }): [string, Header][] => [
    [name, head],
    [`the genesis block of ${name}`, genesis],
  ]);

  for (const [name, header] of [...recorded, ['a QBFT genesis block', vectors.qbft_genesis.head] as const]) {
    it(`has the hash that its chain reported: ${name}`, () => {
      expect(hasItsHash(decode(header))).to.equal(true);
    });

    it(`has another hash when any field differs: ${name}`, () => {
      const { hash, extraData, ...fields } = header;
      for (const field of Object.keys(fields)) {
        const last = header[field]!.slice(-1) === '1' ? '2' : '1';
        const changed = decode({ ...header, [field]: header[field]!.slice(0, -1) + last });
        expect(hasItsHash(changed), field).to.equal(false);
      }
    });
  }
});

/** Public keys of the validators among 1 to 9 that sealed it, from the header alone. */
const sealersOf = (block: BlockSeals | undefined): number[] =>
  [1, 2, 3, 4, 5, 6, 7, 8, 9].filter(
    (n) => block && hexOf(findSealer([block], validator(n).address)) === validator(n).publicKey,
  );

describe('a clique header', () => {
  for (const { name, genesis, head, signers, sealed_by_one_of } of vectors.clique) {
    it(`reveals the key of its signer, by the address: ${name}`, () => {
      const block = readCliqueSeal(decode(head), decode(genesis), toSigners(signers))!;
      const keys = sealed_by_one_of.map((address) => findSealer([block], address));
      const found = keys.filter((key) => key !== undefined);
      expect(found).to.have.length(1);
      expect(sealed_by_one_of).to.include(toKeyAddress(found[0]!));
    });
  }

  it('reveals no key when the chain does not name the signer', () => {
    const { genesis, head, sealed_by_one_of } = vectors.clique.find(({ name }) => name.startsWith('Goerli 5102442'))!;
    const block = readCliqueSeal(decode(head), decode(genesis), [])!;
    expect(block.validators).to.deep.equal(['0xe0a2bd4258d2768837baa26a28fe71dc079f84c7']);
    expect(block.isListCurrent).to.equal(false);
    for (const address of [...block.validators, ...sealed_by_one_of]) {
      expect(findSealer([block], address)).to.equal(undefined);
    }
  });

  it('reveals exactly the key that sealed it, with and without a base fee', () => {
    const genesis = decode(sealClique({ named: [1, 2] }));
    for (const fields of [{}, { baseFeePerGas: '0x0' }, { baseFeePerGas: '0x3b9aca00' }]) {
      expect(sealersOf(readCliqueSeal(decode(sealClique({ sealer: 2, fields })), genesis, []))).to.deep.equal([2]);
    }
  });

  it('takes signers from the node, else from an epoch block, else from the genesis block', () => {
    const genesis = decode(sealClique({ named: [1] }));
    const plain = decode(sealClique({ sealer: 2 }));
    const epoch = decode(sealClique({ named: [1, 2], sealer: 2 }));
    const [first, second, third] = [1, 2, 3].map((n) => validator(n).address) as [Hex, Hex, Hex];
    const cases: readonly [ReportedHeader, Hex[], Hex[], boolean][] = [
      [plain, [], [first], false],
      [epoch, [], [first, second], true],
      [plain, [second], [second], true],
      [epoch, [second, third], [second, third], true],
    ];
    for (const [head, signers, validators, isListCurrent] of cases) {
      const block = readCliqueSeal(head, genesis, signers);
      expect(block).to.deep.include({ validators, isListCurrent });
      expect(sealersOf(block)).to.deep.equal(validators.includes(second) ? [2] : []);
    }
  });

  it('has no result when its hash differs', () => {
    const genesis = decode(sealClique({ named: [2] }));
    const head = sealClique({ sealer: 2 });
    expect(readCliqueSeal(decode({ ...head, gasUsed: '0x1' }), genesis, [])).to.equal(undefined);
  });

  it('reveals no key on a chain of the same shape that seals something else', () => {
    const genesis = decode(sealClique({ named: [2] }));
    const head = decode(sealClique({ sealer: 2, prefix: '0x38' }));
    expect(sealersOf(readCliqueSeal(head, genesis, []))).to.deep.equal([]);
  });

  it('reveals no key when it is the genesis block', () => {
    const genesis = decode(sealClique({ named: [2] }));
    const block = readCliqueSeal(genesis, genesis, []);
    expect(block?.validators).to.deep.equal([validator(2).address]);
    expect(sealersOf(block)).to.deep.equal([]);
  });
});

describe('a header of a Besu BFT chain', () => {
  it('is encoded by these tests as by Besu', () => {
    expect(encodeExampleExtraData('qbft')).to.equal(vectors.extra_data.qbft);
    expect(encodeExampleExtraData('ibft2')).to.equal(vectors.extra_data.ibft2);
    expect(encodeExampleExtraData('qbft', '0x01')).to.equal(vectors.extra_data.qbft_certificates);
  });

  it('names the validators in its genesis block, which has no seals', () => {
    const { head, validators } = vectors.qbft_genesis;
    expect(readBftSeals(decode(head))).to.deep.include({ validators, seals: [] });
    expect(readBftSeals(decode({ ...head, hash: `0x${'ab'.repeat(32)}` })), 'of another hash').to.equal(undefined);
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
    ['whose beneficiary is an address without a key', { fields: { miner: `0x${'c0'.repeat(20)}` } }],
    ["without its proposer's seal", { sealers: [1, 3, 4] }],
  ];
  const engines: readonly ('qbft' | 'ibft2')[] = ['qbft', 'ibft2'];
  const expectSealers = (head: Header, options: BftOptions = {}): void => {
    const block = readBftSeals(decode(head));
    const { validators = [1, 2, 3, 4], sealers = [1, 2, 3, 4] } = options;
    expect(sealersOf(block)).to.deep.equal([...sealers].sort());
    expect(block?.validators).to.deep.equal(validators.map((n) => validator(n).address));
  };
  for (const engine of engines) {
    for (const [name, options] of cases) {
      it(`reveals the keys of all who sealed it: ${engine} ${name}`, () => {
        expectSealers(sealBft(engine, options), options);
      });
    }

    it(`reveals no key of an account that it does not name: ${engine}`, () => {
      const block = readBftSeals(decode(sealBft(engine, { validators: [1, 2], sealers: [2, 3] })));
      expect(sealersOf(block)).to.deep.equal([2]);
    });

    it(`reveals no key when the seals are over the hash of the block: ${engine}`, () => {
      const head = sealBft(engine, { round: 3, sealsOver: 'the hash of the block' });
      expect(sealersOf(readBftSeals(decode(head)))).to.deep.equal([]);
    });

    it(`has no result when its hash differs: ${engine}`, () => {
      expect(readBftSeals(decode({ ...sealBft(engine), gasUsed: '0x1' }))).to.equal(undefined);
    });
  }

  it('has the same result with a vote to drop: a null in QBFT, a zero byte in IBFT 2.0', () => {
    expectSealers(sealBft('qbft', { vote: [validator(3).address, '0x'] }));
    expectSealers(sealBft('ibft2', { vote: [validator(3).address, '0x00'] }));
  });

  it('has the same result with certificates', () => {
    expectSealers(sealBft('qbft', { round: 2, certificates: '0x308201' }));
    expectSealers(sealBft('qbft', { certificates: '0x' }));
  });
});

describe('a header with any extra data', () => {
  it('has no result, and does not fail', () => {
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

  it('has no result when the data are nested lists without end', () => {
    const nested = Buffer.alloc(32 * 1024, 0xc1).toString('hex');
    expect(readBftSeals(decode({ ...sealBft('qbft'), extraData: `0x${nested}` }))).to.equal(undefined);
  });

  it('is no header when the data are larger than those of any chain', () => {
    expect(decodeHeader({ ...sealBft('qbft'), extraData: `0x${'00'.repeat(32 * 1024 + 1)}` })).to.equal(undefined);
  });
});
