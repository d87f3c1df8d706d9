import { expect } from 'chai';
import { id } from 'ethers';
import fc from 'fast-check';
import { toHex } from '../../ledger/encoding/hex.ts';
import {
  isLedgerIdentity,
  parseBlobIdentity,
  parseContributionIdentity,
  parseEventIdentity,
  parseLocationIdentity,
  toApplicationIdentity,
  toAssetIdentity,
  toBlobIdentity,
  toContributionIdentity,
  toEventIdentity,
  toKey,
  toLocationIdentity,
  toStreamIdentity,
  toTenantIdentity,
  toUuid,
  toVersionIdentity,
} from '../../ledger/identity.ts';
import { codePoints } from '../support/codePoints.ts';
import { runs } from '../support/propertyRuns.ts';
import { HOSTILE_NAMES, uuids } from '../support/recordParts.ts';
import { assetOf, eventOf, uuidOf } from '../support/records.ts';

const HOSTILE = [
  ...HOSTILE_NAMES,
  eventOf(1, 2).toUpperCase(),
  `${eventOf(1, 2)}\n`,
  `\n${eventOf(1, 2)}`,
  `/${eventOf(1, 2)}`,
  `${eventOf(1, 2)}/`,
  `${eventOf(1, 2)}/events/${uuidOf(3)}`,
  eventOf(1, 2).replace('/events/', '//events/'),
  eventOf(1, 2).replace('/events/', '/versions/'),
  eventOf(1, 2).replaceAll('-', '\u2010'),
  eventOf(1, 2).slice(0, -1),
  eventOf(1, 2).replace('assets', 'assets/../assets'),
  eventOf(1, 2).replace('0', '\u0660'),
  assetOf(1),
  `tenant/${uuidOf(1)}`,
  `tenants/${uuidOf(1)}/${eventOf(1, 2)}`,
  `tenant/${uuidOf(1)}/tenant/${uuidOf(1)}/${eventOf(1, 2)}`,
  `tenant/${uuidOf(1)}/${eventOf(1, 2)}/`,
  `tenants/${uuidOf(1)}/versions/${uuidOf(2)}`,
  `location/${uuidOf(1)}/versions/${uuidOf(2)}`,
  `blobs/${uuidOf(1)}`,
  `tenant/${uuidOf(1)}/versions/${uuidOf(2)} `,
  `applications/${uuidOf(1)}/versions/`,
];

describe('identities', () => {
  it('of events are parsed into the UUIDs that they were built from', () => {
    const check = fc.property(uuids, uuids, (assetUuid, eventUuid) => {
      const identity = toEventIdentity(assetUuid, eventUuid);
      expect(parseEventIdentity(identity)).to.deep.equal({ assetUuid, eventUuid });
      expect(toStreamIdentity(identity)).to.equal(toAssetIdentity(assetUuid));
      expect(toUuid(identity)).to.equal(eventUuid);
      expect(toUuid(toAssetIdentity(assetUuid))).to.equal(assetUuid);
    });
    fc.assert(check);
  });

  it('of records and streams are those that the ledger writes', () => {
    const resources = [toTenantIdentity, toApplicationIdentity, toLocationIdentity, toBlobIdentity, toAssetIdentity];
    for (const toIdentity of resources) expect(isLedgerIdentity(toIdentity(uuidOf(1)))).to.equal(true);
    for (const record of [eventOf(1, 2), toVersionIdentity(toBlobIdentity(uuidOf(1)), uuidOf(2))]) {
      expect(isLedgerIdentity(record)).to.equal(true);
    }
    const streams = HOSTILE.filter((text) => /^(?:assets|tenant|blobs)\/[0-9a-f-]{36}$/.test(text));
    for (const text of HOSTILE.filter((one) => !streams.includes(one))) {
      expect(isLedgerIdentity(text), text).to.equal(false);
    }
  });

  it('of versions belong to the stream of their resource', () => {
    const check = fc.property(uuids, uuids, (uuid, version) => {
      for (const toIdentity of [toTenantIdentity, toApplicationIdentity, toLocationIdentity, toBlobIdentity]) {
        const resource = toIdentity(uuid);
        expect(toStreamIdentity(toVersionIdentity(resource, version))).to.equal(resource);
        expect(parseEventIdentity(toVersionIdentity(resource, version))).to.equal(undefined);
      }
    });
    fc.assert(check);
  });

  it('of contributions name the owner and the event, in a stream of the writer for each asset of an owner', () => {
    const check = fc.property(uuids, uuids, uuids, (owner, assetUuid, eventUuid) => {
      const [ownerIdentity, eventIdentity] = [toTenantIdentity(owner), toEventIdentity(assetUuid, eventUuid)];
      const identity = toContributionIdentity(ownerIdentity, eventIdentity);
      const stream = `${ownerIdentity}/${toAssetIdentity(assetUuid)}`;
      expect(parseContributionIdentity(identity)).to.deep.equal({ ownerIdentity, eventIdentity });
      expect(toStreamIdentity(identity)).to.equal(stream);
      expect(parseEventIdentity(identity)).to.equal(undefined);
      expect([identity, stream].map(isLedgerIdentity)).to.deep.equal([true, true]);
    });
    fc.assert(check);
  });

  for (const text of HOSTILE) {
    it(`${JSON.stringify(text)} is the identity of no record`, () => {
      expect(parseEventIdentity(text)).to.equal(undefined);
      expect(parseContributionIdentity(text)).to.equal(undefined);
      expect(toStreamIdentity(text)).to.equal(undefined);
    });
  }

  it('that differ in one character never identify records at the same place', () => {
    const check = fc.property(
      fc.nat(87),
      fc.string({ minLength: 1, maxLength: 1, unit: codePoints }),
      (at, inserted) => {
        const changed = eventOf(1, 2).slice(0, at) + inserted + eventOf(1, 2).slice(at + 1);
        const parsed = parseEventIdentity(changed);
        if (parsed !== undefined) expect(toEventIdentity(parsed.assetUuid, parsed.eventUuid)).to.equal(changed);
      },
    );
    fc.assert(check, runs(500));
  });
});

describe('identities that a client names', () => {
  const cases = [
    ['blobs', parseBlobIdentity, parseLocationIdentity],
    ['locations', parseLocationIdentity, parseBlobIdentity],
  ] as const;
  for (const [kind, parse, parseOther] of cases) {
    it(`of ${kind} are accepted with a UUID in either case, and converted to lower case`, () => {
      const check = fc.property(uuids, (uuid) => {
        for (const text of [`${kind}/${uuid}`, `${kind}/${uuid.toUpperCase()}`]) {
          expect(parse(text)).to.equal(`${kind}/${uuid}`);
          expect(parseOther(text)).to.equal(undefined);
        }
      });
      fc.assert(check);
    });

    it(`of ${kind} have no other form`, () => {
      const own = `${kind}/${uuidOf(1)}`;
      const wrong = [
        own.toUpperCase(),
        `${own}\n`,
        `/${own}`,
        `${own}/versions/${uuidOf(2)}`,
        own.slice(0, -1),
        uuidOf(1),
      ];
      for (const text of [...HOSTILE, ...wrong]) {
        if (text !== own) expect(parse(text), JSON.stringify(text)).to.equal(undefined);
      }
    });
  }
});

describe('toKey', () => {
  it('is keccak256 of the UTF-8 bytes, as ethers computes it', () => {
    const check = fc.property(fc.string({ unit: codePoints }), (text) => {
      expect(toHex(toKey(text))).to.equal(id(text));
    });
    fc.assert(check);
  });
});
