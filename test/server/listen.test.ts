import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { LedgerErrorCode } from '../../ledger/errors.ts';
import { createApp } from '../../server/app.ts';
import { CLIENT_TIMEOUTS } from '../../server/limits.ts';
import { listen } from '../../server/listen.ts';
import { skipWithout } from '../support/missing.ts';
import { WAIT_MS } from '../support/until.ts';
import { expectProblem } from './support/expectProblem.ts';
import { type ServerAnswer, startTestServer, type TestServer } from './support/testServer.ts';

const sendRaw = (url: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  return text(socket);
};

const parseAnswer = (raw: string): ServerAnswer & { statusLine: string } => {
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line): [string, string] => [line.split(': ')[0]!, line.split(': ')[1]!]));
  return { statusLine, status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) };
};

const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const CONNECTIONS = 1_500;
// Ends when all connections are established.
const CONNECT = `
  const { connect } = require('node:net');
  let open = 0;
  for (let at = 0; at < ${CONNECTIONS}; at += 1) {
    connect(Number(process.argv[1]), '127.0.0.1', () => (open += 1) === ${CONNECTIONS} && process.exit(0));
  }
`;

describe('listen', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close().catch(() => {}));

  it('answers the accepted requests before it closes, and accepts none afterwards', async () => {
    let closed: Promise<void> | undefined;
    server.ledger.beforeAppend = async () => {
      closed = server.close();
    };
    const { status } = await server.request('POST', '/svc/v2/assets', { json: {} });
    expect(status).to.equal(200);
    await closed;
    const error = await server.request('GET', '/openapi.json').catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(Error);
  });

  it('aborts requests that still run at the end of the grace period', async () => {
    let closed: Promise<void> | undefined;
    server.ledger.beforeAppend = () => {
      closed = server.close();
      return new Promise(() => {});
    };
    const error = await server.request('POST', '/svc/v2/assets', { json: {} }).catch((cut: unknown) => cut);
    expect(error).to.be.instanceOf(Error);
    await closed;
  });

  it('lets 1,500 connections open at once while it is busy', function () {
    if (!existsSync(SOMAXCONN) || Number(readFileSync(SOMAXCONN, 'utf8')) < CONNECTIONS)
      skipWithout(this, `a net.core.somaxconn of ${CONNECTIONS} or more`);
    // It blocks this thread, which accepts none meanwhile.
    execFileSync(process.execPath, ['-e', CONNECT, new URL(server.url).port], { timeout: WAIT_MS });
  });

  it('rejects when the port is taken', async () => {
    const options = { host: '127.0.0.1', port: Number(new URL(server.url).port), graceMs: 0 };
    const error = await listen(createApp(server.deps), options).catch((refusal: unknown) => refusal);
    expect(error).to.have.property('code', 'EADDRINUSE');
  });

  const get = (more: string): string => `GET / HTTP/1.1\r\nhost: x\r\n${more}`;
  const post = (more: string): string => `POST /svc/iam/v1/appidp/token HTTP/1.1\r\nhost: x\r\n${more}`;
  const chunked = 'transfer-encoding: chunked\r\n';
  const form = `content-type: application/x-www-form-urlencoded\r\n${chunked}\r\n`;
  const refusals: [string, string, string, LedgerErrorCode][] = [
    ['bytes that are not HTTP', 'hello\r\n\r\n', '400 Bad Request', 'REQUEST_MALFORMED'],
    ['a header name without an end', get('a b\r\n\r\n'), '400 Bad Request', 'REQUEST_MALFORMED'],
    ['two body lengths', post(`content-length: 1\r\n${chunked}\r\n`), '400 Bad Request', 'REQUEST_MALFORMED'],
    ['an unknown version', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n', '400 Bad Request', 'REQUEST_MALFORMED'],
    ['a chunk without a size', post(`${form}zz\r\n`), '400 Bad Request', 'REQUEST_MALFORMED'],
    [
      'headers over the limit',
      get(`a: ${'x'.repeat(100_000)}\r\n\r\n`),
      '431 Request Header Fields Too Large',
      'HEADERS_TOO_LARGE',
    ],
    [
      'chunk extensions over the limit',
      post(`${form}1;${'x'.repeat(20_000)}\r\na\r\n`),
      '413 Payload Too Large',
      'REQUEST_TOO_LARGE',
    ],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', '404 Not Found', 'ROUTE_NOT_FOUND'],
    ['an expectation', get('expect: x\r\nconnection: close\r\n\r\n'), '404 Not Found', 'ROUTE_NOT_FOUND'],
    ['an upgrade', get('upgrade: x\r\nconnection: upgrade, close\r\n\r\n'), '404 Not Found', 'ROUTE_NOT_FOUND'],
  ];
  for (const [title, bytes, status, error] of refusals) {
    it(`answers ${title} with a problem and its code`, async () => {
      const answer = parseAnswer(await sendRaw(server.url, bytes));
      expect(answer.statusLine).to.equal(`HTTP/1.1 ${status}`);
      expectProblem(answer, answer.status, error);
    });
  }

  const afterAsset = async (bytes: string): Promise<string> => {
    const { token } = await server.tokens.issue(server.tenant.writer);
    const json = '{"attributes":{"a":"pipelined"}}';
    const head = ['POST /svc/v2/assets HTTP/1.1', 'host: x', `authorization: Bearer ${token}`];
    const body = ['content-type: application/json', `content-length: ${json.length}`, '', json];
    return sendRaw(server.url, `${[...head, ...body].join('\r\n')}${bytes}`);
  };
  const PIPELINED: [string, string, number[]][] = [
    ['bytes that are not HTTP', 'GARBAGE\r\n\r\n', [200, 400]],
    ['a request and bytes that are not HTTP', `${get('\r\n')}GARBAGE\r\n\r\n`, [200, 404, 400]],
    ['a request with an invalid body', post(`${form}zz\r\n`), [200, 400]],
    ['a request that closes the connection', `${get('connection: close\r\n\r\n')}GARBAGE\r\n\r\n`, [200, 404]],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', [200, 404]],
  ];
  for (const [title, bytes, statuses] of PIPELINED) {
    it(`answers a request that is followed by ${title} before it closes the connection`, async () => {
      const raw = await afterAsset(bytes);
      const answers = raw.split(/(?=HTTP\/1\.1 \d{3} )/);
      expect(answers.map((answer) => Number(answer.split(' ')[1]))).to.eql(statuses);
      const [created] = answers.map(parseAnswer);
      expect(created!.body.attributes).to.eql({ a: 'pipelined' });
      expect(parseAnswer(answers.at(-1)!).headers.get('connection')).to.equal('close');
      expect(server.ledger.records).to.have.length(1);
    });
  }

  it('closes the connection, and adds nothing to a response, when the body becomes invalid after the response began', async () => {
    const beginning = (_request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('begin');
    };
    const { url, close } = await listen(beginning, { host: '127.0.0.1', port: 0, graceMs: 0 });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(post(`${chunked}\r\n1\r\na\r\n`)));
    socket.once('data', () => socket.write('zz\r\n'));
    const answer = await text(socket).catch(({ code }) => code);
    expect(answer).to.match(/begin$|^ECONNRESET$/);
    await close();
  });

  it('answers endless headers with a problem and its code', async () => {
    const timeouts = { ...CLIENT_TIMEOUTS, headersMs: 100, sweepMs: 20 };
    const { url, close } = await listen(createApp(server.deps), { host: '127.0.0.1', port: 0, graceMs: 0, timeouts });
    expectProblem(parseAnswer(await sendRaw(url, get('a: b\r\n'))), 408, 'REQUEST_TIMEOUT');
    await close();
  });

  it('refuses a far too large body without reading it, and closes the connection', async () => {
    const { token } = await server.tokens.issue(server.tenant.writer);
    const head = `POST /svc/v2/assets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n`;
    const answer = await sendRaw(
      server.url,
      `${head}content-type: application/json\r\ncontent-length: 999999999\r\n\r\n{`,
    );
    expect(answer).to.match(/^HTTP\/1.1 413 /);
    expect(answer.toLowerCase()).to.include('connection: close');
  });
});
