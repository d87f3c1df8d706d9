import { expect } from 'chai';
import fc from 'fast-check';
import { assertAttachment, attachedBlobs, parseAppendedAttachments } from '../../../ledger/assets/attachments.ts';
import { parseBlobIdentity } from '../../../ledger/identity.ts';
import type { Attributes } from '../../../ledger/records/attributes.ts';
import { toBlobResource } from '../../../ledger/records/blob.ts';
import { attributeMaps } from '../../support/arbitraries.ts';
import { ALPHA, aBlobRecord, anAttachment, blobOf, hashOf, locationOf } from '../../support/records.ts';
import { codeOf, fieldsOf, NOT_REFUSED } from '../../support/refusals.ts';

const A_HASH = 0xabcdef;
const blob = toBlobResource(aBlobRecord(A_HASH), ALPHA);
const FIELD = 'event_attributes/arc_append_attachments/2';
const call =
  (fields: Record<string, string>, found: typeof blob | undefined = blob) =>
  () =>
    assertAttachment(anAttachment(A_HASH, fields), found, FIELD);

describe('assertAttachment', () => {
  it("accepts hash and algorithm in either case, and the algorithm's name as in its standard", () => {
    for (const arc_hash_alg of ['SHA256', 'sha256', 'Sha256', 'SHA-256', 'sha-256']) {
      for (const arc_hash_value of [hashOf(A_HASH), hashOf(A_HASH).toUpperCase()]) {
        expect(codeOf(call({ arc_hash_alg, arc_hash_value }))).to.equal(NOT_REFUSED);
      }
    }
  });

  const refused: [string, () => void][] = [
    ['a blob that is not there', () => assertAttachment(anAttachment(A_HASH), undefined, FIELD)],
    ['the hash of another blob', call({ arc_hash_value: hashOf(1) })],
    ['a hash with a prefix', call({ arc_hash_value: `0x${hashOf(A_HASH)}` })],
    ['a hash that is cut short', call({ arc_hash_value: hashOf(A_HASH).slice(1) })],
    ['a hash with a space', call({ arc_hash_value: `${hashOf(A_HASH)} ` })],
    ...['SHA512', 'sha1', 'SHA 256', 'SHA-2-256', 'sha256 ', 'constructor'].map(
      (arc_hash_alg): [string, () => void] => [`the algorithm ${arc_hash_alg}`, call({ arc_hash_alg })],
    ),
  ];
  for (const [name, refuse] of refused) {
    it(`refuses ${name}, and names the item`, () => {
      expect(codeOf(refuse)).to.equal('ATTACHMENT_INVALID');
      expect(fieldsOf(refuse)).to.deep.equal([FIELD]);
    });
  }
});

describe('parseAppendedAttachments', () => {
  it('returns the items unchanged', () => {
    const items = [anAttachment(1, { note: 'x' }), anAttachment(2)];
    expect(parseAppendedAttachments({ arc_append_attachments: items })).to.deep.equal(items);
  });
});

describe('attachedBlobs', () => {
  const blobsOf = (attributes: Attributes): string[] => [...attachedBlobs(attributes)];

  it('finds the items of both lists, and maps of type arc_attachment under any name', () => {
    const attributes = {
      arc_attachments: [anAttachment(1), anAttachment(2)],
      arc_append_attachments: [anAttachment(3)],
      picture: { arc_attribute_type: 'arc_attachment', arc_blob_identity: blobOf(4) },
      __proto: { arc_attribute_type: 'arc_attachment', arc_blob_identity: blobOf(5) },
    };
    expect(blobsOf(attributes)).to.deep.equal([1, 2, 3, 4, 5].map(blobOf));
    const map = { arc_attachments: { arc_attribute_type: 'arc_attachment', arc_blob_identity: blobOf(6) } };
    expect(blobsOf(map)).to.deep.equal([blobOf(6)]);
  });

  it('finds maps of type arc_attachment inside a list, under any name', () => {
    const map = (blob: number) => ({ arc_attribute_type: 'arc_attachment', arc_blob_identity: blobOf(blob) });
    expect(blobsOf({ pictures: [map(1), {}, { note: 'x' }, map(2)] })).to.deep.equal([blobOf(1), blobOf(2)]);
    const mixed = { ...anAttachment(4), ...map(5) };
    expect(blobsOf({ arc_attachments: [map(3), mixed] })).to.deep.equal([4, 3, 5].map(blobOf));
    expect(blobsOf({ pictures: [mixed] })).to.deep.equal([blobOf(5)]);
    const others = [{ arc_blob_identity: blobOf(1) }, { ...map(1), arc_attribute_type: 'other' }];
    expect(blobsOf({ pictures: others })).to.deep.equal([]);
  });

  it('returns each blob once, in lower case', () => {
    const capitals = blobOf(0xabc).replace('abc', 'ABC');
    const items = [capitals, blobOf(0xabc)].map((identity) => anAttachment(1, { arc_attachment_identity: identity }));
    expect(blobsOf({ arc_attachments: items })).to.deep.equal([blobOf(0xabc)]);
  });

  it('finds nothing in attributes without attachments', () => {
    const nothing: Attributes[] = [
      {},
      { arc_attachments: 'blobs' },
      { arc_attachments: { arc_attachment_identity: blobOf(1) } },
      { arc_attachments: [{}, { arc_attachment_identity: 'blobs/1' }, { arc_attachment_identity: locationOf(1) }] },
      { pictures: [anAttachment(1)] },
      { picture: { arc_blob_identity: blobOf(1) } },
      { picture: { arc_attribute_type: 'arc_attachment' } },
      { picture: { arc_attribute_type: 'ARC_ATTACHMENT', arc_blob_identity: blobOf(1) } },
      { picture: { arc_attribute_type: 'arc_attachment', arc_attachment_identity: blobOf(1) } },
      { picture: blobOf(1) },
    ];
    for (const attributes of nothing) expect(blobsOf(attributes), JSON.stringify(attributes)).to.deep.equal([]);
  });

  it('accepts any attributes', () => {
    const check = fc.property(attributeMaps, (attributes) => {
      for (const identity of attachedBlobs(attributes)) expect(parseBlobIdentity(identity)).to.equal(identity);
    });
    fc.assert(check);
  });
});
