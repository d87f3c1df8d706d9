// `Idempotency-Key` where a secret is created: its answer is repeated for as long as the secret is worth something.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createDeriveClientSecret } from '../../../../server/auth/clientSecret.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import type { RequestOptions } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const HOUR_MS = 3_600_000;

describe('Idempotency-Key of requests that create a secret', () => {
  const server = useNewServer();
  const send = (path: string, key: string | undefined, options: RequestOptions = {}) =>
    server.request('POST', `/svc/iam/v1/${path}`, {
      as: server.tenant.administrator,
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
      ...options,
    });
  const create = (key?: string, json: object = { display_name: 'Gate' }) => send('applications', key, { json });
  const signIn = async ({ client_id, client_secret }: { client_id: string; client_secret: string }) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await server.request('POST', '/svc/iam/v1/appidp/token', { as: null, body, headers })).status;
  };
  const holdAppends = () => {
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    };
  };

  /** The two operations, each with the answers to one key. */
  const OPERATIONS = [
    { name: 'creates an application', open: async () => (key: string) => create(key) },
    {
      name: 'replaces a secret',
      open: async () => {
        const { identity } = (await create()).body;
        return (key: string) => send(`${identity}:regenerate-secret`, key);
      },
    },
  ];

  for (const { name, open } of OPERATIONS) {
    it(`${name} once, and repeats the answer with its secret`, async () => {
      const request = await open();
      const count = server.ledger.records.length;
      holdAppends();
      const [first, second] = await Promise.all([request('k'), request('k')]);
      expect([first.status, second.status]).to.eql([200, 200]);
      expect(second.body).to.eql(first.body);
      expect(second.headers.get('etag')).to.equal(first.headers.get('etag'));
      expect(second.headers.get('cache-control')).to.equal('no-store');
      expect(server.ledger.records).to.have.length(count + 1);
      expect(first.body.credentials[0].secret).to.match(/^[A-Za-z0-9_-]{43}$/);
      const other = await request('other');
      expect([other.status, JSON.stringify(other.body) === JSON.stringify(first.body)]).to.eql([200, false]);
    });

    it(`${name}, and shows its secret no more after an hour`, async () => {
      const request = await open();
      const first = await request('k');
      server.clock.atMs += HOUR_MS - 1;
      expect((await request('k')).body).to.eql(first.body);
      server.clock.atMs += 1;
      const count = server.ledger.records.length;
      expectProblem(await request('k'), 409, 'IDEMPOTENCY_SECRET_GONE');
      expect(server.ledger.records).to.have.length(count);
    });

    it(`${name}, and shows no secret that was replaced, or whose application was deleted`, async () => {
      const request = await open();
      const { identity } = (await request('k')).body;
      await send(`${identity}:regenerate-secret`, undefined);
      expectProblem(await request('k'), 409, 'IDEMPOTENCY_SECRET_GONE');
      await server.request('DELETE', `/svc/iam/v1/${identity}`, { as: server.tenant.administrator });
      const answer = await request('k');
      expect([404, 409]).to.include(answer.status);
      expect(answer.body.details[0].error).to.be.oneOf(['IDEMPOTENCY_SECRET_GONE', 'APPLICATION_NOT_FOUND']);
    });

    it(`${name}, and another server without the same secret says that it doesn't know it`, async () => {
      const request = await open();
      await request('k');
      Object.assign(server.deps, { deriveClientSecret: createDeriveClientSecret(Buffer.alloc(32, 9)) });
      expectProblem(await request('k'), 409, 'IDEMPOTENCY_SECRET_GONE');
    });
  }

  it('of another request is refused', async () => {
    await create('k');
    expectProblem(await create('k', { display_name: 'Door' }), 409, 'IDEMPOTENCY_CONFLICT');
  });

  it('is one of the caller: another one creates another application', async () => {
    const one = await create('k');
    const other = await send('applications', 'k', { as: server.tenant.root, json: { display_name: 'Gate' } });
    expect([other.status, other.body.client_id === one.body.client_id]).to.eql([200, false]);
  });

  it('creates a secret that works, which a repeated If-Match does not replace', async () => {
    const created = await create('a');
    expect(await signIn({ ...created.body, client_secret: created.body.credentials[0].secret })).to.equal(200);
    const headers = { 'Idempotency-Key': 'b', 'If-Match': created.headers.get('etag')! };
    const path = `${created.body.identity}:regenerate-secret`;
    const [first, again] = [await send(path, undefined, { headers }), await send(path, undefined, { headers })];
    expect([first.status, again.status]).to.eql([200, 200]);
    expect(again.body).to.eql(first.body);
    expect(await signIn({ ...first.body, client_secret: first.body.credentials[0].secret })).to.equal(200);
  });
});
