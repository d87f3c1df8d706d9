import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { LIMITS } from '../support/testServer.ts';
import {
  BOUNDARY,
  beginUpload,
  END,
  FILE_DISPOSITION,
  listFiles,
  MULTIPART_TYPE,
  readAnswer,
  sendBody,
  toBody,
  toPart,
  upload,
} from '../support/uploads.ts';
import { useNewServer } from '../support/useServer.ts';

const FIELD = 'Content-Disposition: form-data; name=';
const file = toPart([FILE_DISPOSITION], 'hello');
const cut = (body: Buffer, bytes: number): Buffer => body.subarray(0, body.length - bytes);

describe('a malformed or hostile upload', () => {
  const server = useNewServer();

  const expectNothing = async (): Promise<void> => {
    expect(await listFiles(server.directory)).to.eql([]);
    expect(server.ledger.records.filter(({ type }) => type === 'blob')).to.eql([]);
    expect(server.unexpected).to.eql([]);
  };

  const refused: [string, Buffer, string][] = [
    ['without any part', END, 'file'],
    ['with a part of another name', Buffer.concat([toPart([`${FIELD}"image"; filename="x"`], 'hello'), END]), 'image'],
    ['with a second part of another name', Buffer.concat([file, toPart([`${FIELD}"note"`], 'x'), END]), 'note'],
    ['with a field before the file', Buffer.concat([toPart([`${FIELD}"né"`], 'x'), file, END]), 'né'],
    ['with a second file', Buffer.concat([file, file, END]), 'file'],
    ['with a field in the place of the file', Buffer.concat([toPart([`${FIELD}"file"`], 'hello'), END]), 'file'],
    ['with a part without a name', Buffer.concat([toPart(['Content-Disposition: form-data'], 'x'), END]), 'body'],
    ['with a part without headers', Buffer.concat([toPart([], 'x'), END]), 'body'],
    [
      'with a part of another disposition',
      Buffer.concat([toPart(['Content-Disposition: attachment; name="file"; filename="x"'], 'x'), END]),
      'body',
    ],
    [
      'with an encoded file',
      Buffer.concat([toPart([FILE_DISPOSITION, 'Content-Transfer-Encoding: base64'], 'aGk='), END]),
      'file',
    ],
    [
      'with headers that have no end',
      Buffer.from(`--${BOUNDARY}\r\n${FILE_DISPOSITION}\r\n--${BOUNDARY}--\r\n`),
      'body',
    ],
    [
      'with a second part whose headers have no end',
      Buffer.concat([file, Buffer.from(`--${BOUNDARY}\r\nContent-Dispos\r\n`), END]),
      'body',
    ],
    ['with a file that its own boundary cuts', toBody(`bb\r\n--${BOUNDARY}YZ\r\nfoo`), 'body'],
    ['cut in the last boundary', cut(toBody('hello'), 4), 'body'],
    ['cut in the content', cut(toBody('hello'), END.length + 4), 'body'],
    ['cut in a content of many chunks', cut(toBody('x'.repeat(LIMITS.blobBytesMax - 10)), END.length + 4), 'body'],
    ['cut in the headers', Buffer.from(`--${BOUNDARY}\r\nContent-Disp`), 'body'],
    ['without bytes', Buffer.alloc(0), 'body'],
    ['that is no multipart', Buffer.from('{"file": "hello"}'), 'body'],
    ['with line feeds alone', Buffer.from(toBody('hello').toString().replaceAll('\r\n', '\n')), 'body'],
  ];
  for (const [title, body, field] of refused) {
    it(`is refused ${title}`, async () => {
      expectProblem(await sendBody(server, body), 400, 'REQUEST_INVALID', field);
      await expectNothing();
    });
  }

  it('is refused wherever it is cut before the end of its last boundary', async () => {
    const whole = toBody('hello');
    // The line break after the last boundary isn't needed.
    const end = whole.length - '\r\n'.length;
    for (let length = end - 1; length > 0; length -= 1)
      expectProblem(await sendBody(server, whole.subarray(0, length)), 400, 'REQUEST_INVALID');
    const separated = Buffer.concat([whole.subarray(0, end - '--'.length), Buffer.from('\r\n')]);
    expectProblem(await sendBody(server, separated), 400, 'REQUEST_INVALID', 'body');
    await expectNothing();
    expect((await sendBody(server, whole.subarray(0, end))).status).to.equal(200);
  });

  it('is refused when too many bytes are not part of the file', async () => {
    const preamble = Buffer.alloc(LIMITS.blobBytesMax + 100_000);
    expectProblem(await sendBody(server, Buffer.concat([preamble, toBody('hello')])), 413, 'REQUEST_TOO_LARGE', 'body');
    const headers = [FILE_DISPOSITION, `X-Long: ${'x'.repeat(LIMITS.blobBytesMax + 100_000)}`];
    const answer = await sendBody(server, Buffer.concat([toPart(headers, 'hello'), END]));
    expectProblem(answer, 413, 'REQUEST_TOO_LARGE');
    const epilogue = Buffer.alloc(3 * LIMITS.blobBytesMax);
    expectProblem(await sendBody(server, Buffer.concat([toBody('hello'), epilogue])), 413, 'REQUEST_TOO_LARGE', 'body');
    await expectNothing();
  });

  it('is accepted with a preamble and an epilogue', async () => {
    const body = Buffer.concat([Buffer.from('preamble\r\n'), toBody('hello'), Buffer.from('epilogue')]);
    expect((await sendBody(server, body)).body.size).to.equal(5);
  });

  it('is accepted with any bytes', async () => {
    const like = [`\r\n--${BOUNDARY.slice(0, -1)}`, `x--${BOUNDARY}--`, `\r\n-${BOUNDARY}`, '\r\n\r\n', '\r', '\0'];
    for (const content of like) {
      const { body } = await upload(server, content);
      const answer = await server.request('GET', `/svc/v1/${body.identity}`);
      expect(answer.body).to.equal(content);
    }
  });

  const types: [string, string, number, string][] = [
    ['JSON', 'application/json', 415, ''],
    ['another kind of multipart', `multipart/mixed; boundary=${BOUNDARY}`, 415, ''],
    ['no boundary', 'multipart/form-data', 400, 'content-type'],
    ['an empty boundary', 'multipart/form-data; boundary=', 400, 'content-type'],
    ['a boundary that is too long', `multipart/form-data; boundary=${'x'.repeat(71)}`, 400, 'content-type'],
  ];
  for (const [title, type, status, field] of types) {
    it(`is refused as ${title}`, async () => {
      const answer = await sendBody(server, toBody('hello'), { headers: { 'content-type': type } });
      expect(answer.status).to.equal(status);
      if (field !== '') expectProblem(answer, 400, 'REQUEST_INVALID', field);
      await expectNothing();
    });
  }

  it('is accepted with a quoted boundary and other parameters', async () => {
    const headers = { 'content-type': `Multipart/Form-Data; charset=utf-8; Boundary="${BOUNDARY}"; x=y` };
    expect((await sendBody(server, toBody('hello'), { headers })).status).to.equal(200);
  });

  it('is refused with a content encoding', async () => {
    const answer = await sendBody(server, toBody('hello'), { headers: { 'content-encoding': 'gzip' } });
    expectProblem(answer, 415, 'MEDIA_TYPE_UNSUPPORTED', 'content-encoding');
    expect(answer.headers.get('accept-encoding')).to.equal('identity');
  });

  it('leaves no file when the client disconnects in the middle', async () => {
    const body = toBody(new Uint8Array(500_000));
    const socket = await beginUpload(server, body.length, body.subarray(0, 300_000));
    await until(async () => (await listFiles(server.directory)).length === 1);
    socket.destroy();
    await until(async () => (await listFiles(server.directory)).length === 0);
    await expectNothing();
  });

  it('leaves no file when the client disconnects between the last boundary and the end of the body', async () => {
    const body = toBody('hello');
    const socket = await beginUpload(server, body.length + 10, body);
    await until(async () => (await listFiles(server.directory)).length === 1);
    socket.destroy();
    await until(async () => (await listFiles(server.directory)).length === 0);
    await expectNothing();
  });

  it('is refused unread when it is far too large, and the connection is closed', async () => {
    const answer = await readAnswer(await beginUpload(server, 10 ** 12, toBody('hello')));
    expect(answer).to.match(/^HTTP\/1.1 413 /);
    expect(answer.toLowerCase()).to.include('connection: close');
    await expectNothing();
  });

  it('is refused so that a client that is still sending can read why, and the connection stays open', async () => {
    const body = Buffer.concat([toPart([`${FIELD}"image"; filename="x"`], new Uint8Array(900_000)), END]);
    const socket = await beginUpload(server, body.length, body);
    socket.write('GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    const answer = await readAnswer(socket);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).to.eql(['HTTP/1.1 400', 'HTTP/1.1 404']);
  });

  it('has its connection closed when it sends endlessly after its refusal', async () => {
    const { hostname, port } = new URL(server.url);
    const { token } = await server.tokens.issue(server.tenant.writer);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /svc/v1/blobs HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: ${MULTIPART_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000), Buffer.from('\r\n')]);
    const ended = readAnswer(socket);
    const first = toPart([`${FIELD}"image"; filename="x"`], '');
    socket.write(Buffer.concat([Buffer.from(`${first.length.toString(16)}\r\n`), first, Buffer.from('\r\n')]));
    while (!socket.destroyed) await new Promise((resolve) => socket.write(chunk, resolve));
    expect(await ended.catch(() => 'HTTP/1.1 400 ')).to.match(/^HTTP\/1.1 400 /);
    await expectNothing();
  });

  it('is refused while too many uploads are in progress, and accepted afterwards', async () => {
    const body = toBody(new Uint8Array(1_000));
    const sockets: Socket[] = [];
    for (let index = 0; index < 64; index += 1)
      sockets.push(await beginUpload(server, body.length, body.subarray(0, 500)));
    await until(async () => (await listFiles(server.directory)).length === 64);
    const answer = await upload(server, 'one too many');
    expectProblem(answer, 503, 'UPLOADS_BUSY');
    expect(answer.headers.get('retry-after')).to.equal('1');
    for (const socket of sockets) socket.destroy();
    await until(async () => (await listFiles(server.directory)).length === 0);
    expect((await upload(server, 'in its turn')).status).to.equal(200);
  });
});
