// Filters on texts within attributes that are lists or maps (decisions 20 and 40): the same rule in lists, policies and
// access policies.
import { expect } from 'chai';
import {
  anAccessPolicy,
  aPolicy,
  createAnAccessPolicy,
  createAnAsset,
  createAnEvent,
  createAPolicy,
} from '../support/requests.ts';
import { introduce, permit } from '../support/sharing.ts';
import { useServer } from '../support/useServer.ts';

const PALLET = { parts: [{ serial: 'A1', note: '' }, { serial: 'A2' }], size: { unit: 'm' } };
const CASES: readonly (readonly [query: string, found: string])[] = [
  ['parts.serial=A1', 'pallet'],
  ['parts.serial=A2', 'pallet'],
  ['parts.serial=A', ''],
  ['parts.serial=D9', 'dotted'],
  ['parts.serial=*', 'dotted pallet'],
  ['parts.note=*', ''],
  ['parts.serial!=A1', 'plain dotted'],
  ['parts.serial!=*', 'plain'],
  ['size.unit=m', 'pallet'],
  ['parts=A1', 'plain'],
  ['parts.serial=A1&size.unit=m', 'pallet'],
  ['parts.serial=A1&size.unit=ft', ''],
];

describe('texts within lists', () => {
  const server = useServer();
  const names = new Map<string, string>();
  let pallet: string;

  before(async () => {
    pallet = await createAnAsset(server, { attributes: PALLET });
    names.set(pallet, 'pallet');
    names.set(await createAnAsset(server, { attributes: { 'parts.serial': 'D9' } }), 'dotted');
    names.set(await createAnAsset(server, { attributes: { parts: 'A1' } }), 'plain');
  });

  const list = async (path: string, as = server.tenant.reader) => {
    const { body, headers } = await server.request('GET', `/svc/v2/${path}`, {
      as,
      headers: { 'x-request-total-count': 'true' },
    });
    const found: { identity: string }[] = body.assets ?? body.events;
    expect(headers.get('x-total-count')).to.equal(String(found.length));
    return found.map(({ identity }) => names.get(identity.split('/')[1]!)).join(' ');
  };
  const toQuery = (query: string, map: string): string =>
    query
      .split('&')
      .map((part) => `${map}.${part}`)
      .join('&');

  it('are found in lists of assets and of events, and counted, also while they wait for the chain', async () => {
    for (const isChainAway of [false, true]) {
      server.ledger.isChainAway = isChainAway;
      for (const [query, found] of CASES) {
        expect(await list(`assets?${toQuery(query, 'attributes')}`), query).to.equal(found);
        for (const map of ['asset_attributes', 'asset.attributes'])
          expect(await list(`assets/-/events?${toQuery(query, map)}`), `${map} ${query}`).to.equal(found);
      }
      if (!isChainAway) continue;
      const waiting = await createAnAsset(server, { attributes: { parts: [{ serial: 'W1' }] } });
      names.set(waiting, 'waiting');
      expect(await list('assets?attributes.parts.serial=W1')).to.equal('waiting');
    }
    server.ledger.isChainAway = false;
  });

  it('are found in what an event says', async () => {
    const epcList = ['1', '2', '3'].map((epc) => ({ epc: `urn:epc:${epc}` }));
    const event_attributes = { arc_display_type: 'ObjectEvent', epcList };
    const json = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes };
    await createAnEvent(server, pallet, json);
    for (const [epc, found] of [
      ['urn:epc:2', 'pallet'],
      ['urn:epc:4', ''],
    ] as const)
      expect(await list(`assets/${pallet}/events?event_attributes.epcList.epc=${epc}`)).to.equal(found);
  });

  it('select the assets of policies and access policies by the same rule', async () => {
    for (const [query, found] of CASES.filter(([each]) => !each.includes('&'))) {
      const filter = [{ or: [`attributes.${query}`] }];
      const policy = await createAPolicy(server, aPolicy({ asset_filter: filter }));
      const { identity } = await createAnAccessPolicy(server, anAccessPolicy({ filters: filter }));
      const about = await Promise.all(
        [...names.keys()].map(async (uuid) => {
          const { body } = await server.request('GET', `/svc/v1/compliance/assets/${uuid}`);
          return body.compliance.some(
            (each: Record<string, string>) => each.compliance_policy_identity === policy.identity,
          )
            ? uuid
            : undefined;
        }),
      );
      const { body } = await server.request('GET', `/svc/iam/v1/${identity}/assets`, {
        as: server.tenant.administrator,
      });
      const matched = body.assets.map((asset: { identity: string }) => names.get(asset.identity.split('/')[1]!));
      const without = (all: (string | undefined)[]) => all.filter((name) => name !== undefined && name !== 'waiting');
      expect(without(matched).join(' '), query).to.equal(found);
      expect(
        without(about.map((uuid) => names.get(uuid ?? '')))
          .toReversed()
          .join(' '),
        query,
      ).to.equal(found);
      await server.request('DELETE', `/svc/v1/${policy.identity}`, { as: server.tenant.administrator });
    }
  });

  it('are named by the syntax of a policy, so that earlier ones keep their meaning', async () => {
    const policy = await createAPolicy(server, aPolicy({ asset_filter: [{ or: ['parts.serial=A1'] }] }));
    expect(policy).to.include({ condition_syntax: 'paths' });
    const { condition_syntax: _, ...record } = server.ledger.records.at(-1)! as unknown as Record<string, unknown>;
    const [stream, other] = [policy.identity, 'compliance_policies/00000000-0000-4000-8000-000000000077'];
    const identity = String(record.identity).replace(stream, other);
    await server.ledger.mine({ tenantIdentity: server.tenant.identity, record: { ...record, identity } as never });
    const { body } = await server.request('GET', `/svc/v1/compliance/assets/${pallet}`);
    const named = body.compliance.map((each: Record<string, string>) => each.compliance_policy_identity);
    expect(named).to.include(stream).and.not.include(other);
  });

  it('stay unknown to a reader who may not read the attribute, whatever else a path could name', async () => {
    const subject = await introduce(server, server.tenant, server.otherTenant);
    const as = server.otherTenant.reader;
    const paths = ['assets?attributes.parts.serial', 'assets/-/events?asset_attributes.parts.serial'];
    const granted: [string[], string, string][] = [
      [['parts'], 'A1', 'pallet'],
      [['parts'], 'D9', ''],
      [['parts.serial'], 'D9', 'dotted'],
      [['parts.serial'], 'A1', ''],
      [['size'], 'A1', ''],
      [['*'], 'A1', 'pallet'],
    ];
    for (const [asset_attributes_read, value, found] of granted) {
      const permission = { subjects: [subject], asset_attributes_read, event_arc_display_type_read: ['*'] };
      const revoke = await permit(server, server.tenant, permission);
      for (const path of paths) expect(await list(`${path}=${value}`, as), `${path}=${value}`).to.equal(found);
      await revoke();
    }
  });
});
