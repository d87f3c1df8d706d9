import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { listFiles, upload } from '../../support/uploads.ts';
import { useServer } from '../../support/useServer.ts';

const KEY = { headers: { 'idempotency-key': 'photo-1' } };

describe('POST v1/blobs with an Idempotency-Key', () => {
  const server = useServer();

  it('repeats the first answer for the same file, and stores it once', async () => {
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

  it("is independent of another caller's key", async () => {
    const { body } = await upload(server, 'hello', 'text/plain', { ...KEY, as: server.tenant.root });
    const first = await upload(server, 'hello', 'text/plain', KEY);
    expect(body.identity).not.to.equal(first.body.identity);
  });
});
