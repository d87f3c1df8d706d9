// The third-party check of a contribution on a real chain: its own record, in the writer's tenant.
import { expect } from 'chai';
import { verifyEvent } from '../../../chain/verification/eventVerification.ts';
import { toStreamIdentityOf } from '../../../ledger/identity.ts';
import { type ContributionRecord, toContributionResource } from '../../../ledger/records/contribution.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { useTenantsOnChain } from '../../support/chainLedger.ts';
import { ALPHA, aContribution, anAttach, anAttachment, BETA, eventOf } from '../../support/records.ts';

describe('the check of a contribution', () => {
  const ledger = useTenantsOnChain(BETA);

  const write = async (record: ContributionRecord): Promise<EventResource> => {
    const streamIdentity = toStreamIdentityOf(record);
    await ledger.submit({ tenantIdentity: BETA, streamIdentity, record, payload: encodePayload(record) });
    const commitment = await ledger.readCommitment(BETA, record.identity);
    return toContributionResource(record, BETA, commitment, [anAttachment(7), anAttachment(1)]);
  };

  const verify = (event: unknown) => verifyEvent(ledger.chain.request, ledger.contract, event, { withHistory: true });

  for (const [name, record, unchecked] of [
    ['an event', aContribution(ALPHA), []],
    [
      'an Attach, except for its list',
      aContribution(ALPHA, anAttach([1], { identity: eventOf(1, 4) })),
      ['asset_attributes/arc_attachments'],
    ],
  ] as const) {
    it(`accepts that of ${name}, and says that its place among the asset's events was not checked`, async () => {
      const event = await write(record);
      const { isVerified, findings, uncovered } = await verify(event);
      expect(isVerified).to.equal(true);
      expect(findings.find(({ question }) => question === 'completeness')?.answer).to.equal('not answered');
      expect(uncovered).to.deep.equal(unchecked);
    });
  }

  it('refuses it with another owner, writer or time, or as an own event', async () => {
    const event = await write(aContribution(ALPHA));
    const { contribution, ...own } = event;
    for (const forged of [
      { ...event, timestamp_accepted: '2026-11-20T12:00:00.000Z' },
      { ...event, tenant_identity: ALPHA },
      { ...event, operation: 'Play' },
      { ...event, contribution: { ...contribution, owner: BETA } },
      { ...event, contribution: { ...contribution, timestamp_accepted: '2026-11-20T12:00:00.001Z' } },
      { ...event, contribution: null },
      own,
    ]) {
      expect((await verify(forged)).isVerified, JSON.stringify(forged)).to.equal(false);
    }
  });
});
