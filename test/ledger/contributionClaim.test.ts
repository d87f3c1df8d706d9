import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { type ContributionRecord, toContributionResource } from '../../ledger/records/contribution.ts';
import { toEventResource } from '../../ledger/records/event.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { parseEventClaim } from '../../ledger/verification.ts';
import { contributionRecords } from '../support/arbitraries.ts';
import { ALPHA, aContribution, anAttachment, anEvent, BETA, SETTINGS } from '../support/records.ts';
import { claimOf, commitment, digestOf } from './eventClaim.ts';

const anEventJson = (): Record<string, unknown> => ({ ...toEventResource(anEvent(), ALPHA, commitment) });

describe('parseEventClaim of a contribution', () => {
  const jsonOf = (record: ContributionRecord): Record<string, unknown> => ({
    ...toContributionResource(record, BETA, commitment, [anAttachment(1)]),
  });

  it('finds the committed record in the event of a contribution', () => {
    const check = fc.property(contributionRecords, (record) => {
      const json = JSON.parse(JSON.stringify(jsonOf(record))) as Record<string, unknown>;
      const { content, streamIdentity, tenantIdentity, unknownFields } = claimOf(json);
      expect(toHex(content.payload)).to.equal(toHex(encodePayload(record)));
      expect(content.recordKey).to.deep.equal(toKey(record.identity));
      expect(streamIdentity).to.equal(record.identity.slice(0, record.identity.indexOf('/events/')));
      expect(content.streamKey).to.deep.equal(toKey(streamIdentity));
      expect(tenantIdentity).to.equal(BETA);
      expect(unknownFields).to.deep.equal([]);
    });
    fc.assert(check);
  });

  it('refuses every change of the owner and of the times, or has another digest', () => {
    const json = jsonOf(aContribution(ALPHA));
    const digest = digestOf(claimOf(json).content);
    const { contribution } = json as { contribution: object };
    const changes = [
      ...[
        undefined,
        null,
        [],
        {},
        'x',
        { owner: ALPHA },
        { ...contribution, extra: '' },
        { ...contribution, owner: 1 },
      ],
      ...[{ owner: BETA }, { owner: 'tenant/x' }, { timestamp_accepted: '2026-11-20T12:00:00.001Z' }].map((change) => ({
        ...contribution,
        ...change,
      })),
    ].map((changed) => ({ ...json, contribution: changed }));
    const later = { ...json, timestamp_accepted: '2026-11-20T12:00:02.000Z' };
    const settled = { ...json, asset_settings: SETTINGS };
    for (const changed of [...changes, later, settled, { ...json, timestamp_committed: 'x' }, null, []]) {
      const claim = parseEventClaim(changed);
      if (typeof claim !== 'string') expect(digestOf(claim.content), JSON.stringify(changed)).to.not.equal(digest);
    }
    expect(parseEventClaim(later)).to.contain('timestamp_accepted');
  });

  it('is no claim of an own event that got the member', () => {
    const { timestamp_accepted } = anEvent();
    const forged = { ...anEventJson(), contribution: { owner: BETA, timestamp_accepted } };
    expect(parseEventClaim(forged)).to.be.a('string');
    const timed = parseEventClaim({ ...forged, timestamp_accepted: '2026-11-20T12:00:01.000Z' });
    if (typeof timed === 'string') throw new Error(timed);
    expect(digestOf(timed.content)).to.not.equal(digestOf(claimOf(anEventJson()).content));
  });
});
