// One asset, the events that policies evaluate, and the server's verdict at a time.
import { expect } from 'chai';
import { aRecord, createAnAsset, createAnEvent } from './requests.ts';
import type { RequestOptions, TestServer } from './testServer.ts';

export const PATH = '/svc/v1/compliance/assets';

/** Sets the clock of the server. */
export const setClock = (server: TestServer, at: string): void => {
  server.clock.atMs = Date.parse(at);
};

/** Creates an asset with these attributes at a time. */
export const createAssetAt = (server: TestServer, at: string, attributes: object = {}): Promise<string> => {
  setClock(server, at);
  return createAnAsset(server, { attributes });
};

/** Records an event of a type at a time, and returns its identity. */
export const recordAt = async (
  server: TestServer,
  assetUuid: string,
  {
    at,
    type,
    correlation,
    asset_attributes = {},
  }: { at: string; type: string; correlation?: string; asset_attributes?: object },
): Promise<string> => {
  setClock(server, at);
  const correlated = correlation === undefined ? {} : { arc_correlation_id: correlation };
  const event_attributes = { arc_display_type: type, ...correlated };
  const { identity } = await createAnEvent(server, assetUuid, aRecord({ event_attributes, asset_attributes }));
  return identity;
};

/** The answer to a check that must succeed, with its status. */
export const check = async (server: TestServer, assetUuid: string, query = '', options: RequestOptions = {}) => {
  const answer = await server.request('GET', `${PATH}/${assetUuid}?${query}`, options);
  expect([query, [200, 206].includes(answer.status), answer.body]).to.eql([query, true, answer.body]);
  return { ...answer.body, status: answer.status, headers: answer.headers };
};

/** Whether the asset complies at a time, and each reason for non-compliance. */
export const evaluateAt = async (
  server: TestServer,
  assetUuid: string,
  at: string,
): Promise<[boolean, ...string[]]> => {
  const { compliant, compliance } = await check(server, assetUuid, `compliant_at=${at}`);
  const reasons = compliance.map(({ reason }: { reason: string }) => reason).filter((reason: string) => reason !== '');
  return [compliant, ...reasons];
};
