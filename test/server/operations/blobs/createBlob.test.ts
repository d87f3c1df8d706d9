import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LedgerError } from '../../../../ledger/errors.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { LIMITS } from '../../support/testServer.ts';
import { listFiles, toBody, upload, uploadBlob } from '../../support/uploads.ts';
import { useNewServer } from '../../support/useServer.ts';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

describe('POST v1/blobs', () => {
  const server = useNewServer();

  it('answers with the complete blob, and has its record on the ledger', async () => {
    const { status, body } = await upload(server, 'hello', 'text/plain; charset=utf-8');
    expect(status).to.equal(200);
    expect(body).to.eql({
      identity: body.identity,
      hash: { alg: 'SHA256', value: sha256('hello') },
      mime_type: 'text/plain; charset=utf-8',
      size: 5,
      timestamp_accepted: '2026-11-20T10:15:30.123Z',
      issuer: 'http://ledger.test',
      subject: server.tenant.writer.subject,
      tenantid: server.tenant.identity,
      scanned_status: 'NOT_SCANNED',
      scanned_timestamp: '',
      scanned_bad_reason: '',
    });
    const record = server.ledger.records.at(-1)!;
    expect(record).to.include({ type: 'blob', sha256: sha256('hello'), size: 5 });
    expect(record.identity.startsWith(`${body.identity}/versions/`)).to.equal(true);
  });

  it('stores only the bytes, under their hash, readable by their owner alone', async () => {
    await upload(server, 'hello');
    const hash = sha256('hello');
    const path = join('content', server.tenant.identity.slice('tenant/'.length), hash.slice(0, 2), hash.slice(2));
    expect(await listFiles(server.directory)).to.eql([path]);
    expect((await stat(join(server.directory, path))).mode & 0o777).to.equal(0o600);
    for (const folder of ['incoming', 'content', join(path, '..'), join(path, '..', '..')]) {
      expect((await stat(join(server.directory, folder))).mode & 0o777).to.equal(0o700);
    }
  });

  it('accepts an upload by FormData', async () => {
    const form = new FormData();
    form.append('file', new File(['hello'], 'ä "quoted"; name="x".txt', { type: 'text/plain' }));
    const { status, body } = await server.request('POST', '/archivist/v1/blobs', { body: form });
    expect(status).to.equal(200);
    expect(body).to.include({ mime_type: 'text/plain', size: 5 });
  });

  it('accepts a file of exactly the limit, and refuses one byte more', async () => {
    const largest = new Uint8Array(LIMITS.blobBytesMax);
    expect((await upload(server, largest)).body.size).to.equal(LIMITS.blobBytesMax);
    const files = await listFiles(server.directory);
    expectProblem(await upload(server, new Uint8Array(LIMITS.blobBytesMax + 1)), 413, 'REQUEST_TOO_LARGE', 'file');
    expect(await listFiles(server.directory)).to.eql(files);
  });

  it('refuses an empty file', async () => {
    expectProblem(await upload(server, ''), 400, 'BLOB_EMPTY', 'file');
    expect(await listFiles(server.directory)).to.eql([]);
  });

  it('creates two blobs of the same file, with one content', async () => {
    const one = await uploadBlob(server, 'hello');
    const other = await uploadBlob(server, 'hello');
    expect(one).to.not.equal(other);
    expect(await listFiles(server.directory)).to.have.length(1);
  });

  it('accepts many files at once, some of them equal', async () => {
    const contents = Array.from({ length: 60 }, (_, index) => `file ${index % 20}`);
    const answers = await Promise.all(contents.map((content) => upload(server, content)));
    expect(answers.map(({ body }) => body.hash?.value)).to.eql(contents.map(sha256));
    expect(new Set(answers.map(({ body }) => body.identity)).size).to.equal(60);
    expect(await listFiles(server.directory)).to.have.length(20);
  });

  it('requires the right to write', async () => {
    expectProblem(await upload(server, 'hello', undefined, { as: server.tenant.reader }), 403, 'FORBIDDEN');
    expectProblem(await upload(server, 'hello', undefined, { as: null }), 401, 'UNAUTHENTICATED');
  });

  it('leaves no file whose record is refused', async () => {
    for (const code of ['OUTBOX_FULL', 'STOPPING', 'RECORD_TOO_LARGE'] as const) {
      server.ledger.beforeAppend = () => Promise.reject(new LedgerError(code));
      const { body } = await upload(server, 'hello');
      expect(body.details[0].error).to.equal(code);
      expect(await listFiles(server.directory)).to.eql([]);
    }
  });

  it('keeps a content that another record names, when a later record is refused', async () => {
    const uuid = await uploadBlob(server, 'hello');
    server.ledger.beforeAppend = () => Promise.reject(new LedgerError('OUTBOX_FULL'));
    expectProblem(await upload(server, 'hello'), 503, 'OUTBOX_FULL');
    expect((await server.request('GET', `/svc/v1/blobs/${uuid}`)).body).to.equal('hello');
  });

  it('keeps a content whose first record is refused while a second one is accepted', async () => {
    let appends = 0;
    let refuse: () => void = () => undefined;
    server.ledger.beforeAppend = async () => {
      appends += 1;
      if (appends === 1)
        await new Promise<void>((_resolve, reject) => {
          refuse = () => reject(new LedgerError('OUTBOX_FULL'));
        });
      else refuse();
    };
    const [one, other] = await Promise.all([upload(server, 'hello'), upload(server, 'hello')]);
    expect([one.status, other.status].sort()).to.eql([200, 503]);
    const { body } = one.status === 200 ? one : other;
    expect((await server.request('GET', `/svc/v1/${body.identity}`)).body).to.equal('hello');
  });

  it('answers at once while the chain is unavailable', async () => {
    server.ledger.isChainAway = true;
    const uuid = await uploadBlob(server, 'hello');
    expect((await server.request('GET', `/svc/v1/blobs/${uuid}`)).body).to.equal('hello');
  });

  it('refuses a query parameter unread', async () => {
    const answer = await server.request('POST', '/svc/v1/blobs?name=x', {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: new Uint8Array(toBody('hello')),
    });
    expectProblem(answer, 400, 'REQUEST_INVALID', 'name');
  });

  it('reports a disk that fails, and answers 500', async () => {
    server.deps.blobs.stage = () => Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    expect((await upload(server, 'hello')).status).to.equal(500);
    expect(server.unexpected).to.have.length(1);
  });
});
