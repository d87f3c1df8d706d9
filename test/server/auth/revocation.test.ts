// An application loses a right while its own requests wait.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { type RequestOptions, startTestServer, type TestServer } from '../support/testServer.ts';

const PATH = '/svc/iam/v1/applications';
const BEGUN = 'http.server.request.start';
/** Turns of the event loop in which a request that has arrived, and whose caller was looked up, waits for its turn. */
const TURNS = 100;

describe('an application that loses its rights', () => {
  let server: TestServer;
  let requests: IncomingMessage[];
  const onBegun = (message: unknown): void => {
    requests.push((message as { request: IncomingMessage }).request);
  };
  beforeEach(async () => {
    requests = [];
    subscribe(BEGUN, onBegun);
    server = await startTestServer();
  });
  afterEach(async () => {
    unsubscribe(BEGUN, onBegun);
    await server.close();
  });

  const send = (method: string, path: string, options: RequestOptions = {}) =>
    server.request(method, path, { as: server.tenant.administrator, ...options });
  // Waits for this number of lookups and for all bodies, so that the last request waits for its turn.
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
      while (lookUps < count || !requests.every(({ complete }) => complete)) await setImmediate();
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
      expect(lookUps).to.equal(count);
    };
  };

  for (const [title, path, json] of [
    ['role', '', { roles: ['administrator'] }],
    ['secret', ':regenerate-secret', undefined],
  ] as const) {
    it(`cannot restore its ${title} when it was revoked while the request waited`, async () => {
      const { administrator } = server.tenant;
      const own = `${PATH}/${administrator.clientId}`;
      // The validator of this path is compiled at its first request.
      await send('POST', `${PATH}/${server.tenant.writer.clientId}:regenerate-secret`);
      const before = server.ledger.records.length;
      const { promise, resolve } = Promise.withResolvers<void>();
      server.ledger.beforeAppend = () => promise;
      const arrived = createArrivals();
      const root = { as: server.tenant.root };
      const first = send('PATCH', own, { json: { display_name: 'busy' } });
      // The caller on arrival and at its turn, the application to change, and the root principals.
      await arrived(4);
      const revoking =
        json === undefined
          ? send('POST', `${own}:regenerate-secret`, root)
          : send('PATCH', own, { json: { roles: [] }, ...root });
      await arrived(5);
      const undoing = json === undefined ? send('POST', `${own}${path}`) : send('PATCH', own, { json });
      await arrived(6);
      resolve();
      expect((await first).status).to.equal(200);
      const revoked = await revoking;
      expect(revoked.status).to.equal(200);
      expect((await undoing).status).to.be.oneOf([401, 403]);
      expect((await send('GET', own, root)).body.roles).to.eql(json === undefined ? ['administrator'] : []);
      expect(server.ledger.records.length).to.equal(before + 2);
    });
  }
});
