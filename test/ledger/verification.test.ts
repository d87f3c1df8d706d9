import { expect } from 'chai';
import { Wallet } from 'ethers';
import fc from 'fast-check';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { AttributeValue } from '../../ledger/records/attributes.ts';
import { COMMITTED_FIELDS, toEventResource } from '../../ledger/records/event.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { COMMITMENT_FIELDS, findMissingFields, foldAttachments, parseEventClaim } from '../../ledger/verification.ts';
import { attributeMaps, eventRecords } from '../support/arbitraries.ts';
import { codePoints } from '../support/codePoints.ts';
import { runs } from '../support/propertyRuns.ts';
import {
  ALPHA,
  aCreation,
  anAttach,
  anAttachment,
  anEvent,
  aPrincipal,
  assetOf,
  aTenantRecord,
  BETA,
  eventOf,
  SETTINGS,
} from '../support/records.ts';
import { claimOf, commitment, digestOf } from './eventClaim.ts';

const { from: author } = commitment;
const anEventJson = (record = anEvent(), attachmentsAfter?: AttributeValue): Record<string, unknown> => ({
  ...toEventResource(record, ALPHA, commitment, attachmentsAfter),
});

const isRefused = (json: unknown): boolean => typeof parseEventClaim(json) === 'string';

describe('parseEventClaim', () => {
  it('finds the committed record in an event resource', () => {
    const check = fc.property(eventRecords, attributeMaps, (record, { ...lists }) => {
      const json = JSON.parse(JSON.stringify(anEventJson(record, Object.values(lists)[0]))) as Record<string, unknown>;
      const { content, streamIdentity, tenantIdentity, unknownFields } = claimOf(json);
      expect(toHex(content.payload)).to.equal(toHex(encodePayload(record)));
      expect(content.recordKey).to.deep.equal(toKey(record.identity));
      expect(content.streamKey).to.deep.equal(toKey(streamIdentity));
      expect(content.tenantKey).to.deep.equal(toKey(ALPHA));
      expect([toHex(content.author), tenantIdentity]).to.deep.equal([author.toLowerCase(), ALPHA]);
      expect(unknownFields).to.deep.equal([]);
    });
    fc.assert(check);
  });

  for (const field of Object.keys(anEventJson())) {
    it(`refuses an event without ${field}, and names the field`, () => {
      const { [field]: _, ...rest } = anEventJson();
      expect(findMissingFields(rest)).to.deep.equal([field]);
      expect(parseEventClaim(rest)).to.contain(field);
    });
  }

  it('knows every field of an event resource', () => {
    expect(findMissingFields({}).sort()).to.deep.equal(Object.keys(anEventJson()).sort());
  });

  // A change of each committed field, which leads to another digest or to a refusal.
  const changes: readonly [string, unknown][] = [
    ['identity', eventOf(1, 9)],
    ['behaviour', 'recordEvidence'],
    ['operation', 'Record '],
    ['event_attributes', { arc_description: 'oiled the hinges' }],
    ['event_attributes', { Arc_description: 'oiled the hinge' }],
    ['event_attributes', {}],
    ['asset_attributes', { constructor: '' }],
    ['timestamp_accepted', '2026-11-20T12:00:00.001Z'],
    ['timestamp_declared', '2026-11-20T12:00:00.000Z'],
    ...Object.keys(aPrincipal()).flatMap((part): [string, unknown][] => [
      ['principal_accepted', aPrincipal({ [part]: 'another' })],
      ['principal_declared', aPrincipal({ subject: 's|2', [part]: 'another' })],
    ]),
  ];
  for (const [field, value] of changes) {
    it(`leads to another digest for ${field} ${JSON.stringify(value)}`, () => {
      expect(COMMITTED_FIELDS).to.include(field);
      const json = { ...anEventJson(), [field]: value };
      expect(digestOf(claimOf(json).content)).to.not.equal(digestOf(claimOf(anEventJson()).content));
    });
  }

  for (const [name, changed] of [
    ['behaviours', { ...SETTINGS, behaviours: SETTINGS.behaviours.slice(1) }],
    ['the order of behaviours', { ...SETTINGS, behaviours: SETTINGS.behaviours.toReversed() }],
    ['the proof mechanism', { ...SETTINGS, proof_mechanism: 'MERKLE_LOG' }],
    ['openness', { ...SETTINGS, public: true }],
  ] as const) {
    it(`leads to another digest for ${name} of a creation`, () => {
      const json = anEventJson(aCreation());
      const other = claimOf({ ...json, asset_settings: changed }).content;
      expect(digestOf(other)).to.not.equal(digestOf(claimOf(json).content));
    });
  }

  it('leads to another digest for another tenant and another author', () => {
    const digests = [{}, { tenant_identity: BETA }, { from: new Wallet(`0x${'12'.repeat(32)}`).address }].map(
      (changed) => digestOf(claimOf({ ...anEventJson(), ...changed }).content),
    );
    expect(new Set(digests).size).to.equal(3);
  });

  it('fails, or leads to another digest, after a change of any character that the digest commits to', () => {
    const bound = [...COMMITTED_FIELDS, 'tenant_identity', 'asset_identity', 'from'];
    const inserted = fc.string({ unit: codePoints, minLength: 1, maxLength: 1 });
    const check = fc.property(fc.constantFrom(...bound), fc.nat(), inserted, (field, place, character) => {
      const text = JSON.stringify(anEventJson()[field]);
      const at = place % text.length;
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      let value: unknown;
      try {
        value = JSON.parse(changed);
      } catch {
        return;
      }
      if (JSON.stringify(value) === text) return;
      const claim = parseEventClaim({ ...anEventJson(), [field]: value });
      // chain/verification/eventVerification.ts checks the case of an address's letters, which is its checksum.
      if (typeof claim === 'string' || (field === 'from' && changed.toLowerCase() === text.toLowerCase())) return;
      expect(digestOf(claim.content)).to.not.equal(digestOf(claimOf(anEventJson()).content));
    });
    fc.assert(check, runs(1_000));
  });

  const refused: readonly [string, unknown][] = [
    ...[null, undefined, 'event', 1, [], [anEventJson()]].map((json): [string, unknown] => [
      String(JSON.stringify(json)).slice(0, 20),
      json,
    ]),
    ['the asset of another event', { ...anEventJson(), asset_identity: assetOf(2) }],
    ['a pending event', { ...anEventJson(), confirmation_status: 'PENDING' }],
    ['a failed event', { ...anEventJson(), confirmation_status: 'FAILED' }],
    ['a tenant that is a number', { ...anEventJson(), tenant_identity: 1 }],
    ['no author', { ...anEventJson(), from: '' }],
    ['an author that is too long', { ...anEventJson(), from: `${author}00` }],
    ['an author with a line break', { ...anEventJson(), from: `${author}\n` }],
    ['an author without prefix', { ...anEventJson(), from: author.slice(2) }],
    ['a number as attribute', { ...anEventJson(), event_attributes: { weight: 1 } }],
    ['a timestamp without milliseconds', { ...anEventJson(), timestamp_accepted: '2026-11-20T12:00:00Z' }],
    ['half of a surrogate pair in an attribute', { ...anEventJson(), event_attributes: { a: '\ud800' } }],
    ['half of a surrogate pair in a name', { ...anEventJson(), asset_attributes: { '\udc00': '' } }],
    ['half of a surrogate pair in a behaviour', { ...anEventJson(), behaviour: '\ud800' }],
  ];
  for (const [name, json] of refused) {
    it(`refuses ${name}`, () => expect(isRefused(json)).to.equal(true));
  }

  it('does not commit to the fields that locate the record on the chain', () => {
    for (const field of COMMITMENT_FIELDS) {
      const claim = claimOf({ ...anEventJson(), [field]: 'anything' });
      expect(digestOf(claim.content)).to.equal(digestOf(claimOf(anEventJson()).content));
    }
  });

  it('names the members that the chain does not cover', () => {
    expect(claimOf({ ...anEventJson(), type: 'event', verdict: 'good' }).unknownFields).to.deep.equal([
      'type',
      'verdict',
    ]);
  });

  it('ignores inherited members', () => {
    expect(isRefused(Object.create(anEventJson()))).to.equal(true);
  });

  it("accepts the author's address in either case", () => {
    const lower = claimOf({ ...anEventJson(), from: author.toLowerCase() });
    expect(new Uint8Array(lower.content.author)).to.deep.equal(new Uint8Array(fromHex(author)));
  });
});

describe('parseEventClaim of an Attach', () => {
  const list = [anAttachment(1), anAttachment(2)];
  const attach = anAttach([2], { asset_attributes: { colour: 'red' } });

  it('separates the shown list from the committed attributes', () => {
    const claim = claimOf(anEventJson(attach, list));
    expect(claim.record).to.deep.equal(attach);
    expect(claim.shownAttachments).to.deep.equal(list);
    expect(claimOf(anEventJson(attach)).shownAttachments).to.equal(undefined);
  });

  it('keeps a list that another event sets under the digest', () => {
    const claim = claimOf(anEventJson(anEvent({ asset_attributes: { arc_attachments: list } })));
    expect(claim.record.asset_attributes).to.deep.equal({ arc_attachments: list });
    expect(claim.shownAttachments).to.equal(undefined);
  });

  it('leads to another digest for other attributes that it sets, and for the attachments that it appends', () => {
    const json = anEventJson(attach, list);
    const { operation: _, ...others } = json;
    for (const changed of [
      { ...json, asset_attributes: { colour: 'Red', arc_attachments: list } },
      { ...json, asset_attributes: { colour: 'red', arc_attachment: list } },
      { ...json, event_attributes: { arc_append_attachments: list } },
      { ...others, operation: 'attach' },
    ]) {
      expect(digestOf(claimOf(changed).content)).to.not.equal(digestOf(claimOf(json).content));
    }
  });

  for (const asset_attributes of [null, 'red', [], 1, [list]]) {
    it(`refuses asset_attributes ${JSON.stringify(asset_attributes).slice(0, 9)}`, () => {
      expect(isRefused({ ...anEventJson(attach, list), asset_attributes })).to.equal(true);
    });
  }
});

describe('foldAttachments', () => {
  it("is the asset's list after the history", () => {
    const set = anEvent({ asset_attributes: { arc_attachments: [anAttachment(9)] } });
    expect(foldAttachments([aCreation(), anAttach([1]), anAttach([2, 3])])).to.deep.equal(
      [1, 2, 3].map((blob) => anAttachment(blob)),
    );
    expect(foldAttachments([aCreation(), anAttach([1]), set, anAttach([2])])).to.deep.equal(
      [9, 2].map((blob) => anAttachment(blob)),
    );
    expect(foldAttachments([aCreation({ asset_attributes: { arc_attachments: 'x' } }), anAttach([])])).to.deep.equal(
      [],
    );
  });

  it('ignores records that are not events, and is undefined before the creation', () => {
    expect(foldAttachments([aTenantRecord(ALPHA), aCreation(), anAttach([1])])).to.deep.equal([anAttachment(1)]);
    expect(foldAttachments([anAttach([1])])).to.equal(undefined);
    expect(foldAttachments([])).to.equal(undefined);
  });
});
