import { randomBytes } from 'node:crypto';
import { rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { listFiles, upload, uploadBlob } from '../../support/uploads.ts';
import { useServer } from '../../support/useServer.ts';

const NO_BLOB = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';

describe('GET v1/blobs/{uuid}', () => {
  const server = useServer();
  let path: string;
  let etag: string;
  before(async () => {
    const { body } = await upload(server, '0123456789', 'text/html');
    path = `/svc/v1/${body.identity}`;
    etag = `"${body.hash.value}"`;
  });

  const get = (headers: Record<string, string> = {}, method = 'GET') => server.request(method, path, { headers });

  it('returns the bytes, with their type, length and hash, and headers that keep a browser from running them', async () => {
    const { status, headers, body } = await get();
    expect(status).to.equal(200);
    expect(body).to.equal('0123456789');
    expect(Object.fromEntries(headers)).to.include({
      'content-type': 'text/html',
      'content-length': '10',
      etag,
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
  });

  it('recognises the type of a text without a declared type, and keeps a browser from running it', async () => {
    const texts: [type: string, text: string][] = [
      ['text/plain', 'hello'],
      ['application/json', '{"a": [1]}'],
      ['text/csv', 'name,age\nBob,7\n'],
      ['text/html', '<!doctype html><script>alert(1)</script>'],
      ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
      ['application/json', `[${'"a",'.repeat(50_000)}1]`],
    ];
    for (const [type, text] of texts) {
      const uuid = await uploadBlob(server, text);
      const { headers } = await server.request('GET', `/svc/v1/blobs/${uuid}`);
      expect((await server.request('GET', `/svc/v1/blobs/${uuid}/info`)).body.mime_type).to.equal(type);
      expect(Object.fromEntries(headers)).to.include({
        'content-type': type,
        'content-disposition': 'attachment',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('returns a large file exactly', async () => {
    const bytes = randomBytes(900_000);
    const uuid = await uploadBlob(server, bytes);
    const { token } = await server.tokens.issue(server.tenant.reader);
    const answer = await fetch(`${server.url}/svc/v1/blobs/${uuid}`, { headers: { authorization: `Bearer ${token}` } });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
  });

  const ranges: [string, string, string][] = [
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
  ];
  for (const [range, bytes, contentRange] of ranges) {
    it(`returns the range ${range}`, async () => {
      const { status, headers, body } = await get({ range });
      expect([status, body]).to.eql([206, bytes]);
      expect(headers.get('content-range')).to.equal(contentRange);
      expect(headers.get('content-length')).to.equal(String(bytes.length));
      expect(headers.get('etag')).to.equal(etag);
    });
  }

  it('refuses a range beyond the file, and states the size of the file', async () => {
    const answer = await get({ range: 'bytes=10-' });
    expectProblem(answer, 416, 'RANGE_NOT_SATISFIABLE');
    expect(answer.headers.get('content-range')).to.equal('bytes */10');
    expect(answer.headers.has('etag')).to.equal(false);
    expect(answer.headers.has('content-disposition')).to.equal(false);
  });

  it('returns the complete file for several ranges, other units, and invalid ranges', async () => {
    for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=a-b']) {
      const { status, body } = await get({ range });
      expect([range, status, body]).to.eql([range, 200, '0123456789']);
    }
  });

  it('answers 304 to a client that has the file', async () => {
    for (const value of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const { status, headers, body } = await get({ 'if-none-match': value });
      expect([value, status, body, headers.get('etag')]).to.eql([value, 304, '', etag]);
    }
    expect((await get({ 'if-none-match': '"x"' })).status).to.equal(200);
  });

  it("returns a range only of the file that the client's condition names", async () => {
    expect((await get({ range: 'bytes=0-3', 'if-range': etag })).status).to.equal(206);
    const { status, body } = await get({ range: 'bytes=0-3', 'if-range': '"x"' });
    expect([status, body]).to.eql([200, '0123456789']);
    expect((await get({ 'if-match': etag })).status).to.equal(200);
    expectProblem(await get({ 'if-match': '"x"' }), 412, 'PRECONDITION_FAILED');
  });

  it('answers HEAD like GET, without the bytes', async () => {
    const { status, headers, body } = await get({}, 'HEAD');
    expect([status, body]).to.eql([200, '']);
    expect(headers.get('content-length')).to.equal('10');
    expect(headers.get('content-type')).to.equal('text/html');
  });

  it('returns files that are not scanned, unless the client is strict', async () => {
    for (const query of [
      'allow_insecure=true',
      'allow_insecure=False',
      'strict=false',
      'strict=False&allow_insecure=True',
    ]) {
      expect([query, (await server.request('GET', `${path}?${query}`)).status]).to.eql([query, 200]);
    }
    for (const query of ['strict=true', 'strict=True', 'allow_insecure=true&strict=true']) {
      expectProblem(await server.request('GET', `${path}?${query}`), 400, 'BLOB_NOT_SCANNED');
    }
  });

  it('refuses unknown parameters and invalid values', async () => {
    for (const [query, field] of [
      ['strict=1', 'strict'],
      ['strict=TRUE', 'strict'],
      ['allow_insecure=', 'allow_insecure'],
      ['Strict=true', 'Strict'],
    ] as const) {
      expectProblem(await server.request('GET', `${path}?${query}`), 400, 'REQUEST_INVALID', field);
    }
  });

  it("answers 404 alike for a missing blob and for another tenant's", async () => {
    const missing = await server.request('GET', `/svc/v1/blobs/${NO_BLOB}`);
    const foreign = await server.request('GET', path, { as: server.otherTenant.root });
    expectProblem(missing, 404, 'BLOB_NOT_FOUND');
    expect([foreign.status, foreign.body]).to.eql([404, missing.body]);
    expectProblem(await server.request('GET', path, { as: null }), 401, 'UNAUTHENTICATED');
  });

  it("never returns another tenant's content, whatever the tenant's records name", async () => {
    const { body: blob } = await upload(server, 'a secret of the first tenant');
    const { type: _type, ...named } = { ...(server.ledger.records.at(-1) as object), type: '' };
    const identity = `blobs/${NO_BLOB}/versions/${NO_BLOB}`;
    await server.ledger.writer.append(server.otherTenant.identity, { ...named, type: 'blob', identity } as never);
    const info = await server.request('GET', `/svc/v1/blobs/${NO_BLOB}/info`, { as: server.otherTenant.reader });
    expect(info.body.hash).to.eql(blob.hash);
    const answer = await server.request('GET', `/svc/v1/blobs/${NO_BLOB}`, { as: server.otherTenant.reader });
    expectProblem(answer, 500, 'BLOB_DAMAGED');
  });

  it('sends nothing of a file that is changed, cut or missing, and reports to the operator which one', async () => {
    const uuid = await uploadBlob(server, 'soon gone');
    const files = await listFiles(server.directory);
    const { body } = await server.request('GET', `/svc/v1/blobs/${uuid}/info`);
    const file = files.find((name) => name.endsWith(body.hash.value.slice(2)))!;
    const path = join(server.directory, file);
    const change = async (): Promise<void> => {
      const { atime, mtime } = await stat(path);
      await writeFile(path, 'soon Gone');
      await utimes(path, atime, mtime);
    };
    expect((await server.request('GET', `/svc/v1/blobs/${uuid}`)).body).to.equal('soon gone');
    const damages = [change, () => truncate(path, 3), () => rm(path)];
    for (const damage of damages) {
      await damage();
      const { length } = server.unexpected;
      for (const headers of [{}, { range: 'bytes=0-1' }])
        expectProblem(await server.request('GET', `/svc/v1/blobs/${uuid}`, { headers }), 500, 'BLOB_DAMAGED');
      expect(server.unexpected).to.have.length(length + 2);
      expect((server.unexpected.at(-1) as Error).message).to.include(file);
    }
    await upload(server, 'soon gone');
    expect((await server.request('GET', `/svc/v1/blobs/${uuid}`)).body).to.equal('soon gone');
  });
});
