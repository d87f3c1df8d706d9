// The output of a running server for its operator: log, metrics and shutdown, without any secret.
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { runScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import { startWatchedServer, type WatchedServer } from '../support/watchedServer.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a server that is watched', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let server: WatchedServer;
  let token: string;
  let client: { id: string; secret: string };

  before(async () => {
    ({ path: dataDir, remove } = await createTemporaryDirectory());
    server = await startWatchedServer(dataDir, { METRICS_PORT: '0', LOG_LEVEL: 'debug' });
    token = (await runScript('token.ts', dataDir)).stdout.trim();
    const { stdout } = await runScript('tenant.ts', dataDir, ['create', 'watched']);
    const [id, secret] = ['client_id', 'client_secret'].map((name) => new RegExp(`${name}=(\\S+)`).exec(stdout)![1]!);
    client = { id: id!, secret: secret! };
  });
  after(async () => {
    await server.stop('SIGKILL');
    await remove();
  });

  const api = (path: string, init: Parameters<typeof send>[2] = {}) => send(`${server.url}${path}`, token, init);
  const ask = async (path: string, init: RequestInit): Promise<string> =>
    (await fetch(`${server.url}${path}`, init)).text();
  const readMetrics = async (): Promise<string> => {
    const url = /^metrics at (\S+)$/m.exec(server.output())![1]!;
    return (await fetch(url)).text();
  };
  const logged = (): Record<string, unknown>[] =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));

  it('is ready when it prints its URL', async () => {
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    expect((await fetch(`${server.url}/healthz`)).status).to.equal(200);
  });

  it('logs one line of JSON for each request', async () => {
    const { headers } = await api('/svc/v2/assets?page_size=3', { headers: { 'x-request-id': 'watched-1' } });
    expect(headers.get('x-request-id')).to.equal('watched-1');
    await runScript('token.ts', dataDir);
    const line = logged().find(({ request_id: id }) => id === 'watched-1')!;
    expect(line).to.include({
      level: 'info',
      method: 'GET',
      path: '/svc/v2/assets',
      operation: 'listAssets',
      status: 200,
    });
    expect(line).to.have.all.keys(
      ...['level', 'time', 'request_id', 'method', 'path', 'operation', 'status', 'ms', 'tenant', 'subject', 'address'],
      'msg',
    );
    expect(line.tenant).to.match(/^tenant\//);
    expect(line.ms).to.be.greaterThan(0);
  });

  it('reports its work to Prometheus in a bounded number of series', async () => {
    const { body: asset } = await send<{ identity: string }>(`${server.url}/svc/v2/assets`, token, { body: {} });
    const body = { behaviour: 'RecordEvidence', operation: 'Record' };
    expect((await api(`/svc/v2/${asset.identity}/events`, { body })).status).to.equal(200);
    await Promise.all([1, 2, 3].map((count) => api(`/svc/v2/nowhere-${count}`).catch(() => undefined)));
    const metrics = await readMetrics();
    const value = (series: string): number => Number(metrics.match(new RegExp(`^${series} (\\S+)$`, 'm'))?.[1]);
    expect(value('ledger_http_request_duration_seconds_count{operation="createEvent",status="200"}')).to.equal(1);
    expect(value('ledger_http_request_duration_seconds_count{operation="none",status="404"}')).to.equal(3);
    expect(value('ledger_commit_duration_seconds_count{status="CONFIRMED"}')).to.equal(2);
    expect(value('ledger_batch_records_sum')).to.be.at.least(2);
    expect(value('ledger_chain_up')).to.equal(1);
    expect(value('ledger_chain_height_blocks')).to.be.at.least(4);
    expect(value('ledger_index_lag_blocks')).to.equal(0);
    expect(value('ledger_outbox_pending_records')).to.equal(0);
    expect(value('ledger_uploads_in_flight')).to.equal(0);
    expect(value('process_resident_memory_bytes')).to.be.greaterThan(0);
    expect(metrics).not.to.include('nowhere');
    expect(metrics).not.to.include(asset.identity);
    const url = new URL(/^metrics at (\S+)$/m.exec(server.output())![1]!);
    expect(url.hostname).to.equal('127.0.0.1');
    expect((await fetch(new URL('/', url))).status).to.equal(404);
    expect((await fetch(`${server.url}/metrics`)).status).to.equal(404);
  });

  it('never prints a client secret, wherever a client sends it', async () => {
    const { id, secret } = client;
    const tokenPath = '/archivist/iam/v1/appidp/token';
    const form = (fields: Record<string, string>) =>
      new URLSearchParams({ grant_type: 'client_credentials', ...fields });
    const basic = Buffer.from(`${id}:${secret}`).toString('base64');
    const answers = [
      await ask(tokenPath, { method: 'POST', body: form({ client_id: secret, client_secret: id }) }),
      await ask(tokenPath, { method: 'POST', body: form({ client_id: id, client_secret: `${secret}x` }) }),
      await ask(tokenPath, { method: 'POST', body: form({ client_id: id, secret }) }),
      await ask(tokenPath, { method: 'POST', headers: FORM, body: `client_secret=${secret}&client_secret=${secret}` }),
      await ask(`${tokenPath}?client_secret=${secret}`, { method: 'POST', headers: FORM, body: `a=${secret}` }),
      await ask(tokenPath, { method: 'POST', headers: { 'content-type': secret }, body: secret }),
      await ask(tokenPath, { method: 'POST', headers: { authorization: `Basic ${basic}` }, body: form({}) }),
      await ask(`/archivist/v2/assets/${secret}`, { headers: { authorization: `Bearer ${secret}` } }),
      await ask(`/${secret}?${secret}=${secret}`, { headers: { authorization: `Bearer ${token}` } }),
      await ask(`/archivist/v2/assets?attributes.${secret}=${secret}&page_token=${secret}`, {
        headers: { authorization: `Bearer ${token}`, 'x-secret': secret, cookie: secret, 'user-agent': secret },
      }),
      await ask('/archivist/v2/assets', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: `{"attributes": {"secret": ${secret}`,
      }),
      await ask(`/docs/${secret}`, { headers: { 'x-request-id': `${secret}${secret}` } }),
    ];
    expect(answers).to.have.length(12);
    const right = await ask(tokenPath, { method: 'POST', body: form({ client_id: id, client_secret: secret }) });
    const { access_token: issued } = JSON.parse(right) as { access_token: string };
    await ask('/archivist/v2/assets', { headers: { authorization: `Bearer ${issued}` } });
    const metrics = await readMetrics();
    expect(logged().filter(({ status }) => status === 401 || status === 400).length).to.be.at.least(6);
    for (const hidden of [secret, basic, issued, token]) {
      expect(server.output()).not.to.include(hidden);
      expect(metrics).not.to.include(hidden);
    }
  });

  const sees = async (words: string): Promise<void> => until(async () => server.output().includes(words));

  const holdRequest = async (body: string): Promise<{ socket: Socket; answer: Promise<string> }> => {
    const { hostname, port } = new URL(server.url);
    const head = [
      'POST /svc/v2/assets HTTP/1.1',
      'host: x',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue',
    ];
    const socket = connect(Number(port), hostname, () => socket.write([...head, '', ''].join('\r\n')));
    await new Promise((resolve) => socket.once('data', resolve));
    return { socket, answer: text(socket) };
  };

  it('continues after SIGHUP without a certificate', async () => {
    process.kill(server.pid, 'SIGHUP');
    await sees('SIGHUP: there is no certificate');
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
  });

  it('ends at once on a second signal', async () => {
    const { socket, answer } = await holdRequest('{"attributes":{}}');
    const ended = server.stop('SIGINT');
    await sees('SIGINT: requests in progress');
    process.kill(server.pid, 'SIGTERM');
    expect(await ended).to.equal(null);
    socket.destroy();
    await answer.catch(() => undefined);
    server = await startWatchedServer(dataDir, { LOG_LEVEL: 'debug' });
  });

  it('answers received requests before it ends with code 0, also when npm repeats the signal', async () => {
    const body = JSON.stringify({ attributes: { arc_display_name: 'the last one' } });
    const { socket, answer } = await holdRequest(body);
    const ended = server.stop('SIGINT');
    await sees('SIGINT: requests in progress');
    process.kill(server.pid, 'SIGINT');
    process.kill(server.pid, 'SIGHUP');
    await sees('SIGHUP: there is no certificate');
    socket.write(body);
    expect(await answer)
      .to.match(/HTTP\/1.1 200 /)
      .and.to.include('CONFIRMED');
    expect(await ended).to.equal(0);
    server = await startWatchedServer(dataDir, { LOG_LEVEL: 'silent' });
    const { body: listed } = await send<{ assets: { attributes: object }[] }>(`${server.url}/svc/v2/assets`, token);
    expect(listed.assets[0]!.attributes).to.eql({ arc_display_name: 'the last one' });
  });

  it('has no log and no metrics when the settings disable both', async () => {
    await fetch(`${server.url}/healthz`);
    expect(server.output()).not.to.match(/^\{/m);
    expect(server.output()).not.to.include('metrics at');
  });
});
