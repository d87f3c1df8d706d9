// An application whose right is taken away while its own requests wait.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { type RequestOptions, startTestServer, type TestServer } from '../support/testServer.ts';

const PATH = '/svc/iam/v1/applications';

describe('applications that are being revoked', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  const send = (method: string, path: string, options: RequestOptions = {}) =>
    server.request(method, path, { as: server.tenant.administrator, ...options });
  // Lets a request come to where it waits for its turn: until its sender was looked up, and some turns more for its
  // body.
  const createArrivals = () => {
    const { readApplication, readTenant } = server.deps.view;
    let lookUps = 0;
    Object.assign(server.deps.view, {
      readApplication: (id: string) => {
        lookUps += 1;
        return readApplication(id);
      },
      readTenant: (id: string) => {
        lookUps += 1;
        return readTenant(id);
      },
    });
    return async (count: number): Promise<void> => {
      while (lookUps < count) await setImmediate();
      for (let turn = 0; turn < 500; turn += 1) await setImmediate();
    };
  };

  for (const [title, path, json] of [
    ['a role', '', { roles: ['administrator'] }],
    ['a secret', ':regenerate-secret', undefined],
  ] as const) {
    it(`do not give themselves ${title} after it was taken from them while they waited`, async () => {
      const { administrator } = server.tenant;
      const own = `${PATH}/${administrator.clientId}`;
      const { promise, resolve } = Promise.withResolvers<void>();
      server.ledger.beforeAppend = () => promise;
      const arrived = createArrivals();
      const root = { as: server.tenant.root };
      const first = send('PATCH', own, { json: { display_name: 'busy' } });
      // When it came, when its turn came, and what it changes.
      await arrived(3);
      const revoking =
        json === undefined
          ? send('POST', `${own}:regenerate-secret`, root)
          : send('PATCH', own, { json: { roles: [] }, ...root });
      await arrived(4);
      const undoing = json === undefined ? send('POST', `${own}${path}`) : send('PATCH', own, { json });
      await arrived(5);
      resolve();
      expect((await first).status).to.equal(200);
      const revoked = await revoking;
      expect(revoked.status).to.equal(200);
      expect((await undoing).status).to.be.oneOf([401, 403]);
      expect((await send('GET', own, root)).body.roles).to.eql(json === undefined ? ['administrator'] : []);
      expect(server.ledger.records.length).to.equal(2);
    });
  }
});
