import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Commitment, toUncommitted } from '../../../ledger/records/commitment.ts';
import { toContribution, toContributionResource, toWrittenEvent } from '../../../ledger/records/contribution.ts';
import { toCommittedRecord } from '../../../ledger/records/event.ts';
import { attributeMaps, contributionRecords } from '../../support/arbitraries.ts';
import { runs } from '../../support/propertyRuns.ts';
import { ALPHA, aContribution, anEvent, assetOf, BETA, eventOf } from '../../support/records.ts';

const COMMITTED: Commitment = {
  ...toUncommitted('PENDING'),
  confirmation_status: 'CONFIRMED',
  timestamp_committed: '2026-11-20T12:00:07Z',
};

describe('contributions', () => {
  it('are what an event of the owner would be, in the name of the writer', () => {
    const contribution = aContribution(ALPHA, { timestamp_accepted: '2026-11-20T12:00:00.250Z' });
    const { type: _, ...event } = anEvent({ identity: eventOf(1, 4) });
    expect(toContributionResource(contribution, BETA, COMMITTED)).to.deep.equal({
      ...event,
      ...COMMITTED,
      asset_identity: assetOf(1),
      tenant_identity: BETA,
      timestamp_accepted: '2026-11-20T12:00:07.000Z',
      contribution: { owner: ALPHA, timestamp_accepted: '2026-11-20T12:00:00.250Z' },
    });
  });

  it('show when the writer accepted them until a block has them', () => {
    const { timestamp_accepted } = aContribution(ALPHA);
    for (const status of ['PENDING', 'FAILED'] as const) {
      const shown = toContributionResource(aContribution(ALPHA), BETA, toUncommitted(status));
      expect(shown.timestamp_accepted).to.equal(timestamp_accepted);
    }
  });

  it('follow from what is shown of them, whatever list of attachments that has', () => {
    const lists = fc.option(attributeMaps.map(Object.values), { nil: undefined });
    const commitments = fc.constantFrom(COMMITTED, toUncommitted('PENDING'));
    const check = fc.property(contributionRecords, lists, commitments, (record, list, commitment) => {
      const shown = toContributionResource(record, BETA, commitment, list);
      const written = toCommittedRecord(shown);
      expect(isDeepStrictEqual(written, toWrittenEvent(record))).to.equal(true);
      expect(isDeepStrictEqual(toContribution(written, shown.contribution!.owner), record)).to.equal(true);
    });
    fc.assert(check, runs(300));
  });
});
