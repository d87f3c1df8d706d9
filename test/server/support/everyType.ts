// Requests that record something of every type.
import { expect } from 'chai';
import type { TokenSubject } from '../../../server/auth/tokens/tokenContent.ts';
import { postLines, toLines } from './lines.ts';
import { aRecord } from './requests.ts';
import { createTenantRecords } from './tenantRecords.ts';
import type { TestServer } from './testServer.ts';

/** Sends requests that create, change or delete records of every type, as a root principal. */
export const writeEveryType = async (server: TestServer): Promise<void> => {
  const { tenant } = server;
  const names = await createTenantRecords(server, tenant);
  const send = async (method: string, path: string, json?: unknown, as: TokenSubject = tenant.root): Promise<void> => {
    const { status } = await server.request(method, `/svc/${path}`, { as, ...(json === undefined ? {} : { json }) });
    expect([path, status]).to.eql([path, 200]);
  };
  const { root_principals: current } = (
    await server.request('GET', '/svc/v1/tenancies/root_principals', { as: tenant.root })
  ).body;
  await send('PATCH', 'v1/tenancies/root_principals', {
    root_principals: [...current, { ...current[0], subject: 'another', email: '' }],
  });
  await send('POST', `v2/assets/${names.asset}/events`, aRecord());
  await send('PATCH', `v2/locations/${names.location}`, { description: 'changed' });
  await send('PATCH', `iam/v1/subjects/${names.subject}`, { display_name: 'changed' });
  await send('PATCH', `iam/v1/applications/${names.application}`, { display_name: 'changed' });
  await send('PATCH', `iam/v1/access_policies/${names.accessPolicy}`, { description: 'changed' });
  await send('DELETE', `v1/compliance_policies/${names.policy}`);
  await send('DELETE', `v2/locations/${names.location}`);
  await send('DELETE', `iam/v1/subjects/${names.subject}`);
  await send('DELETE', `iam/v1/access_policies/${names.accessPolicy}`);
  await send('POST', `iam/v1/applications/${names.application}:regenerate-secret`);
  await send('DELETE', `iam/v1/applications/${names.application}`);
  const line = toLines([aRecord({ asset_identity: `assets/${names.asset}` })]);
  const [{ status }] = await postLines(server, line, { as: tenant.root });
  expect(status).to.equal(200);
};
