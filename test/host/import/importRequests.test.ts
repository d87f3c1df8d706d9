import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createImportRequests } from '../../../host/import/importRequests.ts';

type Answer = (response: ServerResponse, lines: readonly string[]) => void;
type Result = readonly [line: number, status: number];

const LINES = [11, 12, 13, 14].map((line) => ({ line, text: `{"n":${line}}` }));
const ALL: readonly Result[] = LINES.map(({ line }) => [line, 200]);
const asProblem = (status: number, field?: string, error?: string) => ({
  status,
  error: { message: 'x', details: [{ error, field }] },
});
const asLines = (...results: object[]): string => results.map((result) => `${JSON.stringify(result)}\n`).join('');

const answerAll: Answer = (response, lines) => response.end(asLines(...lines.map(() => ({ status: 200 }))));
const answerOne =
  (...ending: object[]): Answer =>
  (response) =>
    response.end(asLines({ status: 200 }, ...ending));
const refuse =
  (status: number): Answer =>
  (response) => {
    response.statusCode = status;
    response.end(JSON.stringify({ message: 'x' }));
  };
const cut: Answer = (response) => response.socket!.destroy();
const answerOneAndCut: Answer = (response) =>
  response.write(`${asLines({ status: 200 })}{"sta`, () => response.socket!.destroy());

describe('the requests of an import', () => {
  let server: Server;
  let answers: Answer[];
  let received: { path: string; lines: string[]; authorization: string | undefined }[];
  let pauses: number;
  let tokens: number;
  before(async () => {
    server = createServer(async (request: IncomingMessage, response) => {
      const lines = (await text(request)).split('\n').filter((line) => line !== '');
      received.push({ path: request.url!, lines, authorization: request.headers.authorization });
      (answers.shift() ?? answerAll)(response, lines);
    });
    // After a stall, the server would close idle connections that the client is about to use.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    answers = [];
    received = [];
    pauses = 0;
    tokens = 0;
  });

  const create = (linesMax = 4) =>
    createImportRequests(
      {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        readToken: async () => {
          tokens += 1;
          return `token ${tokens}`;
        },
        pause: async () => {
          pauses += 1;
        },
      },
      linesMax,
    );
  const record = async (...given: Answer[]): Promise<Result[]> => {
    answers = given;
    const results: Result[] = [];
    await create().recordEvents(LINES, (line, { status }) => results.push([line, status]));
    return results;
  };
  const countsOf = (): number[] => received.map(({ lines }) => lines.length);

  it('have a bounded number of lines', async () => {
    await create(3).recordEvents(LINES, () => {});
    expect(countsOf()).to.eql([3, 1]);
  });

  it('continue at the first line without an answer when the server ends one', async () => {
    for (const status of [401, 403, 408, 429, 503]) {
      received = [];
      expect(await record(answerOne(asProblem(status))), String(status)).to.eql(ALL);
      expect(
        received.map(({ lines }) => lines[0]),
        String(status),
      ).to.eql(['{"n":11}', '{"n":12}']);
    }
  });

  it('continue when the connection or the answer ends early', async () => {
    expect(await record(answerOneAndCut, cut, answerOne(), answerAll)).to.eql(ALL);
    expect(countsOf()).to.eql([4, 3, 3, 2]);
  });

  it('have as many lines as the server accepts', async () => {
    const tooLarge = answerOne(asProblem(413, 'body', 'REQUEST_TOO_LARGE'));
    expect(await record(tooLarge)).to.eql(ALL);
    expect(countsOf()).to.eql([4, 1, 1, 1]);
  });

  it('report the refusal of a line, also of one that is too large', async () => {
    const refusals = [
      asProblem(413, 'line', 'REQUEST_TOO_LARGE'),
      asProblem(400, 'line', 'REQUEST_INVALID'),
      asProblem(413, 'body', 'RECORD_TOO_LARGE'),
      asProblem(404, 'asset_identity', 'ASSET_NOT_FOUND'),
    ];
    expect(await record((response) => response.end(asLines(...refusals)))).to.eql([
      [11, 413],
      [12, 400],
      [13, 413],
      [14, 404],
    ]);
  });

  it('end after eight in a row that answered no line', async () => {
    const error = await record(answerOne(), ...Array.from({ length: 8 }, () => refuse(503))).catch((reason) => reason);
    expect(error.message).to.match(/^the server answers 503: .*run the import again/);
    expect([received.length, pauses]).to.eql([9, 7]);
  });

  it('end after eight in a row whose answer ends before its first line', async () => {
    const empty: Answer = (response) => response.end();
    const error = await record(...Array.from({ length: 8 }, () => empty)).catch((reason) => reason);
    expect(error.message).to.match(/^the server ended its answer/);
    expect(received.length).to.equal(8);
  });

  it('pause only where time may help', async () => {
    await record(refuse(403), refuse(401), refuse(429), cut);
    expect(pauses).to.equal(2);
  });

  it('share a token, until the server refuses it', async () => {
    answers = [
      (response) => response.end('{"identity":"a"}'),
      refuse(401),
      (response) => response.end('{"identity":"b"}'),
    ];
    const requests = create();
    expect(await requests.create('v2/assets', 'a', {})).to.eql({ identity: 'a' });
    expect(await requests.create('v2/assets', 'b', {})).to.eql({ identity: 'b' });
    expect(received.map(({ authorization }) => authorization)).to.eql([1, 1, 2].map((n) => `Bearer token ${n}`));
  });

  it('that create an asset are repeated unless the server refuses the asset', async () => {
    answers = [refuse(503), cut, (response) => response.end('{"ident'), refuse(409)];
    const error = await create()
      .create('v2/assets', 'a', {})
      .catch((reason) => reason);
    expect([error.constructor.name, error.message.slice(0, 3), received.length]).to.eql(['RecordRefused', '409', 4]);
  });
});
