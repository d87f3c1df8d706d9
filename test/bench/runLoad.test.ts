import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createArrivals } from '../../bench/load/arrivals.ts';
import { type LoadOrder, runLoad } from '../../bench/load/runLoad.ts';

const CONFIRMED = { status: 200, body: { confirmation_status: 'CONFIRMED' } };

describe('the load generator', () => {
  let server: Server;
  let order: LoadOrder;
  let posts: number;
  /** The answer to the POST with this number, from 1. */
  let answerTo: (post: number) => { status: number; body: object };

  beforeEach(async () => {
    posts = 0;
    server = createServer((request, response) => {
      request.resume().once('end', () => {
        posts += 1;
        const { status, body } = answerTo(posts);
        const text = JSON.stringify(body);
        response.writeHead(status, { 'content-length': text.length }).end(text);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const assets = ['assets/one', 'assets/two'];
    const least = { warmUpMs: 0, warmUpEvents: 30, measureMs: 10, eventsMin: 200 };
    order = { url, token: 'token', assets, clients: 4, ...least };
  });

  afterEach(() => server.close());

  it('measures as many events as the order has, after its warm-up', async () => {
    answerTo = () => CONFIRMED;
    let boundaries = 0;
    const result = await runLoad(order, {
      onBoundary: () => {
        boundaries += 1;
      },
    });
    expect(boundaries).to.equal(2);
    expect(result.latenciesMs.length).to.be.at.least(200);
    expect(posts).to.be.within(30 + result.latenciesMs.length, 30 + result.latenciesMs.length + 4);
    expect(result.elapsedMs).to.be.at.least(10);
    expect(result.generatorCpuMs).to.be.greaterThan(0);
  });

  it('fails on any answer that is not CONFIRMED', async () => {
    for (const bad of [
      { status: 200, body: { confirmation_status: 'PENDING' } },
      { status: 429, body: CONFIRMED.body },
    ]) {
      answerTo = (post) => (post % 50 === 0 ? bad : CONFIRMED);
      const failure = await runLoad(order).catch((error: Error) => error);
      expect(String(failure)).to.include('ended before its measurement did');
    }
  });

  it('counts what is PENDING or refused where the order accepts it, and no other answer', async () => {
    const other = {
      pending: { status: 200, body: { confirmation_status: 'PENDING' } },
      full: { status: 503, body: {} },
    };
    answerTo = (post) => (post % 50 === 0 ? other.pending : post % 70 === 0 ? other.full : CONFIRMED);
    const result = await runLoad({ ...order, acceptsPending: true });
    expect(result.pending).to.be.within(3, 5);
    expect(result.refused).to.be.within(2, 4);
    expect(result.latenciesMs.length + result.pending + result.refused).to.equal(200);
    answerTo = (post) => (post % 50 === 0 ? { status: 400, body: {} } : CONFIRMED);
    expect(String(await runLoad({ ...order, acceptsPending: true }).catch(String))).to.include('ended before');
  });

  it('lets events arrive at a rate, whatever the answers, and measures from their planned times', async () => {
    const held = 100;
    const perSecond = 400;
    server.removeAllListeners('request');
    const open: ServerResponse[] = [];
    let arrived = 0;
    // It answers nothing before a number of events that no closed loop of these clients would send.
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      arrived += 1;
      open.push(response);
      const text = JSON.stringify(CONFIRMED.body);
      if (arrived < held) return;
      for (const one of open.splice(0)) one.writeHead(200, { 'content-length': text.length }).end(text);
    });
    const beganMs = performance.now();
    const result = await runLoad({ ...order, warmUpEvents: 1, perSecond, eventsMin: 300 });
    const plannedMs = (event: number): number => (event * 1000) / perSecond;
    expect(arrived).to.be.at.least(300);
    // None arrives before its time; the early ones wait at least until that of the last one that is held.
    expect(performance.now() - beganMs).to.be.at.least(plannedMs(arrived - 1));
    expect(Math.max(...result.latenciesMs)).to.be.at.least(plannedMs(held - 2));
  });

  it('plans each event at the rate', () => {
    const arrivals = createArrivals(400, 1_000);
    expect([0, 1, 400].map(arrivals.toMs)).to.eql([1_000, 1_002.5, 2_000]);
    expect([999, 1_000, 1_002, 1_003, 2_000].map(arrivals.count)).to.eql([0, 1, 1, 2, 401]);
  });

  it('ends at once when it is aborted', async () => {
    const stop = new AbortController();
    answerTo = (post) => {
      if (post === 100) stop.abort();
      return CONFIRMED;
    };
    const failure = await runLoad({ ...order, eventsMin: 1_000_000 }, { signal: stop.signal }).catch(String);
    expect(failure).to.include('ended before');
  });
});
