import { expect } from 'chai';
import { recoverPublicKey } from '../../../chain/nodeReport/consensus/publicKey.ts';
import { decodeHeader } from '../../../chain/nodeReport/consensus/reportedHeader.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { type HashRule, readHeaderSeals, toBlockHash } from '../../../ledger/evidence/blockHash.ts';
import {
  type BlockHeader,
  decodeBlockHeader,
  encodeBlockHeader,
  HEADER_FIELDS,
} from '../../../ledger/evidence/blockHeader.ts';
import { recoverSealKey } from '../../../ledger/evidence/recoverSealKey.ts';
import { decodeRlp, encodeRlp, fromRlpNumber, type RlpItem } from '../../../ledger/evidence/rlp.ts';
import { findSealers } from '../../../ledger/evidence/sealers.ts';
import { readTrieVectors } from '../../support/receiptTries.ts';
import {
  type BftOptions,
  type Header,
  readHeaderVectors,
  sealBft,
  sealClique,
  validator,
} from '../../support/sealedHeaders.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { blocks } = readTrieVectors();
const { clique, qbft_genesis, recorded_bft } = readHeaderVectors();

const decode = (rlp: Hex): BlockHeader => decodeBlockHeader(fromHex(rlp));
const toHeader = (json: Header): BlockHeader => decodeHeader(json)!.header;
const hashOf = (header: BlockHeader, rule: HashRule): Hex | undefined => {
  const hash = toBlockHash(header, rule);
  return hash && toHex(hash);
};
const addressesOf = (numbers: readonly number[]): Hex[] => numbers.map((n) => validator(n).address);

describe('the RLP of a block header', () => {
  for (const { chain, number, time, hash, receipts_root, header } of blocks) {
    it(`is decoded as by another program: block ${number} of ${chain}`, () => {
      const decoded = decode(header);
      expect(hashOf(decoded, 'ethereum')).to.equal(hash);
      expect(toHex(encodeBlockHeader(decoded))).to.equal(header);
      expect(toHex(decoded.receiptsRoot)).to.equal(receipts_root);
      expect(fromRlpNumber(decoded.number)).to.equal(number);
      expect(fromRlpNumber(decoded.timestamp)).to.equal(time);
    });
  }

  it('is recorded with few and with all fields that a header may have', () => {
    const counts = blocks.map(({ header }) => Object.keys(decode(header)).length);
    expect(Math.max(...counts)).to.equal(HEADER_FIELDS.length);
    expect(Object.keys(decode(recorded_bft[0]!.header))).to.have.length(15);
  });

  it('decodes to the fields that JSON-RPC has', () => {
    for (const { head } of clique) {
      const { header, hash } = decodeHeader(head)!;
      const decoded = decodeBlockHeader(encodeBlockHeader(header));
      expect(Object.entries(decoded).map(([name, bytes]) => [name, toHex(bytes)])).to.deep.equal(
        Object.entries(header).map(([name, bytes]) => [name, toHex(bytes)]),
      );
      expect(hashOf(decoded, 'clique')).to.equal(hash);
    }
  });

  it('is unreadable in any other form', () => {
    const items = decodeRlp(fromHex(blocks[0]!.header)) as Uint8Array[];
    const replaced = (at: number, item: RlpItem): RlpItem => items.map((own, index) => (index === at ? item : own));
    const wrong: readonly [string, RlpItem][] = [
      ['bytes', new Uint8Array(500)],
      ['14 fields', items.slice(0, 14)],
      ['22 fields', [...items, new Uint8Array(32), new Uint8Array(32)].slice(0, 22)],
      ['a list as a field', replaced(0, [])],
      ['a list of 32 items as a hash', replaced(0, new Array(32).fill(new Uint8Array(1)))],
      ['a list as extra data', replaced(12, [])],
      ['a short hash', replaced(0, new Uint8Array(31))],
      ['a long address', replaced(2, new Uint8Array(21))],
      ['a number with a leading zero', replaced(8, Uint8Array.of(0, 1))],
      ['a number of 33 bytes', replaced(8, new Uint8Array(33).fill(1))],
      ['large extra data', replaced(12, new Uint8Array(32 * 1024 + 1))],
      ['a short hash in a later field', replaced(16, new Uint8Array(31))],
    ];
    for (const [name, item] of wrong) {
      expect(
        isUnreadable(() => decodeBlockHeader(encodeRlp(item))),
        name,
      ).to.equal(true);
    }
    const bytes = fromHex(blocks[0]!.header);
    expect(isUnreadable(() => decodeBlockHeader(Uint8Array.of(...bytes, 0)))).to.equal(true);
    expect(isUnreadable(() => decodeBlockHeader(new Uint8Array(64 * 1024 + 1)))).to.equal(true);
    expect(isUnreadable(() => decodeBlockHeader(encodeRlp(replaced(12, new Uint8Array(32 * 1024)))))).to.equal(false);
  });
});

describe('the hash of a block by the rule of its chain', () => {
  it('is that of the header as it is, on Ethereum and with clique', () => {
    for (const { head } of clique) {
      expect(hashOf(toHeader(head), 'clique')).to.equal(head.hash);
      expect(hashOf(toHeader(head), 'ethereum')).to.equal(head.hash);
    }
  });

  for (const rule of ['qbft', 'ibft2'] as const) {
    const other = rule === 'qbft' ? 'ibft2' : 'qbft';
    it(`is that of a variant of the header: ${rule}`, () => {
      for (const options of [{}, { round: 3 }, { fields: { baseFeePerGas: '0x0' } }] satisfies BftOptions[]) {
        const sealed = sealBft(rule, options);
        expect(hashOf(toHeader(sealed), rule)).to.equal(sealed.hash);
        expect(hashOf(toHeader(sealed), other)).to.not.equal(sealed.hash);
        expect(hashOf(toHeader(sealed), 'ethereum')).to.not.equal(sealed.hash);
      }
    });

    it(`does not depend on round and seals: ${rule}`, () => {
      const hash = hashOf(toHeader(sealBft(rule)), rule);
      expect(hashOf(toHeader(sealBft(rule, { sealers: [1, 2, 3], round: 7 })), rule)).to.equal(hash);
    });

    it(`is unknown for a header of another chain: ${rule}`, () => {
      for (const { head } of clique) expect(toBlockHash(toHeader(head), rule)).to.equal(undefined);
      for (const { header } of blocks) expect(toBlockHash(decode(header), rule)).to.equal(undefined);
    });
  }

  for (const rule of ['qbft', 'ibft2'] as const) {
    const extraData = decodeRlp(toHeader(sealBft(rule)).extraData) as RlpItem[];
    const withItem = (at: number, item: RlpItem): RlpItem[] => extraData.with(at, item);
    const seals = extraData[4] as Uint8Array[];
    const wrong: readonly [string, RlpItem][] = [
      ['that are bytes', new Uint8Array(40)],
      ['of four items', extraData.slice(0, 4)],
      ['of seven items', [...extraData, [], []]],
      ['with a short vanity', withItem(0, new Uint8Array(31))],
      ['with a vanity that is a list', withItem(0, [])],
      ['with validators that are bytes', withItem(1, new Uint8Array(20))],
      ['with a short address', withItem(1, [new Uint8Array(19)])],
      ['with a round that is a list', withItem(3, [])],
      ['with a round of five bytes', withItem(3, new Uint8Array(5).fill(1))],
      ['with a short seal', withItem(4, [seals[0]!, seals[1]!.subarray(1)])],
      ['with a seal that is a list', withItem(4, [[]])],
    ];
    it(`is unknown with extra data of another form: ${rule}`, () => {
      const header = toHeader(sealBft(rule));
      for (const [name, item] of wrong) {
        const changed = { ...header, extraData: encodeRlp(item) };
        expect(toBlockHash(changed, rule), name).to.equal(undefined);
        expect(readHeaderSeals(changed, rule), name).to.equal(undefined);
      }
      const certified = { ...header, extraData: encodeRlp([...extraData, new Uint8Array(7)]) };
      // Besu's IBFT 2.0 refuses a sixth item, which its hash wouldn't cover.
      expect(toBlockHash(certified, rule) !== undefined, 'six items').to.equal(rule === 'qbft');
    });

    it(`is that of the header as it is, for any genesis block: ${rule}`, () => {
      const genesis = { ...toHeader(sealBft(rule)), number: new Uint8Array() };
      expect(toBlockHash(genesis, rule)).to.deep.equal(toBlockHash(genesis, 'ethereum'));
      expect(readHeaderSeals(genesis, rule)!.seals).to.deep.equal([]);
    });
  }

  it('is that of the header as it is, for a genesis block', () => {
    expect(hashOf(toHeader(qbft_genesis.head), 'qbft')).to.equal(qbft_genesis.head.hash);
  });
});

describe('the seals of a header', () => {
  for (const { name, rule, number, header, validators, signed_digest, sealers } of recorded_bft) {
    it(`show who sealed it: ${name}`, () => {
      const decoded = decode(header);
      expect(fromRlpNumber(decoded.number)).to.equal(number);
      const seals = readHeaderSeals(decoded, rule)!;
      expect(toHex(seals.digest)).to.equal(signed_digest);
      expect(seals.validators).to.deep.equal(validators);
      for (const recoverKey of [recoverSealKey, recoverPublicKey]) {
        expect(findSealers(seals, validators, recoverKey)).to.deep.equal(sealers);
      }
    });

    it(`count only for the validators that the caller names: ${name}`, () => {
      const seals = readHeaderSeals(decode(header), rule)!;
      expect(findSealers(seals, sealers.slice(0, 1), recoverSealKey)).to.deep.equal(sealers.slice(0, 1));
      expect(findSealers(seals, addressesOf([1, 2]), recoverSealKey)).to.deep.equal([]);
      expect(findSealers(seals, [], recoverSealKey)).to.deep.equal([]);
    });

    it(`show nobody by the other rule: ${name}`, () => {
      const seals = readHeaderSeals(decode(header), rule === 'qbft' ? 'ibft2' : 'qbft')!;
      expect(findSealers(seals, validators, recoverSealKey)).to.deep.equal([]);
    });
  }

  for (const rule of ['qbft', 'ibft2'] as const) {
    it(`show each validator once, of those that sealed it: ${rule}`, () => {
      const seals = readHeaderSeals(toHeader(sealBft(rule, { sealers: [4, 2, 4, 9], round: 2 })), rule)!;
      expect(seals.validators).to.deep.equal(addressesOf([1, 2, 3, 4]));
      expect(findSealers(seals, seals.validators, recoverSealKey)).to.deep.equal(addressesOf([4, 2]));
    });

    it(`show nobody when the round differs from the sealed one: ${rule}`, () => {
      const sealed = toHeader(sealBft(rule, { round: 1 }));
      const { extraData } = toHeader(sealBft(rule, { round: 2, sealers: [] }));
      const [vanity, named, vote, round] = decodeRlp(extraData) as RlpItem[];
      const seals = (decodeRlp(sealed.extraData) as RlpItem[])[4]!;
      const changed = { ...sealed, extraData: encodeRlp([vanity!, named!, vote!, round!, seals]) };
      expect(toBlockHash(changed, rule)).to.deep.equal(toBlockHash(sealed, rule));
      const read = readHeaderSeals(changed, rule)!;
      expect(findSealers(read, read.validators, recoverSealKey)).to.deep.equal([]);
    });
  }

  it('are not in a genesis block', () => {
    const { head, validators } = qbft_genesis;
    expect(readHeaderSeals(toHeader(head), 'qbft')).to.deep.include({ validators, seals: [] });
  });

  for (const { name, head, sealed_by_one_of } of clique) {
    it(`show the signer of a clique block: ${name}`, () => {
      const seals = readHeaderSeals(toHeader(head), 'clique')!;
      expect(findSealers(seals, sealed_by_one_of, recoverSealKey)).to.have.length(1);
      expect(findSealers(seals, addressesOf([1]), recoverSealKey)).to.deep.equal([]);
    });
  }

  it('name the signers at the beginning of an epoch', () => {
    const header = toHeader(sealClique({ named: [1, 2], sealer: 2 }));
    expect(readHeaderSeals(header, 'clique')!.validators).to.deep.equal(addressesOf([1, 2]));
  });

  it('are unknown in a header that is not quite one of clique', () => {
    const header = toHeader(sealClique({ sealer: 2 }));
    const { extraData } = header;
    const changes: readonly Partial<BlockHeader>[] = [
      { difficulty: Uint8Array.of(3) },
      { difficulty: Uint8Array.of(1, 1) },
      { difficulty: new Uint8Array() },
      { mixHash: Uint8Array.of(...new Uint8Array(31), 1) },
      { extraData: extraData.subarray(1) },
      { extraData: Uint8Array.of(...extraData, 0) },
      { extraData: extraData.subarray(0, 40) },
    ];
    for (const change of changes) expect(readHeaderSeals({ ...header, ...change }, 'clique')).to.equal(undefined);
    expect(readHeaderSeals({ ...header, difficulty: Uint8Array.of(1) }, 'clique')).to.not.equal(undefined);
  });

  it('are unknown on other chains', () => {
    for (const { header } of blocks) {
      for (const rule of ['ethereum', 'clique', 'qbft', 'ibft2'] as const) {
        expect(readHeaderSeals(decode(header), rule)).to.equal(undefined);
      }
    }
    expect(readHeaderSeals(toHeader(sealBft('qbft')), 'clique')).to.equal(undefined);
    expect(readHeaderSeals(toHeader(clique[0]!.head), 'ethereum')).to.equal(undefined);
  });

  it('are read up to the 256th', () => {
    const { digest, seals } = readHeaderSeals(toHeader(sealBft('qbft', { sealers: [1] })), 'qbft')!;
    const none = new Uint8Array(65);
    const following = (count: number) => ({
      validators: [],
      digest,
      seals: [...new Array(count).fill(none), ...seals],
    });
    expect(findSealers(following(255), addressesOf([1]), recoverSealKey)).to.deep.equal(addressesOf([1]));
    expect(findSealers(following(256), addressesOf([1]), recoverSealKey)).to.deep.equal([]);
  });
});
