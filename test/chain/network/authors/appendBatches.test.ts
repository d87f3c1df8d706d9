// Which batches are read out of calldata: those of every regular encoder, and none that only offsets multiply.
import { expect } from 'chai';
import { AbiCoder, concat } from 'ethers';
import fc from 'fast-check';
import { ledgerInterface } from '../../../../chain/ledgerAbi.ts';
import { readSentRecords, readSignedBatches } from '../../../../chain/network/authors/appendBatches.ts';
import type { SignedBatch } from '../../../../chain/writing/appendCalls.ts';
import { type Hex, toHex } from '../../../../ledger/encoding/hex.ts';

const WORD = 32;
const AUTHOR = Buffer.alloc(20, 0xa1);

const toBuffer = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
const toWord = (value: number): Buffer => toBuffer(`0x${value.toString(16).padStart(2 * WORD, '0')}`);
const selectorOf = (name: string): Buffer => toBuffer(ledgerInterface.getFunction(name)!.selector);

const arbitraryBytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => toHex(bytes));
interface TextBatch {
  readonly tenantKey: Hex;
  readonly author: Hex;
  readonly records: readonly { readonly streamKey: Hex; readonly recordKey: Hex; readonly payload: Hex }[];
  readonly signature: Hex;
}
const arbitraryBatch: fc.Arbitrary<TextBatch> = fc.record({
  tenantKey: arbitraryBytes(WORD),
  author: arbitraryBytes(AUTHOR.length),
  records: fc.array(
    fc.record({
      streamKey: arbitraryBytes(WORD),
      recordKey: arbitraryBytes(WORD),
      payload: fc.uint8Array({ maxLength: 100 }).map((bytes) => toHex(bytes)),
    }),
    { maxLength: 5 },
  ),
  signature: fc.uint8Array({ maxLength: 70 }).map((bytes) => toHex(bytes)),
});

const toText = ({ tenantKey, author, records, signature }: SignedBatch): TextBatch => ({
  tenantKey: toHex(tenantKey),
  author: toHex(author),
  records: records.map(({ streamKey, recordKey, payload }) => ({
    streamKey: toHex(streamKey),
    recordKey: toHex(recordKey),
    payload: toHex(payload),
  })),
  signature: toHex(signature),
});

// By the coder of the library, not by the contract's interface, which a fault of the reader might share.
const BATCHES = 'tuple(bytes32,address,tuple(bytes32,bytes32,bytes)[],bytes)[]';
const encodeCall = (batches: readonly TextBatch[]): Hex => {
  const values = batches.map(({ tenantKey, author, records, signature }) => [
    tenantKey,
    author,
    records.map(({ streamKey, recordKey, payload }) => [streamKey, recordKey, payload]),
    signature,
  ]);
  const data = AbiCoder.defaultAbiCoder().encode([BATCHES], [values]);
  return concat([selectorOf('appendSigned'), data]) as Hex;
};

/** A list whose every element is the one that follows it. */
const aliasedList = (length: number, element: Buffer): Buffer =>
  Buffer.concat([toWord(length), ...Array.from({ length }, () => toWord(length * WORD)), element]);
const aliasedRecords = (length: number): Buffer =>
  aliasedList(length, Buffer.concat([toWord(1), toWord(2), toWord(3 * WORD), toWord(0)]));

// `batches` times the same batch of `records` times the same record.
const aliasedCall = (batches: number, records: number): Buffer => {
  const list = aliasedRecords(records);
  const batch = Buffer.concat([
    ...[toWord(0), toWord(1), toWord(4 * WORD), toWord(4 * WORD + list.length)],
    ...[list, toWord(65), Buffer.alloc(96)],
  ]);
  return Buffer.concat([selectorOf('appendSigned'), toWord(WORD), aliasedList(batches, batch)]);
};

// Calls that all have their only record's payload at the end of the calldata.
const callsOfOnePayload = (calls: number, payload: Buffer): Buffer => {
  const HEAD = 4 + 15 * WORD;
  const heads = Array.from({ length: calls }, (_, index) => {
    const toEnd = (calls - index) * HEAD - (HEAD - 6 * WORD);
    return Buffer.concat([
      ...[selectorOf('appendSigned'), toWord(WORD), toWord(1), toWord(WORD)],
      ...[toWord(0), toWord(1), toWord(4 * WORD), toWord(9 * WORD)],
      ...[toWord(1), toWord(WORD), toWord(1), toWord(2), toWord(toEnd)],
      ...[toWord(0), toWord(0), toWord(0)],
    ]);
  });
  return Buffer.concat([...heads, toWord(payload.length), payload]);
};

describe('the batches in calldata', () => {
  it('are read from what a regular encoder writes, also among other bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(arbitraryBatch, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        fc.uint8Array({ maxLength: 50 }),
        (calls, other) => {
          const input = Buffer.concat([other, ...calls.map((batches) => toBuffer(encodeCall(batches))), other]);
          expect(readSignedBatches(input).map(toText)).to.deep.equal(calls.flat());
        },
      ),
    );
  });

  it('are read from a call that is the payload of another one', () => {
    const toBatch = (payload: Hex): TextBatch => ({
      tenantKey: toHex(toWord(1)),
      author: toHex(AUTHOR),
      records: [{ streamKey: toHex(toWord(2)), recordKey: toHex(toWord(3)), payload }],
      signature: toHex(Buffer.alloc(65)),
    });
    const inner = [toBatch('0x1234')];
    const outer = [toBatch(encodeCall(inner))];
    expect(readSignedBatches(toBuffer(encodeCall(outer))).map(toText)).to.deep.equal([...outer, ...inner]);
  });

  it('are one batch of one record, when each offset is used once', () => {
    expect(readSignedBatches(aliasedCall(1, 1))).to.have.length(1);
  });

  for (const [batches, records] of [
    [2, 1],
    [1, 3],
    [100, 100],
    [10_000, 10_000],
  ] as const)
    it(`are none when ${batches} offsets name one batch and ${records} one record`, () => {
      expect(readSignedBatches(aliasedCall(batches, records)).length).to.equal(0);
    });

  it('have no more bytes than four times the calldata, when calls share a payload', () => {
    const input = callsOfOnePayload(64, Buffer.alloc(100_000));
    const read = readSignedBatches(input).flatMap((batch) => batch.records);
    const bytes = read.reduce((total, { payload }) => total + payload.length, 0);
    expect(bytes).to.be.within(100_000, 4 * input.length);
  });

  it('have no records that `append` multiplies by offsets', () => {
    const toAppend = (records: number): Buffer =>
      Buffer.concat([selectorOf('append'), toWord(1), toWord(2 * WORD), aliasedRecords(records)]);
    expect(readSentRecords(toAppend(1), AUTHOR)).to.have.length(1);
    expect(readSentRecords(toAppend(10_000), AUTHOR).length).to.equal(0);
  });
});
