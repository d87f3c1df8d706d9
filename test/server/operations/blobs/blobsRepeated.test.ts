// Uploads with an Idempotency-Key, and the slots that uploads take.
import { expect } from 'chai';
import { createUploadSlots, type Occupant } from '../../../../server/blobs/uploadSlots.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { listFiles, upload } from '../../support/uploads.ts';

const KEY = { headers: { 'idempotency-key': 'photo-1' } };

describe('POST v1/blobs with an Idempotency-Key', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('gives the first answer again to the same file, and keeps it once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => upload(server, 'hello', 'text/plain', KEY)));
    for (const { status, body } of answers) expect({ status, body }).to.eql({ status: 200, body: answers[0]!.body });
    const { body } = await server.request('GET', `/svc/v1/blobs?hash=${answers[0]!.body.hash.value}`);
    expect(body.blobs).to.have.length(1);
    expect((await listFiles(server.directory)).length).to.equal(1);
  });

  it('is 409 with another file or another type', async () => {
    for (const answer of [
      await upload(server, 'other', 'text/plain', KEY),
      await upload(server, 'hello', 'a/b', KEY),
    ]) {
      expectProblem(answer, 409, 'IDEMPOTENCY_CONFLICT');
    }
    expect((await listFiles(server.directory)).length).to.equal(1);
  });

  it('means nothing to another caller', async () => {
    const { body } = await upload(server, 'hello', 'text/plain', { ...KEY, as: server.tenant.root });
    const first = await upload(server, 'hello', 'text/plain', KEY);
    expect(body.identity).not.to.equal(first.body.identity);
  });
});

describe('GET v1/blobs?hash=', () => {
  it('shows ten blobs on a page at most', async () => {
    const server = await startTestServer();
    for (let number = 0; number < 11; number += 1) await upload(server, 'again');
    const { hash } = (await upload(server, 'again')).body;
    const path = `/svc/v1/blobs?hash=${hash.value}`;
    expectProblem(await server.request('GET', `${path}&page_size=11`), 400, 'REQUEST_INVALID', 'page_size');
    const { status, body, headers } = await server.request('GET', path);
    expect([status, body.blobs.length, headers.get('content-range')]).to.eql([206, 10, 'items 0-10/12']);
    const rest = await server.request('GET', `/svc/v1/blobs?page_token=${body.next_page_token}`);
    expect([rest.status, rest.body.blobs.length, rest.body.next_page_token]).to.eql([200, 2, '']);
    await server.close();
  });
});

describe('upload slots', () => {
  const IDLE = { readSlowPace: () => undefined, end: () => undefined };
  const take = () => {
    const slots = createUploadSlots({ max: 3, tenantMax: 2 });
    const ends: (() => void)[] = [];
    const occupy = (tenantIdentity: string, how: Partial<Occupant> = {}) => {
      const task = slots.occupy(
        { ...IDLE, ...how, tenantIdentity },
        () => new Promise<void>((resolve) => ends.push(resolve)),
      );
      return task.catch(({ code }: { code: string }) => code);
    };
    return { occupy, ends };
  };

  it('are so many for one tenant, and so many in all', async () => {
    const { occupy, ends } = take();
    const first = [occupy('a'), occupy('a')];
    expect(await occupy('a')).to.equal('UPLOADS_BUSY');
    const other = occupy('b');
    expect(await occupy('c')).to.equal('UPLOADS_BUSY');
    for (const end of ends) end();
    expect(await Promise.all([...first, other])).to.eql([undefined, undefined, undefined]);
    const again = [occupy('a'), occupy('a'), occupy('c')];
    for (const end of ends) end();
    expect(await Promise.all(again)).to.eql([undefined, undefined, undefined]);
  });

  it('are taken from the slowest when none is free, first of the tenant, then of all', async () => {
    const { occupy, ends } = take();
    const ended: string[] = [];
    const slow = (name: string, pace: number) => ({ readSlowPace: () => pace, end: () => ended.push(name) });
    const all = [occupy('a', slow('a slow', 20)), occupy('a', slow('a slower', 10)), occupy('b', slow('b slowest', 1))];
    all.push(occupy('a'));
    expect(ended).to.eql(['a slower']);
    all.push(occupy('c'));
    expect(ended).to.eql(['a slower', 'b slowest']);
    all.push(occupy('c'));
    expect(ended).to.eql(['a slower', 'b slowest', 'a slow']);
    expect(await occupy('b')).to.equal('UPLOADS_BUSY');
    for (const end of ends) end();
    await Promise.all(all);
    const again = [occupy('a'), occupy('a'), occupy('b')];
    for (const end of ends) end();
    expect(await Promise.all(again)).to.eql([undefined, undefined, undefined]);
  });
});
