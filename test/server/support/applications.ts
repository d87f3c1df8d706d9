// Creates applications and requests their tokens, as a client does.
import { expect } from 'chai';
import type { RequestOptions, TestServer } from './testServer.ts';

/** Creates an application and returns it, with its secret. */
export const createAnApplication = async (server: TestServer, changes: object = {}, options: RequestOptions = {}) => {
  const json = { display_name: 'Gate', ...changes };
  const as = server.tenant.administrator;
  const { status, body } = await server.request('POST', '/svc/iam/v1/applications', { as, json, ...options });
  expect(status).to.equal(200);
  return body;
};

/** Requests a token with a client id and a secret. */
export const requestToken = (server: TestServer, clientId: string, secret: string) => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  return server.request('POST', '/svc/iam/v1/appidp/token', { as: null, body, headers });
};
