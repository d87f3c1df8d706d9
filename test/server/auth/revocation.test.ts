// An application loses a right while its own requests wait.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { type RequestOptions, startTestServer, type TestServer } from '../support/testServer.ts';

const PATH = '/svc/iam/v1/applications';
const BODY_MS = 100;

describe('an application that loses its rights', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  const send = (method: string, path: string, options: RequestOptions = {}) =>
    server.request(method, path, { as: server.tenant.administrator, ...options });
  // Waits for this number of lookups, and then some time for the body, so that the request waits for its turn.
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
      await setTimeout(BODY_MS);
    };
  };

  for (const [title, path, json] of [
    ['role', '', { roles: ['administrator'] }],
    ['secret', ':regenerate-secret', undefined],
  ] as const) {
    it(`cannot restore its ${title} when it was revoked while the request waited`, async () => {
      const { administrator } = server.tenant;
      const own = `${PATH}/${administrator.clientId}`;
      const { promise, resolve } = Promise.withResolvers<void>();
      server.ledger.beforeAppend = () => promise;
      const arrived = createArrivals();
      const root = { as: server.tenant.root };
      const first = send('PATCH', own, { json: { display_name: 'busy' } });
      // Three lookups: of the caller on arrival and at its turn, and of the application to change.
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
