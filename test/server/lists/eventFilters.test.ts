import { expect } from 'chai';
import { itFinds } from '../support/filterCases.ts';
import { createAnAsset, createAnEvent } from '../support/requests.ts';
import { useServer } from '../support/useServer.ts';

const START_MS = Date.parse('2026-11-20T10:00:00.000Z');
const record = (changes: object) => ({ behaviour: 'RecordEvidence', operation: 'Record', ...changes });

describe('filters on events', () => {
  const server = useServer();
  let assetUuid: string;
  const nameOf = new Map<string, string>();
  const transactionOf = new Map<string, string>();

  before(async () => {
    server.clock.atMs = START_MS;
    assetUuid = await createAnAsset(server, { attributes: { type: 'Door' }, proof_mechanism: 'MERKLE_LOG' });
    const otherUuid = await createAnAsset(server, { attributes: { type: 'Gate' } });
    const events: [string, string, object][] = [
      [
        'seen',
        assetUuid,
        record({
          event_attributes: { arc_display_type: 'Inspection', note: 'dry' },
          timestamp_declared: '2026-01-02T03:04:05.678Z',
          principal_declared: { issuer: 'idp', subject: 'bob', display_name: 'Bob', email: 'bob@example.com' },
        }),
      ],
      [
        'oiled',
        assetUuid,
        record({ event_attributes: { note: 'oil' }, asset_attributes: { oiled: 'yes', list: [{ a: 'b' }] } }),
      ],
      ['stopped', otherUuid, { behaviour: 'Builtin', operation: 'StopTracking' }],
    ];
    for (const [name, uuid, json] of events) {
      server.clock.atMs += 1000;
      const event = await createAnEvent(server, uuid, json);
      nameOf.set(event.identity, name);
      transactionOf.set(name, event.transaction_id);
    }
  });

  const list = async (query: string, asset = '-'): Promise<string> => {
    const path = `/svc/v2/assets/${asset}/events?page_size=10&${query}`;
    const { status, body, headers } = await server.request('GET', path);
    expect([query, status]).to.eql([query, 200]);
    expect(headers.get('x-total-count')).to.equal(String(body.events.length));
    return body.events.map(({ identity }: { identity: string }) => nameOf.get(identity) ?? 'made').join(' ');
  };

  itFinds(list, [
    ['', 'stopped oiled seen made made'],
    ['order_by=DEFAULT', 'stopped oiled seen made made'],
    ['operation=Record', 'oiled seen'],
    ['behaviour=Builtin', 'stopped'],
    ['behaviour=RecordEvidence&operation=StopTracking', ''],
    ['attributes.note=oil', 'oiled'],
    ['event_attributes.note=oil', 'oiled'],
    ['attributes.note=*', 'oiled seen'],
    ['attributes.note!=*', 'stopped made made'],
    ['event_attributes.note!=oil', 'stopped seen made made'],
    ['attributes.arc_display_type=Inspection', 'seen'],
    ['asset_attributes.oiled=yes', 'oiled'],
    ['asset_attributes.list=*', 'oiled'],
    ['asset_attributes.type=*', 'made made'],
    ['asset_attributes.type!=Door', 'stopped oiled seen made'],
    ['asset.attributes.type=Door', 'oiled seen made'],
    ['asset.attributes.oiled=yes', 'oiled seen made'],
    ['asset.attributes.oiled!=*', 'stopped made'],
    ['asset.attributes.type=Door&attributes.note=dry', 'seen'],
    ['from=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'stopped oiled seen made made'],
    ['from=0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'stopped oiled seen made made'],
    ['from=0x0000000000000000000000000000000000000000', ''],
    ['confirmation_status=CONFIRMED', 'stopped oiled seen made made'],
    ['confirmation_status=UNEQUIVOCAL', ''],
    ['proof_mechanism=MERKLE_LOG', 'oiled seen made'],
    ['principal_declared.issuer=idp', 'seen'],
    ['principal_declared.subject=bob', 'seen'],
    ['principal_declared.display_name=Bob', 'seen'],
    ['principal_declared.email=bob%40example.com', 'seen'],
    ['principal_declared.email=bob@example.com', 'seen'],
    ['principal_accepted.issuer=idp', ''],
    ['principal_accepted.issuer=http://ledger.test', 'stopped oiled seen made made'],
    ['timestamp_declared_before=2026-01-02T03:04:05.679Z', 'seen'],
    ['timestamp_declared_before=2026-01-02T03:04:05.678Z', ''],
    ['timestamp_declared_before=2026-01-02T03:04:05.678001Z', 'seen'],
    ['timestamp_declared_before=2026-01-02T03:04:05.678000Z', ''],
    ['timestamp_declared_since=2026-01-02T03:04:05.677Z&timestamp_declared_before=2026-02-01T00:00:00Z', 'seen'],
    ['timestamp_declared_since=2026-01-02T03:04:05.678Z', 'stopped oiled made made'],
    ['timestamp_accepted_since=2026-11-20T10:00:01Z', 'stopped oiled'],
    ['timestamp_accepted_since=2026-11-20T11:00:00.999%2B01:00', 'stopped oiled seen'],
    ['timestamp_accepted_before=2026-11-20T10:00:00Z', ''],
    ['timestamp_accepted_before=2026-11-20T10:00:01Z', 'made made'],
    ['timestamp_accepted_since=2026-11-20T10:00:01Z&timestamp_accepted_before=2026-11-20T10:00:03Z', 'oiled'],
    ['timestamp_accepted_since=2026-11-20T10:00:03Z&timestamp_accepted_before=2026-11-20T10:00:01Z', ''],
    ['timestamp_committed_before=2020-01-01T00:00:00Z', ''],
    ['timestamp_committed_since=2020-01-01T00:00:00Z', 'stopped oiled seen made made'],
    ['order_by=SIMPLEHASHV1&timestamp_accepted_since=2026-11-20T10:00:00Z', 'seen oiled stopped'],
    ['order_by=SIMPLEHASHV2&operation=Record', 'seen oiled'],
  ]);

  it('hold within one asset', async () => {
    expect(await list('', assetUuid)).to.equal('oiled seen made');
    expect(await list('operation=StopTracking', assetUuid)).to.equal('');
    expect(await list('order_by=SIMPLEHASHV1', assetUuid)).to.equal('made seen oiled');
  });

  it('find the transaction and the accepted principal', async () => {
    const hash = transactionOf.get('seen')!;
    for (const form of [hash, hash.slice(2), `0X${hash.slice(2).toUpperCase()}`])
      expect(await list(`transaction_id=${form}`)).to.equal('seen');
    expect(await list(`transaction_id=0x${'0'.repeat(64)}`)).to.equal('');
    const { subject, name } = server.tenant.writer;
    const principal = `principal_accepted.subject=${subject}&principal_accepted.display_name=${encodeURIComponent(name)}`;
    expect(await list(`${principal}&operation=Record`)).to.equal('oiled seen');
    expect(await list(`principal_accepted.subject=${server.tenant.root.subject}`)).to.equal('');
  });

  it('page through every order, each event once', async () => {
    for (const order of ['DEFAULT', 'SIMPLEHASHV1']) {
      const path = '/svc/v2/assets/-/events';
      const single = await server.request('GET', `${path}?page_size=10&order_by=${order}&attributes.absent!=x`);
      const seen: string[] = [];
      let query = `page_size=2&order_by=${order}&attributes.absent!=x`;
      while (query !== '') {
        const { body, headers } = await server.request('GET', `${path}?${query}`);
        expect(headers.get('x-total-count')).to.equal('5');
        seen.push(...body.events.map(({ identity }: { identity: string }) => identity));
        query = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
      }
      expect(seen).to.eql(single.body.events.map(({ identity }: { identity: string }) => identity));
    }
  });
});
