// Logs of the contract: only what Solidity writes is one.
import { expect } from 'chai';
import { AbiCoder } from 'ethers';
import { fromHex, type Hex } from '../../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../../ledger/encoding/keccak.ts';
import { decodeLedgerLog } from '../../../../ledger/evidence/bundle/ledgerLogs.ts';
import { concatBytes } from '../../../../ledger/evidence/bytes.ts';

const WORD = 32;
const key = (n: number): Uint8Array => new Uint8Array(WORD).fill(n);
const SIGNATURE = 'RecordAppended(bytes32,bytes32,bytes32,address,uint32,bytes32,bytes28,bytes)';
const topics = [keccak256(Buffer.from(SIGNATURE)), key(1), key(2), key(3)];

const encode = (payload: Uint8Array): Uint8Array => {
  const types = ['address', 'uint32', 'bytes32', 'bytes28', 'bytes'];
  const values = [`0x${'ab'.repeat(20)}`, 7, key(4), new Uint8Array(28).fill(5), payload];
  return fromHex(AbiCoder.defaultAbiCoder().encode(types, values) as Hex);
};
const decode = (data: Uint8Array) => decodeLedgerLog({ address: new Uint8Array(20), topics, data });

describe('a log of a record', () => {
  it('is decoded with a payload of any length', () => {
    for (const length of [0, 1, 31, 32, 33, 600]) {
      const log = decode(encode(new Uint8Array(length).fill(9)));
      expect(log, `${length}`).to.deep.include({
        event: 'RecordAppended',
        tenant: key(1),
        stream: key(2),
        sequence: 7,
        digest: key(4),
      });
    }
  });

  const data = encode(new Uint8Array(33).fill(9));
  const wrong: readonly (readonly [name: string, data: Uint8Array])[] = [
    ['with a padded author', data.with(0, 1)],
    ['with a padded sequence', data.with(32, 1)],
    ['with a padded head', data.with(127, 1)],
    ['whose payload is elsewhere', data.with(159, 0xc0)],
    ['whose payload is far away', data.with(130, 1)],
    ['with a longer payload than its data', data.with(191, 65)],
    ['with a payload of 2^40 bytes', data.with(186, 1)],
    ['with a padded payload', data.with(data.length - 1, 1)],
    ['with a word after the payload', concatBytes([data, new Uint8Array(WORD)])],
    ['with half a word', data.subarray(0, -16)],
    ['without a payload', data.subarray(0, 160)],
    ['without a head', data.subarray(0, 96)],
  ];
  for (const [name, changed] of wrong) {
    it(`is none ${name}`, () => expect(decode(changed)).to.equal(undefined));
  }
});
