// Requests that many tests send first.
import { expect } from 'chai';
import { WALLET_KEY } from '../../support/records.ts';
import type { RequestOptions, TestServer } from './testServer.ts';

/** A request body of a typical event. */
export const aRecord = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  behaviour: 'RecordEvidence',
  operation: 'Record',
  ...changes,
});

/** Creates an asset and returns its UUID. */
export const createAnAsset = async (
  server: TestServer,
  json: unknown = {},
  options: RequestOptions = {},
): Promise<string> => {
  const { status, body } = await server.request('POST', '/svc/v2/assets', { json, ...options });
  expect(status).to.equal(200);
  return body.identity.slice('assets/'.length);
};

/** Creates a location and returns it. */
export const createALocation = async (server: TestServer, changes: object = {}, options: RequestOptions = {}) => {
  const json = { display_name: 'Depot', latitude: 51.5, longitude: -0.1276, ...changes };
  const { status, body } = await server.request('POST', '/svc/v2/locations', { json, ...options });
  expect(status).to.equal(200);
  return body;
};

/** Records an event and returns it. */
export const createAnEvent = async (server: TestServer, assetUuid: string, json: unknown = aRecord()) => {
  const { status, body } = await server.request('POST', `/svc/v2/assets/${assetUuid}/events`, { json });
  expect(status).to.equal(200);
  return body;
};

/** A policy for every asset: an inspection within the last ten seconds. */
export const aPolicy = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  compliance_type: 'COMPLIANCE_SINCE',
  event_display_type: 'Inspection',
  time_period_seconds: '10',
  ...changes,
});

/** Creates a compliance policy and returns it. */
export const createAPolicy = async (server: TestServer, json: unknown = aPolicy(), options: RequestOptions = {}) => {
  const as = server.tenant.administrator;
  const { status, body } = await server.request('POST', '/svc/v1/compliance_policies', { as, json, ...options });
  expect(status).to.equal(200);
  return body;
};

/** An access policy for every asset, with one permission for nobody. */
export const anAccessPolicy = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  display_name: 'open',
  filters: [],
  access_permissions: [{ asset_attributes_read: ['*'] }],
  ...changes,
});

const createShared = async (server: TestServer, collection: string, options: RequestOptions) => {
  const as = server.tenant.administrator;
  const { status, body } = await server.request('POST', `/svc/iam/v1/${collection}`, { as, ...options });
  expect(status).to.equal(200);
  return body;
};

/** Creates an access policy and returns it. */
export const createAnAccessPolicy = (
  server: TestServer,
  json: unknown = anAccessPolicy(),
  options: RequestOptions = {},
) => createShared(server, 'access_policies', { json, ...options });

/** A subject without a tenant. */
export const aSubject = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  display_name: 'harbour office',
  wallet_pub_key: [WALLET_KEY],
  tessera_pub_key: ['efdg9J0QhSB2g4IxKcaXgJmNKbzpxs03FFYIiYYuekk='],
  ...changes,
});

/** Creates a subject and returns it. */
export const createASubject = (server: TestServer, json: unknown = aSubject(), options: RequestOptions = {}) =>
  createShared(server, 'subjects', { json, ...options });

/**
 * Reads all pages of a list without a count, by page tokens alone after the first page. Returns the display names in
 * order, joined by spaces. `member` is the response's member with the items of the page.
 */
export const readNamesByPage = async (server: TestServer, list: string, member: string): Promise<string> => {
  const [path, firstQuery = ''] = list.split('?');
  const names: string[] = [];
  for (let query = firstQuery; query !== ''; ) {
    const { body, headers } = await server.request('GET', `${path}?${query}`);
    expect(headers.has('x-total-count')).to.equal(false);
    names.push(...body[member].map((item: { display_name: string }) => item.display_name));
    query = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
  }
  return names.join(' ');
};
