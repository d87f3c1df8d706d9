// A check reads one snapshot of the ledger, whatever is written in the meantime.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { LedgerView } from '../../../../indexer/ledgerView.ts';
import { toEventIdentity } from '../../../../ledger/identity.ts';
import type { EventRecord } from '../../../../ledger/records/event.ts';
import { check, createAssetAt, recordAt } from '../../support/compliance.ts';
import { aPolicy, createAPolicy } from '../../support/requests.ts';
import { useNewServer } from '../../support/useServer.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const rich = (assertion: string) => ({
  compliance_type: 'COMPLIANCE_RICHNESS',
  richness_assertions: [{ or: [assertion] }],
});

describe('a check during writes', () => {
  const server = useNewServer();

  // Runs tasks when the asset was read, and when the policies were.
  const writeBetween = (afterAsset: () => Promise<void>, afterPolicies: () => Promise<void>): void => {
    const { readPolicyEvents } = server.deps.view;
    const readAndWrite: LedgerView['readPolicyEvents'] = (tenantIdentity, assetUuid, atMs, choose) =>
      readPolicyEvents(tenantIdentity, assetUuid, atMs, async (...found) => {
        await afterAsset();
        const ranges = await choose(...found);
        await afterPolicies();
        return ranges;
      });
    Object.assign(server.deps.view, { readPolicyEvents: readAndWrite });
  };

  for (const isChainAway of [false, true]) {
    it(`sees asset, policies and events of one moment${isChainAway ? ' while the chain is away' : ''}`, async () => {
      const asset = await createAssetAt(server, NOW, { a: 'b' });
      await recordAt(server, asset, { at: NOW, type: 'Other' });
      const recorded = server.ledger.records.at(-1) as EventRecord;
      server.ledger.isChainAway = isChainAway;
      const held = await createAPolicy(server, rich('a=b'));
      server.clock.atMs += 1;
      const since = await createAPolicy(server, aPolicy());
      const inspection: EventRecord = {
        ...recorded,
        identity: toEventIdentity(asset, randomUUID()),
        event_attributes: { arc_display_type: 'Inspection' },
      };
      writeBetween(
        async () => {
          await createAPolicy(server, rich('a=c'));
          await server.request('DELETE', `/svc/v1/${held.identity}`, { as: server.tenant.administrator });
        },
        async () => {
          await server.ledger.writer.append(server.tenant.identity, inspection);
        },
      );
      const first = await check(server, asset);
      const identities = first.compliance.map((each: Record<string, unknown>) => each.compliance_policy_identity);
      expect(identities).to.eql([since.identity, held.identity]);
      expect(first.compliance[0].reason).to.equal('No events found');
      const second = await check(server, asset);
      const reasons = second.compliance.map((each: Record<string, unknown>) => each.reason);
      expect(reasons).to.eql(['No assertion holds: a=c', '']);
    });
  }
});
