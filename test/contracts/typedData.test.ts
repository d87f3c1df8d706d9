// The contract's digests compared with those of ethers' TypedDataEncoder: two implementations of EIP-712 that must
// agree.
import { expect } from 'chai';
import { hexlify } from 'ethers';
import fc from 'fast-check';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { runs } from '../support/propertyRuns.ts';
import { fetchAppended } from './support/appended.ts';
import { aRecord } from './support/aRecord.ts';
import { loadLedger } from './support/ledgerFixture.ts';
import { signBatch, type TypedRecord, toRecordDigest } from './support/typedData.ts';

const bytes = (constraints: fc.IntArrayConstraints) => fc.uint8Array(constraints).map((array) => hexlify(array) as Hex);
const word = bytes({ minLength: 32, maxLength: 32 });
const address = bytes({ minLength: 20, maxLength: 20 });
const record = (payload: fc.Arbitrary<Hex>): fc.Arbitrary<TypedRecord> =>
  fc.record({ stream: word, id: word, payload });

describe('typed data', () => {
  it('the domain is name, version, chain and contract', async () => {
    const { ledger, domain } = await loadLedger();
    const [fields, ...rest] = await ledger.eip712Domain();
    expect(fields).to.equal('0x0f');
    expect(rest.slice(0, 4)).to.deep.equal([domain.name, domain.version, domain.chainId, domain.verifyingContract]);
  });

  it('the digest of a record is its EIP-712 hash, whatever the record', async () => {
    const { ledger, domain } = await loadLedger();
    const payload = bytes({ maxLength: 200 });
    const property = fc.asyncProperty(word, address, record(payload), async (tenant, author, content) => {
      const digest = await ledger.digestOf(tenant, content.stream, content.id, author, content.payload);
      expect(digest).to.equal(toRecordDigest(domain, tenant, author, content));
    });
    await fc.assert(property, runs(100));
  });

  it('the digest of a record that could not be appended is its EIP-712 hash too', async () => {
    const { ledger, domain, tenant, writer } = await loadLedger();
    for (const payload of ['0x', `0x${'00'.repeat(70_000)}`] as const) {
      const { stream, id } = aRecord();
      const digest = await ledger.digestOf(tenant, stream, id, writer, payload);
      expect(digest).to.equal(toRecordDigest(domain, tenant, writer.address, { stream, id, payload }));
    }
  });

  it('an Append that a wallet signed is accepted, whatever the records', async () => {
    const { ledger, domain, tenant, writer, relayer } = await loadLedger();
    const records = fc.array(record(bytes({ minLength: 1, maxLength: 100 })), { minLength: 1, maxLength: 5 });
    const property = fc.asyncProperty(records, async (batch) => {
      const signed = await signBatch(domain, writer, tenant, batch);
      const logs = await fetchAppended(ledger, await ledger.connect(relayer).appendSigned([signed]));
      expect(logs.map(({ stream, id, payload }) => ({ stream, id, payload }))).to.deep.equal(batch);
    });
    await fc.assert(property, runs(30));
  });
});
