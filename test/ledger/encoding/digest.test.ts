// Digests compared with those of ethers' TypedDataEncoder, on random input.
import { expect } from 'chai';
import { AbiCoder, keccak256 as ethersKeccak256, getAddress, TypedDataEncoder } from 'ethers';
import fc from 'fast-check';
import {
  advanceHead,
  EMPTY_HEAD,
  type RecordContent,
  toAppendDigest,
  toDomainSeparator,
  toRecordDigest,
  toRecordStructHash,
} from '../../../ledger/encoding/digest.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { runs } from '../../support/propertyRuns.ts';
import { bytesOf } from '../../support/recordParts.ts';

const RECORD_TYPES = {
  Record: [
    { name: 'tenant', type: 'bytes32' },
    { name: 'stream', type: 'bytes32' },
    { name: 'id', type: 'bytes32' },
    { name: 'author', type: 'address' },
    { name: 'payload', type: 'bytes' },
  ],
};
const APPEND_TYPES = { ...RECORD_TYPES, Append: [{ name: 'records', type: 'Record[]' }] };

const domains = fc.record({ chainId: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), contract: bytesOf(20) });
const contents: fc.Arbitrary<RecordContent> = fc.record({
  tenantKey: bytesOf(32),
  streamKey: bytesOf(32),
  recordKey: bytesOf(32),
  author: bytesOf(20),
  payload: fc.uint8Array({ maxLength: 300 }),
});

const toEthersDomain = ({ chainId, contract }: { chainId: number; contract: Uint8Array }) => ({
  name: 'ProvenanceLedger',
  version: '1',
  chainId,
  verifyingContract: getAddress(toHex(contract)),
});
const toEthersRecord = ({ tenantKey, streamKey, recordKey, author, payload }: RecordContent) => ({
  tenant: toHex(tenantKey),
  stream: toHex(streamKey),
  id: toHex(recordKey),
  author: getAddress(toHex(author)),
  payload: toHex(payload),
});

describe('digests', () => {
  it('of a domain are as ethers computes them', () => {
    const check = fc.property(domains, (domain) => {
      expect(toHex(toDomainSeparator(domain))).to.equal(TypedDataEncoder.hashDomain(toEthersDomain(domain)));
    });
    fc.assert(check);
  });

  it('of a record are as ethers computes them', () => {
    const check = fc.property(domains, contents, (domain, content) => {
      const record = toEthersRecord(content);
      expect(toHex(toRecordStructHash(content))).to.equal(TypedDataEncoder.hashStruct('Record', RECORD_TYPES, record));
      expect(toHex(toRecordDigest(toDomainSeparator(domain), content))).to.equal(
        TypedDataEncoder.hash(toEthersDomain(domain), RECORD_TYPES, record),
      );
    });
    fc.assert(check);
  });

  it('of a batch, also an empty one, are as ethers computes them', () => {
    const check = fc.property(domains, fc.array(contents, { maxLength: 5 }), (domain, batch) => {
      const value = { records: batch.map(toEthersRecord) };
      expect(toHex(toAppendDigest(toDomainSeparator(domain), batch))).to.equal(
        TypedDataEncoder.hash(toEthersDomain(domain), APPEND_TYPES, value),
      );
    });
    fc.assert(check, runs(50));
  });

  it('change with every part of their content', () => {
    const domain = { chainId: 1, contract: new Uint8Array(20) };
    const content: RecordContent = {
      tenantKey: new Uint8Array(32),
      streamKey: new Uint8Array(32),
      recordKey: new Uint8Array(32),
      author: new Uint8Array(20),
      payload: new Uint8Array(32),
    };
    const digestOf = (changedDomain: object, changedContent: object): string =>
      toHex(toRecordDigest(toDomainSeparator({ ...domain, ...changedDomain }), { ...content, ...changedContent }));
    const digests = [
      digestOf({}, {}),
      digestOf({ chainId: 2 }, {}),
      digestOf({ contract: new Uint8Array(20).fill(1) }, {}),
      ...Object.entries(content).map(([part, bytes]) => digestOf({}, { [part]: new Uint8Array(bytes.length).fill(1) })),
    ];
    expect(new Set(digests).size).to.equal(8);
  });
});

describe('head of a stream', () => {
  it('is the first 28 bytes of keccak256(abi.encode(head, digest))', () => {
    const check = fc.property(bytesOf(28), bytesOf(32), (head, digest) => {
      const encoded = AbiCoder.defaultAbiCoder().encode(['bytes28', 'bytes32'], [head, digest]);
      expect(toHex(advanceHead(head, digest))).to.equal(ethersKeccak256(encoded).slice(0, 58));
    });
    fc.assert(check);
  });

  it('begins with zeros, and no step changes an earlier head', () => {
    const first = advanceHead(EMPTY_HEAD, new Uint8Array(32));
    const before = toHex(first);
    advanceHead(first, new Uint8Array(32).fill(1));
    expect([toHex(EMPTY_HEAD), toHex(first)]).to.deep.equal([`0x${'00'.repeat(28)}`, before]);
  });
});

describe('keccak256', () => {
  it('hashes the parts as their concatenation, as ethers does', () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 });
    const check = fc.property(parts, (list) => {
      expect(toHex(keccak256(...list))).to.equal(ethersKeccak256(Buffer.concat(list)));
    });
    fc.assert(check);
  });

  it('hashes the bytes of a view, also of the largest payload', () => {
    const bytes = new Uint8Array(70_000).map((_, at) => at % 251);
    expect(toHex(keccak256(bytes.subarray(3, 65_540)))).to.equal(ethersKeccak256(bytes.slice(3, 65_540)));
  });

  it('returns new bytes at each call', () => {
    const first = keccak256(Uint8Array.of(1));
    const copy = Uint8Array.from(first);
    keccak256(Uint8Array.of(2));
    expect(first).to.deep.equal(copy);
  });
});
