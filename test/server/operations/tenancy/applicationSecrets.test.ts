// Secrets of applications: shown once, stored as a hash, invalid once they are replaced, and in no log or error.
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { ApplicationRecord } from '../../../../ledger/records/application.ts';
import type { LedgerRecord } from '../../../../ledger/records/record.ts';
import { createAnApplication, requestToken } from '../../support/applications.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashOf = (record: LedgerRecord | undefined): string => (record as ApplicationRecord).secret_sha256;

describe('secrets of applications', () => {
  let server: TestServer;
  let printed: string[];
  const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
  const originals = methods.map((method) => console[method]);
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  beforeEach(async () => {
    server = await startTestServer();
    printed = [];
    for (const method of methods) console[method] = (...args: unknown[]) => void printed.push(inspect(args));
    for (const { stream, write } of streams) {
      stream.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
        printed.push(chunk.toString());
        return write.call(stream, chunk, ...rest);
      }) as typeof stream.write;
    }
  });
  afterEach(async () => {
    for (const [at, method] of methods.entries()) console[method] = originals[at]!;
    for (const { stream, write } of streams) stream.write = write;
    await server.close();
  });

  const pathOf = (clientId: string) => `/svc/iam/v1/applications/${clientId}`;
  const regenerate = (clientId: string) =>
    server.request('POST', `${pathOf(clientId)}:regenerate-secret`, { as: server.tenant.administrator });
  const statusOf = async (clientId: string, secret: string) => (await requestToken(server, clientId, secret)).status;

  // A secret is known by its hash: no word of a text may have it.
  const expectNoSecret = (text: string, hashes: readonly string[]): void => {
    const leaked = (text.match(/[\w-]{43}/g) ?? []).filter((word) => hashes.includes(sha256(word)));
    expect(leaked).to.eql([]);
  };

  it('get tokens, and are on the ledger as a hash alone', async () => {
    const { client_id: clientId, credentials } = await createAnApplication(server, { roles: ['reader'] });
    const { secret } = credentials[0];
    const { status, body } = await requestToken(server, clientId, secret);
    expect(status).to.equal(200);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await server.request('GET', '/svc/v2/assets', { as: null, headers })).status).to.equal(200);
    expectProblem(await requestToken(server, clientId, `${secret}x`), 401, 'CLIENT_REFUSED');
    expect(hashOf(server.ledger.records.at(-1))).to.equal(sha256(secret));
    expect(JSON.stringify(server.ledger.records)).not.to.include(secret);
  });

  it('are invalid once they are replaced or the application is deleted, even while that waits for the chain', async () => {
    for (const isChainAway of [false, true]) {
      server.ledger.isChainAway = isChainAway;
      const { client_id: clientId, credentials } = await createAnApplication(server, { roles: ['reader'] });
      server.clock.atMs += 1000;
      const { status, headers, body } = await regenerate(clientId);
      expect([status, headers.get('cache-control')]).to.eql([200, 'no-store']);
      const [{ secret, valid_from: validFrom }] = body.credentials;
      expect(validFrom).to.equal(new Date(server.clock.atMs).toISOString());
      expect(secret)
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(credentials[0].secret);
      expect(await statusOf(clientId, credentials[0].secret)).to.equal(401);
      expect(await statusOf(clientId, secret)).to.equal(200);
      await server.request('PATCH', pathOf(clientId), { as: server.tenant.administrator, json: { display_name: 'x' } });
      expect(await statusOf(clientId, secret)).to.equal(200);
      await server.request('DELETE', pathOf(clientId), { as: server.tenant.administrator });
      expect(await statusOf(clientId, secret)).to.equal(401);
    }
  });

  it('are each of another application', async () => {
    const secrets = new Set<string>();
    for (let made = 0; made < 5; made += 1) secrets.add((await createAnApplication(server)).credentials[0].secret);
    expect(secrets.size).to.equal(5);
  });

  it('are valid only if they are the last of several concurrent replacements', async () => {
    const { client_id: clientId } = await createAnApplication(server);
    const answers = await Promise.all(Array.from({ length: 5 }, () => regenerate(clientId)));
    const newest = hashOf(server.ledger.records.at(-1));
    for (const { body } of answers) {
      const { secret } = body.credentials[0];
      expect(await statusOf(clientId, secret)).to.equal(sha256(secret) === newest ? 200 : 401);
    }
  });

  it('are in no error, no report and no line, whatever goes wrong', async () => {
    const { client_id: clientId, credentials } = await createAnApplication(server);
    const hashes = [hashOf(server.ledger.records.at(-1))];
    server.ledger.beforeAppend = async (record) => {
      hashes.push(hashOf(record));
      throw new Error('the disk is on fire');
    };
    const as = server.tenant.administrator;
    const answers = [
      await server.request('POST', '/svc/iam/v1/applications', { as, json: { display_name: 'x' } }),
      await regenerate(clientId),
      await server.request('GET', pathOf(clientId), { as }),
      await server.request('GET', '/svc/iam/v1/applications', { as }),
      await requestToken(server, clientId, `${credentials[0].secret} `),
      await requestToken(server, clientId.replaceAll(/./g, 'x'), credentials[0].secret),
    ];
    expect(answers.map(({ status }) => status)).to.eql([500, 500, 200, 206, 401, 401]);
    expect([hashes.length, server.unexpected.length]).to.eql([3, 2]);
    const said = answers.map(({ body, headers }) => JSON.stringify([body, ...headers]));
    expectNoSecret([...said, ...printed, inspect(server.unexpected, { depth: 20 })].join('\n'), hashes);
    // The check would find one.
    expect(() => expectNoSecret(`secret=${credentials[0].secret}&`, hashes)).to.throw();
  });
});
