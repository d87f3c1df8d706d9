import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { LedgerError } from '../../../../ledger/errors.ts';
import { readDocument } from '../../../../server/openapi/document.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { openLineClient } from '../../support/lineClient.ts';
import { LINES_TYPE, postLines, toLines } from '../../support/lines.ts';
import { aRecord, createAnAsset, createAnEvent } from '../../support/requests.ts';
import { LIMITS, startTestServer, type TestServer } from '../../support/testServer.ts';

const statusesOf = (results: readonly { line: number; status: number }[]): [number, number][] =>
  results.map(({ line, status }) => [line, status]);

describe('createEvents', () => {
  let server: TestServer;
  let asset: string;
  const aLine = (changes: Record<string, unknown> = {}) => aRecord({ asset_identity: `assets/${asset}`, ...changes });
  const readEvents = async () =>
    (await server.request('GET', `/svc/v2/assets/${asset}/events?page_size=1000`)).body.events;

  beforeEach(async () => {
    server = await startTestServer();
    asset = await createAnAsset(server, { behaviours: ['RecordEvidence', 'Attachments'] });
  });
  afterEach(async () => {
    expect(server.unexpected).to.eql([]);
    await server.close();
  });

  it('accepts in a line what the request for one event accepts, its asset and its key', () => {
    const { NewEvent, BulkEvent } = readDocument(LIMITS).components.schemas;
    expect(Object.keys(BulkEvent!.properties!)).to.have.members([
      ...Object.keys(NewEvent!.properties!),
      'idempotency_key',
    ]);
    expect(BulkEvent!.properties).to.deep.include({ event_attributes: NewEvent!.properties!.event_attributes });
  });

  it('records each line in order and answers as the request for one event does', async () => {
    const results = await postLines(
      server,
      toLines([1, 2, 3].map((n) => aLine({ event_attributes: { n: String(n) }, asset_attributes: { n: String(n) } }))),
    );
    expect(statusesOf(results)).to.eql([
      [1, 200],
      [2, 200],
      [3, 200],
    ]);
    const events = await readEvents();
    expect(results.map(({ event }) => event)).to.eql(events.slice(0, 3).reverse());
    expect(results.map(({ event }) => event.event_attributes.n)).to.eql(['1', '2', '3']);
    const { body } = await server.request('GET', `/svc/v2/assets/${asset}`);
    expect(body.attributes.n).to.equal('3');
  });

  it('answers with the identity and the status alone when these fields are requested', async () => {
    const [result] = await postLines(server, toLines([aLine()]), { query: '?fields=identity' });
    const [{ identity }] = await readEvents();
    expect(result).to.eql({ line: 1, status: 200, identity, confirmation_status: 'CONFIRMED' });
  });

  it('refuses each line by itself, with the number of the line, and records the others', async () => {
    const results = await postLines(
      server,
      toLines([
        aLine(),
        '',
        '{"asset_identity": ',
        ' \t\r',
        aLine({ asset_identity: `assets/${randomUUID()}` }),
        aLine({ asset_identity: asset }),
        aLine({ unknown: 1 }),
        aLine({ event_attributes: { n: 1 } }),
        aLine({ operation: 'Other' }),
        `{"operation":"Record",${JSON.stringify(aLine()).slice(1)}`,
        aLine({ event_attributes: { text: '\ud800' } }),
        aLine({ timestamp_declared: 'yesterday' }),
        '[]',
        'null',
        '1e999',
        '"text"',
        aLine({ event_attributes: null, idempotency_key: null }),
      ]),
    );
    expect(
      results.map(({ line, status, error }) => [line, status, error?.details[0].error, error?.details[0].field]),
    ).to.eql([
      [1, 200, undefined, undefined],
      [3, 400, 'REQUEST_INVALID', 'line'],
      [5, 404, 'ASSET_NOT_FOUND', undefined],
      [6, 400, 'REQUEST_INVALID', 'asset_identity'],
      [7, 400, 'REQUEST_INVALID', 'unknown'],
      [8, 400, 'ATTRIBUTE_INVALID', 'event_attributes/n'],
      [9, 400, 'OPERATION_UNKNOWN', 'operation'],
      [10, 400, 'REQUEST_INVALID', 'operation'],
      [11, 400, 'REQUEST_INVALID', 'event_attributes/text'],
      [12, 400, 'TIMESTAMP_INVALID', 'timestamp_declared'],
      [13, 400, 'REQUEST_INVALID', 'line'],
      [14, 400, 'REQUEST_INVALID', 'line'],
      [15, 400, 'REQUEST_INVALID', 'line'],
      [16, 400, 'REQUEST_INVALID', 'line'],
      [17, 200, undefined, undefined],
    ]);
    expect(await readEvents()).to.have.length(3);
  });

  it('skips a line over the limit, refuses bytes that are not UTF-8, and needs no newline at the end', async () => {
    const long = Buffer.from(`${JSON.stringify(aLine({ event_attributes: { text: 'x'.repeat(300_000) } }))}\n`);
    const broken = Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]);
    const results = await postLines(
      server,
      Buffer.concat([Buffer.from(toLines([aLine()])), long, broken, Buffer.from(JSON.stringify(aLine()))]),
    );
    expect(results.map(({ line, status, error }) => [line, status, error?.message])).to.eql([
      [1, 200, undefined],
      [2, 413, 'line: is larger than 131072 bytes'],
      [3, 400, 'line: is not UTF-8'],
      [4, 200, undefined],
    ]);
  });

  it('answers nothing to blank lines, and refuses a last line that is cut off', async () => {
    const [line] = toLines([aLine()]).split('\n');
    const results = await postLines(server, `${'\n'.repeat(900)}${' \r\n'.repeat(90)}${line}\n${line!.slice(0, -1)}`);
    expect(statusesOf(results)).to.eql([
      [991, 200],
      [992, 400],
    ]);
    expect(await readEvents()).to.have.length(2);
  });

  it('refuses any bytes line by line', async () => {
    const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919 + (at >> 3)) % 256));
    const results = await postLines(server, Buffer.concat([bytes, Buffer.from(`\n${toLines([aLine()])}`)]));
    expect(new Set(results.slice(0, -1).map(({ status }) => status))).to.eql(new Set([400]));
    expect(results.at(-1).status).to.equal(200);
  });

  it('checks each event against its asset as the events before it leave it', async () => {
    const change = (operation: string) =>
      aLine({ behaviour: 'Builtin', operation, event_attributes: { arc_behaviour_name: 'Maintenance' } });
    const maintain = aLine({
      behaviour: 'Maintenance',
      operation: 'Maintenance',
      event_attributes: { arc_description: 'oiled' },
    });
    const lines = [maintain, change('Add'), maintain, change('Remove'), maintain];
    // More than one group.
    const results = await postLines(server, toLines([...lines, ...Array(150).fill(aLine()), ...lines]));
    expect(results.filter(({ status }) => status !== 200).map(({ line }) => line)).to.eql([1, 5, 156, 160]);
  });

  it('records a line with a key once, in one request, in the next, and with the header', async () => {
    const keyed = (key: string, text = 'same') => aLine({ idempotency_key: key, event_attributes: { text } });
    const first = await postLines(server, toLines([keyed('a'), keyed('a'), keyed('a', 'other'), keyed('b')]));
    expect(statusesOf(first)).to.eql([
      [1, 200],
      [2, 200],
      [3, 409],
      [4, 200],
    ]);
    expect(first[1].event).to.eql(first[0].event);
    const [again, conflict] = await postLines(server, toLines([keyed('a'), keyed('b', 'other')]));
    expect(again.event).to.eql(first[0].event);
    expect(conflict.error.details).to.eql([{ error: 'IDEMPOTENCY_CONFLICT' }]);
    const { body } = await server.request('POST', `/svc/v2/assets/${asset}/events`, {
      json: aRecord({ event_attributes: { text: 'same' } }),
      headers: { 'idempotency-key': 'b' },
    });
    expect(body).to.eql(first[3].event);
    expect(await readEvents()).to.have.length(3);
  });

  it('records the same keys of concurrent requests once', async () => {
    const lines = toLines(
      Array.from({ length: 250 }, (_, at) =>
        aLine({ idempotency_key: `key-${at % 200}`, event_attributes: { n: `${at % 200}` } }),
      ),
    );
    const [one, other] = await Promise.all([postLines(server, lines), postLines(server, lines)]);
    expect(one).to.eql(other);
    expect(new Set(one.map(({ status }) => status))).to.eql(new Set([200]));
    expect(await readEvents()).to.have.length(201);
  });

  it('checks a key that only a refused line had', async () => {
    const unknown = aLine({ asset_identity: `assets/${asset}`, idempotency_key: 'a', operation: 'Other' });
    const results = await postLines(server, toLines([unknown, aLine({ idempotency_key: 'a' })]));
    expect(statusesOf(results)).to.eql([
      [1, 400],
      [2, 200],
    ]);
  });

  it('shows all attachments of the asset in the answer to an Attach', async () => {
    const event = await createAnEvent(server, asset);
    expect(event.asset_attributes).to.eql({});
    const [refused] = await postLines(
      server,
      toLines([aLine({ behaviour: 'Attachments', operation: 'Attach', event_attributes: {} })]),
    );
    expect(refused.status).to.equal(400);
  });

  it('answers a record that waits for the chain with PENDING', async () => {
    server.ledger.isChainAway = true;
    const [{ event }] = await postLines(server, toLines([aLine()]));
    expect(event.confirmation_status).to.equal('PENDING');
  });

  it('refuses a line that the writer refuses, and an unexpected error reveals nothing', async () => {
    let count = 0;
    server.ledger.beforeAppend = async () => {
      count += 1;
      if (count === 2) throw new Error('secret');
    };
    const results = await postLines(server, toLines([aLine(), aLine(), aLine()]));
    expect(results.map(({ status }) => status)).to.eql([200, 500, 200]);
    expect(results[1].error).to.eql({ code: 13, message: 'Unexpected error', details: [] });
    expect(server.unexpected.splice(0).map(String)).to.eql(['Error: secret']);
  });

  it('does not refuse a line with a conflict because of a line that the writer refused', async () => {
    server.ledger.beforeAppend = async () => {
      throw new LedgerError('OUTBOX_FULL');
    };
    const lines = ['one', 'other'].map((text) => aLine({ idempotency_key: 'key', event_attributes: { text } }));
    const results = await postLines(server, toLines(lines));
    expect(results.map(({ error }) => error.details[0].error)).to.eql(['OUTBOX_FULL', 'OUTBOX_FULL']);
    server.ledger.beforeAppend = async () => undefined;
    const again = await postLines(server, toLines([lines[1], lines[0]]));
    expect(again.map(({ status }) => status)).to.eql([200, 409]);
  });

  it('ends after the largest number of lines', async () => {
    const results = await postLines(server, toLines(Array(1005).fill(aLine())), { query: '?fields=identity' });
    expect(results).to.have.length(1001);
    expect(results.at(-1)).to.deep.include({ line: 1001, status: 413 });
    expect(results.at(-1).error.message).to.equal('body: has more than 1000 lines');
  });

  for (const [title, count] of [
    ['', 0],
    [' after a line', 1],
  ] as const) {
    it(`ends after the largest number of blank lines${title}`, async () => {
      const results = await postLines(server, toLines([...Array(count).fill(aLine()), ...Array(5_000).fill('')]));
      expect(statusesOf(results)).to.eql([...Array(count).fill([1, 200]), [1001, 413]]);
      expect(results.at(-1).error.details[0]).to.include({ error: 'REQUEST_TOO_LARGE', field: 'body' });
    });
  }

  it('ends with 401 when the caller loses its role', async () => {
    const client = await openLineClient(server);
    client.write(toLines([aLine()]));
    expect((await client.read()).status).to.equal(200);
    const path = `/svc/iam/v1/applications/${server.tenant.writer.clientId}`;
    await server.request('PATCH', path, { as: server.tenant.administrator, json: { roles: ['reader'] } });
    client.write(toLines([aLine(), aLine()]));
    expect(await client.read()).to.deep.include({ line: 2, status: 401 });
    expect(await client.read()).to.equal(undefined);
    expect(server.ledger.records.filter(({ type }) => type === 'event')).to.have.length(2);
  });

  it('ends with 401 when the token expires', async () => {
    const client = await openLineClient(server);
    server.clock.atMs += 24 * 3600 * 1000;
    client.write(toLines([aLine()]));
    expect(await client.read()).to.deep.include({ line: 1, status: 401 });
    expect(await client.read()).to.equal(undefined);
  });

  it('answers a body without lines, or with blank lines only, with no results', async () => {
    for (const body of ['', '\n \n']) expect(await postLines(server, body)).to.eql([]);
  });

  it('refuses a key for all lines', async () => {
    const headers = { ...LINES_TYPE, 'idempotency-key': 'a' };
    const answer = await server.request('POST', '/svc/v2/events:bulk', { body: toLines([aLine()]), headers });
    expectProblem(answer, 400, 'REQUEST_INVALID', 'idempotency-key');
    expect(await readEvents()).to.have.length(1);
  });

  it('refuses another media type, a compressed body and an unknown field', async () => {
    const path = '/svc/v2/events:bulk';
    const post = (headers: Record<string, string>, query = '') =>
      server.request('POST', `${path}${query}`, { body: toLines([aLine()]), headers });
    expectProblem(await post({ 'content-type': 'application/json' }), 415, 'MEDIA_TYPE_UNSUPPORTED');
    const compressed = await post({ ...LINES_TYPE, 'content-encoding': 'gzip' });
    expectProblem(compressed, 415, 'MEDIA_TYPE_UNSUPPORTED', 'content-encoding');
    expect(compressed.headers.get('accept-encoding')).to.equal('identity');
    expectProblem(await post(LINES_TYPE, '?fields=all'), 400, 'REQUEST_INVALID', 'fields');
    const anonymous = { as: null, body: toLines([aLine()]), headers: LINES_TYPE };
    expectProblem(await server.request('POST', path, anonymous), 401, 'UNAUTHENTICATED');
    const reading = { as: server.tenant.reader, body: toLines([aLine()]), headers: LINES_TYPE };
    expectProblem(await server.request('POST', path, reading), 403, 'FORBIDDEN');
    expect(await readEvents()).to.have.length(1);
  });
});
