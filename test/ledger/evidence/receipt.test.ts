import { expect } from 'chai';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { decodeReceipt, encodeReceipt, findContractLog, type Receipt } from '../../../ledger/evidence/receipt.ts';
import { decodeRlp, encodeRlp, type RlpItem } from '../../../ledger/evidence/rlp.ts';
import { readTrieVectors } from '../../support/receiptTries.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const recorded = readTrieVectors().blocks.flatMap(({ chain, number, receipts }) =>
  receipts.map((receipt, index) => ({ name: `receipt ${index} of block ${number} of ${chain}`, ...receipt })),
);

const sample = (): Receipt => decodeReceipt(fromHex(recorded.find(({ logs }) => logs.length > 0)!.encoded));

describe('a receipt', () => {
  for (const { name, type, status, cumulative_gas_used, logs, encoded } of recorded) {
    it(`is decoded as by another program: ${name}`, () => {
      const receipt = decodeReceipt(fromHex(encoded));
      expect(receipt).to.deep.include({
        type,
        isSuccessful: status === 1,
        cumulativeGasUsed: cumulative_gas_used,
      });
      const found = receipt.logs.map(({ address, topics, data }) => ({
        address: toHex(address),
        topics: topics.map(toHex),
        data: toHex(data),
      }));
      expect(found).to.deep.equal(logs);
      expect(toHex(encodeReceipt(receipt))).to.equal(encoded);
    });
  }

  it('is recorded of each type, and of a failed transaction', () => {
    expect(new Set(recorded.map(({ type }) => type))).to.deep.equal(new Set([0, 1, 2]));
    expect(new Set(recorded.map(({ status }) => status))).to.deep.equal(new Set([0, 1]));
  });

  it('is unreadable in any other form', () => {
    const legacy = encodeReceipt({ ...sample(), type: 0 });
    const [status, gas, bloom, logs] = decodeRlp(legacy) as RlpItem[];
    const [address, topics, data] = (logs as RlpItem[])[0] as RlpItem[];
    const withLog = (log: RlpItem): RlpItem => [status!, gas!, bloom!, [log]];
    const wrong: readonly [string, Uint8Array][] = [
      ['no bytes', new Uint8Array()],
      ['a type of 0', Uint8Array.of(0, ...legacy)],
      ['a type above 0x7f', Uint8Array.of(0x80, ...legacy)],
      ['bytes after it', Uint8Array.of(...legacy, 0)],
      ['three items', encodeRlp([status!, gas!, bloom!])],
      ['five items', encodeRlp([status!, gas!, bloom!, logs!, logs!])],
      ['a state root', encodeRlp([new Uint8Array(32), gas!, bloom!, logs!])],
      ['a status of 2', encodeRlp([Uint8Array.of(2), gas!, bloom!, logs!])],
      ['a status of two bytes', encodeRlp([Uint8Array.of(1, 1), gas!, bloom!, logs!])],
      ['gas with a leading zero', encodeRlp([status!, Uint8Array.of(0, 9), bloom!, logs!])],
      ['a short bloom', encodeRlp([status!, gas!, (bloom as Uint8Array).subarray(1), logs!])],
      ['logs that are bytes', encodeRlp([status!, gas!, bloom!, new Uint8Array()])],
      ['a log that is bytes', encodeRlp(withLog(new Uint8Array()))],
      ['a log of two items', encodeRlp(withLog([address!, topics!]))],
      ['a log of four items', encodeRlp(withLog([address!, topics!, data!, data!]))],
      ['a short topic after another', encodeRlp(withLog([address!, [new Uint8Array(32), new Uint8Array(31)], data!]))],
      ['a short address', encodeRlp(withLog([(address as Uint8Array).subarray(1), topics!, data!]))],
      ['a short topic', encodeRlp(withLog([address!, [new Uint8Array(31)], data!]))],
      ['five topics', encodeRlp(withLog([address!, new Array(5).fill(new Uint8Array(32)), data!]))],
      ['data that are a list', encodeRlp(withLog([address!, topics!, []]))],
    ];
    for (const [name, bytes] of wrong)
      expect(
        isUnreadable(() => decodeReceipt(bytes)),
        name,
      ).to.equal(true);
    expect(isUnreadable(() => decodeReceipt(encodeRlp(withLog([address!, topics!, data!]))))).to.equal(false);
    const four = decodeReceipt(encodeRlp(withLog([address!, new Array(4).fill(new Uint8Array(32)), data!])));
    expect(four.logs[0]!.topics).to.have.length(4);
  });
});

describe('a log of a receipt', () => {
  it('is found by its index, if this contract logged it', () => {
    const receipt = sample();
    const { address } = receipt.logs[0]!;
    expect(findContractLog(receipt, 0, address)).to.equal(receipt.logs[0]);
    expect(findContractLog(receipt, 0, new Uint8Array(20))).to.equal(undefined);
    for (const index of [1, -1, 0.5, Number.NaN]) expect(findContractLog(receipt, index, address)).to.equal(undefined);
  });

  it('of a transaction that failed does not count', () => {
    const receipt = sample();
    expect(findContractLog({ ...receipt, isSuccessful: false }, 0, receipt.logs[0]!.address)).to.equal(undefined);
  });
});
