// Every list with every kind of malformed query: 400 with the name of the parameter, before anything is read.
import { expect } from 'chai';
import type { LedgerErrorCode } from '../../../ledger/errors.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { createALocation, createAnAsset, createAnEvent } from '../support/requests.ts';
import { useServer } from '../support/useServer.ts';

const NO_UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

type Case = [query: string, field: string, error?: LedgerErrorCode];

const PAGING: Case[] = [
  ...['0', '-1', '1001', '1000000000', '1.5', 'ten', '1e2', '0x10', '%2B5', '%205', '010', ''].map(
    (size): Case => [`page_size=${size}`, 'page_size'],
  ),
  ['page_size=1&page_size=2', 'page_size'],
  ['page_size[]=1', 'page_size[]'],
  ['page_token=a&page_token=b', 'page_token'],
  ['page_token=x', 'page_token', 'PAGE_TOKEN_INVALID'],
  [`page_token=${'A'.repeat(65_537)}`, 'page_token'],
  ['pagesize=1', 'pagesize'],
  ['Page_size=1', 'Page_size'],
  ['page_number=1', 'page_number'],
  ['__proto__=1', '__proto__'],
  ['constructor=1', 'constructor'],
  ['order_by=', 'order_by'],
  ['order_by=NEWEST', 'order_by'],
  ['order_by=default', 'order_by'],
  ['attribute_filters=x', 'attribute_filters'],
];

const ATTRIBUTES: Case[] = [
  ['attribute.a=b', 'attribute.a'],
  ['attributes=b', 'attributes'],
  ['attributes.=b', 'attributes.'],
  ['attributes.!=b', 'attributes.!'],
  ['attributes.a=', 'attributes.a'],
  ['attributes.a!=', 'attributes.a!'],
  ['attributes.a=b&attributes.a=c', 'attributes.a'],
  ['attributes.a=%ff', 'attributes.a'],
  ['attributes[a]=b', 'attributes[a]'],
  [`attributes.${'n'.repeat(1025)}=b`, `attributes.${'n'.repeat(1025)}`],
  [`attributes.a=${'v'.repeat(4097)}`, 'attributes.a'],
  ['attributes.temp>=8', 'attributes.temp>'],
  ['attributes.temp%3C=8', 'attributes.temp<'],
  ['attributes.temp>8', 'attributes.temp>8'],
  ['attributes.temp:8', 'attributes.temp:8'],
  ['attributes.a==b', 'attributes.a'],
  [`attributes.a=${'v'.repeat(4000)}&attributes.b=${'v'.repeat(4000)}`, 'attributes.b'],
  [Array.from({ length: 51 }, (_, at) => `attributes.n${at}=v`).join('&'), 'attributes.n50'],
];

const ASSETS: Case[] = [
  ['order_by=DISPLAY_NAME', 'order_by'],
  ['storage_integrity=ledger', 'storage_integrity'],
  ['owner=', 'owner'],
  ['tracked=tracked', 'tracked'],
  ['confirmation_status=DONE', 'confirmation_status'],
  ['proof_mechanism=NONE', 'proof_mechanism'],
  ['privacy=public', 'privacy'],
  ['public=yes', 'public'],
  ['public=TRUE', 'public'],
  ['behaviours=', 'behaviours'],
  [`owner=${'x'.repeat(256)}`, 'owner'],
  [`owner=0x${'0'.repeat(39)}`, 'owner'],
  ['chain_id=main', 'chain_id'],
  ['tenant_identity=acme', 'tenant_identity'],
  ['chain_id=', 'chain_id'],
  ['tenant_identity=', 'tenant_identity'],
  ['operation=Record', 'operation'],
  ['event_attributes.a=b', 'event_attributes.a'],
  ['asset_attributes.a=b', 'asset_attributes.a'],
  ['at_time=2026-11-20T10:15:30Z', 'at_time'],
];

const TIMES = ['accepted', 'committed', 'declared'].flatMap((time) => [
  `timestamp_${time}_since`,
  `timestamp_${time}_before`,
]);
const NO_TIMES = ['now', '2026-11-20', '2026-02-30T00:00:00Z', '2026-11-20T10:15:60Z', '2026-11-20T10:15:30', '1'];
const PRINCIPALS = ['principal_declared', 'principal_accepted'];

const EVENTS: Case[] = [
  ['from=bill', 'from'],
  [`transaction_id=0x${'0'.repeat(63)}`, 'transaction_id'],
  ['event_attributes.temp>=8', 'event_attributes.temp>'],
  ['asset.attributes.temp<=8', 'asset.attributes.temp<'],
  ...TIMES.flatMap((parameter) =>
    NO_TIMES.map((text): Case => [`${parameter}=${text}`, parameter, 'TIMESTAMP_INVALID']),
  ),
  ...TIMES.flatMap((parameter): Case[] => [
    [`${parameter}=`, parameter],
    // A plus that is not encoded is a space.
    [`${parameter}=2026-11-20T10:15:30+01:00`, parameter, 'TIMESTAMP_INVALID'],
    [`${parameter}=2026-11-20T10:15:30Z&${parameter}=2026-11-20T10:15:30Z`, parameter],
  ]),
  ...PRINCIPALS.flatMap((principal): Case[] => [
    [`${principal}=x`, principal],
    [`${principal}.name=x`, `${principal}.name`],
    [`${principal}.issuer=`, `${principal}.issuer`],
    [`${principal}.email=${'x'.repeat(1025)}`, `${principal}.email`],
  ]),
  ['timestamp_since=2026-11-20T10:15:30Z', 'timestamp_since'],
  ['confirmation_status=confirmed', 'confirmation_status'],
  ['proof_mechanism=khipu', 'proof_mechanism'],
  ['operation=', 'operation'],
  ['behaviours=RecordEvidence', 'behaviours'],
  ['tracked=ANY', 'tracked'],
  ['event_attributes.=b', 'event_attributes.'],
  ['asset_attributes.!=*', 'asset_attributes.!'],
  ['asset.attributes.=b', 'asset.attributes.'],
  ['asset.a=b', 'asset.a'],
  ['order_by=DISPLAY_NAME', 'order_by'],
];

const LOCATIONS: Case[] = [
  ['order_by=SIMPLEHASHV1', 'order_by'],
  ['display_name=', 'display_name'],
  [`display_name=${'x'.repeat(1025)}`, 'display_name'],
  ['latitude=51.5', 'latitude'],
  ['name=Depot', 'name'],
  ['event_attributes.a=b', 'event_attributes.a'],
];

describe('a malformed query', () => {
  const server = useServer();
  let publicUuid: string;
  before(async () => {
    publicUuid = await createAnAsset(server, { public: true });
    await createAnEvent(server, publicUuid);
    await createALocation(server);
  });

  const LISTS: [title: string, path: () => string, cases: Case[]][] = [
    ['of assets', () => '/svc/v2/assets', ASSETS],
    ['of events', () => '/archivist/v2/assets/-/events', EVENTS],
    ["of an asset's events", () => `/svc/v2/assets/${publicUuid}/events`, EVENTS],
    ['of public events', () => `/svc/v2/publicassets/${publicUuid}/events`, EVENTS],
    ['of locations', () => '/svc/v2/locations', LOCATIONS],
  ];
  for (const [title, path, cases] of LISTS) {
    for (const [query, field, error = 'REQUEST_INVALID'] of [...PAGING, ...ATTRIBUTES, ...cases]) {
      it(`${title} is refused: ?${query.slice(0, 60)}`, async () => {
        expectProblem(await server.request('GET', `${path()}?${query}`), 400, error, field);
        expect(server.unexpected).to.eql([]);
      });
    }
  }

  it('is refused even if the list is empty', async () => {
    const path = `/svc/v2/assets/${NO_UUID}/events`;
    expectProblem(await server.request('GET', `${path}?operaton=x`), 400, 'REQUEST_INVALID', 'operaton');
  });

  it('is refused by operations without parameters', async () => {
    for (const path of [`assets/${publicUuid}:publicurl`, `locations/${NO_UUID}`, `publicassets/${publicUuid}`]) {
      expectProblem(await server.request('GET', `/svc/v2/${path}?page_size=1`), 400, 'REQUEST_INVALID', 'page_size');
    }
  });

  for (const path of ['assets', 'publicassets']) {
    for (const text of NO_TIMES) {
      it(`of ${path} is refused: ?at_time=${text}`, async () => {
        const answer = await server.request('GET', `/svc/v2/${path}/${publicUuid}?at_time=${text}`);
        expectProblem(answer, 400, 'TIMESTAMP_INVALID', 'at_time');
      });
    }
    it(`of ${path} is refused without a time, and with two`, async () => {
      const url = `/svc/v2/${path}/${publicUuid}?at_time=`;
      expectProblem(await server.request('GET', url), 400, 'REQUEST_INVALID', 'at_time');
      const twice = `${url}2026-11-20T10:15:30Z&at_time=2026-11-20T10:15:30Z`;
      expectProblem(await server.request('GET', twice), 400, 'REQUEST_INVALID', 'at_time');
    });
  }
});
