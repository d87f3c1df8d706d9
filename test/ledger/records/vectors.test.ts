// The TypeScript codec against test/vectors/records.json.
import { expect } from 'chai';
import {
  advanceHead,
  EMPTY_HEAD,
  toAppendDigest,
  toDomainSeparator,
  toRecordDigest,
} from '../../../ledger/encoding/digest.ts';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import { decodePayload, encodePayload } from '../../../ledger/records/record.ts';
import { readVectors } from '../../support/vectors.ts';

const vectors = readVectors();
const domainSeparator = toDomainSeparator({ chainId: vectors.chain_id, contract: fromHex(vectors.contract) });
const author = fromHex(vectors.author);
const tenantKey = toKey(vectors.tenant_identity);

describe('record vectors', () => {
  it("have the key of the tenant's identity", () => {
    expect(toHex(tenantKey)).to.equal(vectors.tenant_key);
  });

  const heads = new Map<string, Uint8Array>();
  for (const vector of vectors.records) {
    it(`${vector.name}: payload, keys, digest, head and signed digest`, () => {
      const payload = encodePayload(vector.record);
      expect(toHex(payload)).to.equal(vector.payload);
      expect(decodePayload(payload)).to.deep.equal(vector.record);
      expect(toStreamIdentityOf(vector.record)).to.equal(vector.stream_identity);
      expect(toHex(toKey(vector.stream_identity))).to.equal(vector.stream_key);
      expect(toHex(toKey(vector.record.identity))).to.equal(vector.record_key);
      const content = {
        tenantKey,
        streamKey: fromHex(vector.stream_key),
        recordKey: fromHex(vector.record_key),
        author,
        payload,
      };
      const digest = toRecordDigest(domainSeparator, content);
      expect(toHex(digest)).to.equal(vector.digest);
      expect(toHex(toAppendDigest(domainSeparator, [content]))).to.equal(vector.append_digest_alone);
      const head = advanceHead(heads.get(vector.stream_identity) ?? EMPTY_HEAD, digest);
      heads.set(vector.stream_identity, head);
      expect(toHex(head)).to.equal(vector.head_after);
    });
  }
});
