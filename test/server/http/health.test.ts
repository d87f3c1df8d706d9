import { expect } from 'chai';
import { createApp, createStartingApp } from '../../../server/app.ts';
import type { HealthIssue } from '../../../server/http/health.ts';
import type { AnsweredRequest } from '../../../server/http/requestObserver.ts';
import { createStartupListener } from '../../../server/http/startupListener.ts';
import { listen } from '../../../server/listen.ts';
import { until } from '../../support/until.ts';
import { startTestServer } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

describe('the health endpoints', () => {
  let issues: HealthIssue[] = [];
  const server = useServer({ findHealthIssues: async () => issues });

  it('report at /healthz only that the process is alive', async () => {
    issues = [{ name: 'chain', reason: 'it does not answer' }];
    expect(await server.request('GET', '/healthz', { as: null })).to.deep.include({
      status: 200,
      body: { status: 'alive' },
    });
  });

  it('report at /readyz whether the server is ready, and its health issues by name', async () => {
    issues = [];
    const ready = await server.request('GET', '/readyz', { as: null });
    expect(ready).to.deep.include({ status: 200, body: { status: 'ready', troubles: issues } });
    expect(ready.headers.get('cache-control')).to.equal('no-store');
    issues = [{ name: 'outbox', reason: 'it is full' }];
    const { status, body } = await server.request('GET', '/readyz', { as: null });
    expect([status, body]).to.eql([503, { status: 'not ready', troubles: issues }]);
  });

  it('report at /readyz a notice, with which the server is ready', async () => {
    issues = [{ name: 'NEWER_RECORDS', reason: '2 records since block 7', isNotice: true }];
    const troubles = [{ name: 'NEWER_RECORDS', reason: '2 records since block 7' }];
    const { status, body } = await server.request('GET', '/readyz', { as: null });
    expect([status, body]).to.eql([200, { status: 'ready', troubles }]);
    issues = [...issues, { name: 'outbox', reason: 'it is full' }];
    expect((await server.request('GET', '/readyz', { as: null })).status).to.equal(503);
  });

  it('report at /readyz a chain that has stalled: requests are served, and the server is not called ready', async () => {
    const details = { since: '2026-11-20T10:15:30Z', block_height: '7', silent_validators: [] };
    issues = [{ name: 'CHAIN_STALLED', reason: 'no block', details, isNotice: true }];
    const { status, body } = await server.request('GET', '/readyz', { as: null });
    expect([status, body]).to.eql([
      200,
      { status: 'stalled', troubles: [{ name: 'CHAIN_STALLED', reason: 'no block', ...details }] },
    ]);
    issues = [...issues, { name: 'outbox', reason: 'it is full' }];
    expect((await server.request('GET', '/readyz', { as: null })).status).to.equal(503);
  });

  it('report at /readyz whose word makes a block of a network final', async () => {
    issues = [];
    const onNetwork = await startTestServer({ findHealthIssues: async () => issues, finality: "this node's word" });
    const read = async () => (await onNetwork.request('GET', '/readyz', { as: null })).body;
    expect(await read()).to.eql({ status: 'ready', troubles: [], final_blocks: "this node's word" });
    issues = [{ name: 'outbox', reason: 'it is full' }];
    expect(await read()).to.include({ status: 'not ready', final_blocks: "this node's word" });
    await onNetwork.close();
  });

  it('are the only ones that respond while the server starts', async () => {
    const answered: AnsweredRequest[] = [];
    const deps = { ...server.deps, onAnswered: (one: AnsweredRequest) => answered.push(one) };
    const startup = createStartupListener(createStartingApp(deps));
    const starting = await listen(startup.handle, { host: '127.0.0.1', port: 0, graceMs: 0 });
    const get = async (path: string) => {
      const response = await fetch(`${starting.url}${path}`);
      return { status: response.status, headers: response.headers, body: (await response.json()) as never };
    };
    expect((await get('/healthz')).status).to.equal(200);
    const { status, body } = await get('/readyz');
    expect(status).to.equal(503);
    expect(body).to.have.nested.property('troubles[0].name', 'starting');
    const refused = await get('/.well-known/jwks.json');
    expect(refused.status).to.equal(503);
    expect(refused.body).to.deep.include({ code: 14, details: [{ error: 'STARTING' }] });
    expect(refused.headers.get('retry-after')).to.equal('1');
    await until(async () => answered.length === 3);
    expect(answered.map(({ path, operationId, status }) => [path, operationId, status])).to.eql([
      ['/healthz', 'healthz', 200],
      ['/readyz', 'readyz', 503],
      ['/.well-known/jwks.json', undefined, 503],
    ]);
    expect(answered[2]!.requestId).to.equal(refused.headers.get('x-request-id'));
    startup.switchTo(createApp(server.deps));
    expect((await get('/readyz')).status).to.equal(503);
    expect((await get('/.well-known/jwks.json')).status).to.equal(200);
    await starting.close();
  });
});
