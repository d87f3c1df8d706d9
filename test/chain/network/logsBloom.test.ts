import { expect } from 'chai';
import { createBloomTest } from '../../../chain/network/logsBloom.ts';
import { RECORD_APPENDED_TOPIC } from '../../../chain/recordLog.ts';
import { createTenant } from '../../../host/tenants.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { createTemporaryDirectory, openTestLedger } from '../../support/testLedger.ts';

// Counts the bits as the yellow paper does: from the right, the lowest first.
const naiveBloom = (items: readonly Hex[]): Hex => {
  let filter = 0n;
  for (const item of items) {
    const hash = Buffer.from(keccak256(Buffer.from(item.slice(2), 'hex')));
    for (const at of [0, 2, 4]) filter |= 1n << BigInt(hash.readUInt16BE(at) % 2048);
  }
  return `0x${filter.toString(16).padStart(512, '0')}`;
};
const itemOf = (number: number): Hex => toHex(keccak256(Buffer.from(`item ${number}`))).slice(0, 42) as Hex;

const isInBloom = (filter: Hex, item: Hex): boolean => createBloomTest(item)(fromHex(filter));

describe('the bloom filter of a block', () => {
  it('matches what was added to it, and hardly anything else', () => {
    const items = Array.from({ length: 10 }, (_, number) => itemOf(number));
    const filter = naiveBloom(items);
    expect(items.every((item) => isInBloom(filter, item))).to.equal(true);
    const others = Array.from({ length: 1000 }, (_, number) => itemOf(1000 + number));
    expect(others.filter((item) => isInBloom(filter, item)).length).to.be.lessThan(10);
    expect(isInBloom(naiveBloom([]), itemOf(0))).to.equal(false);
  });

  it('is read as a real chain encodes it', async () => {
    const { path, remove } = await createTemporaryDirectory();
    const ledger = await openTestLedger(path);
    await createTenant(ledger, { name: 'alpha' }, Date.now());
    const { logsBloom } = (await ledger.chain.request('eth_getBlockByNumber', ['latest', false])) as { logsBloom: Hex };
    expect([ledger.contract, RECORD_APPENDED_TOPIC].map((item) => isInBloom(logsBloom, item))).to.eql([true, true]);
    expect(isInBloom(logsBloom, itemOf(0))).to.equal(false);
    await ledger.close();
    await remove();
  });
});
