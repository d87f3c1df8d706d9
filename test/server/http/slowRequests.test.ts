import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { endSlowRequests } from '../../../server/http/slowRequests.ts';
import { CLIENT_TIMEOUTS } from '../../../server/limits.ts';
import { until } from '../../support/until.ts';
import { useListeners } from '../support/listeners.ts';
import { useSweeps } from '../support/sweeps.ts';
import { beginUpload, listFiles, readAnswer, toBody } from '../support/uploads.ts';

const body = toBody(new Uint8Array(500_000));

describe('a slow request', () => {
  const { server, listenWith } = useListeners();

  it('is ended when no more bytes arrive, and leaves no file', async () => {
    const socket = await beginUpload(
      await listenWith({ timeouts: { idleMs: 100 } }),
      body.length,
      body.subarray(0, 300_000),
    );
    await new Promise((resolve) => socket.resume().once('close', resolve));
    await until(async () => (await listFiles(server().directory)).length === 0);
  });

  it('is answered 408 when it arrives too slowly, and leaves no file', async () => {
    const strict = await listenWith({ timeouts: { graceMs: 50, bytesPerSecondMin: 10 ** 9, sweepMs: 20 } });
    const answer = await readAnswer(await beginUpload(strict, body.length, body.subarray(0, 300_000)));
    expect(answer).to.match(/^HTTP\/1.1 408 /);
    await until(async () => (await listFiles(server().directory)).length === 0);
  });

  it('is answered 408 when its headers do not end, whether they arrive byte by byte or not at all', async () => {
    const { url } = await listenWith({ timeouts: { headersMs: 100, sweepMs: 20 } });
    for (const beginning of ['', 'GET / HTTP/1.1\r\nhost: x\r\n']) {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname, () => socket.write(beginning));
      const dripping = setInterval(() => socket.writable && beginning !== '' && socket.write('a: b\r\n'), 20);
      expect(await text(socket)).to.match(/^HTTP\/1.1 408 /);
      clearInterval(dripping);
    }
  });

  it('is answered 408 when its body stalls, also if no handler observes that', async () => {
    const { url } = await listenWith({ timeouts: { bodySilenceMs: 100, sweepMs: 20 } });
    const { hostname, port } = new URL(url);
    const { token } = await server().tokens.issue(server().tenant.writer);
    const socket = connect(Number(port), hostname);
    const head = `host: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 20`;
    socket.write(`POST /svc/v2/assets HTTP/1.1\r\n${head}\r\n\r\n{"attributes"`);
    expect(await text(socket)).to.match(/^HTTP\/1.1 408 [\s\S]*"REQUEST_TIMEOUT"/);
  });

  it('may take longer than the grace period if it arrives fast enough', async () => {
    const lenient = await listenWith({ timeouts: { graceMs: 0, bytesPerSecondMin: 1, sweepMs: 1 } });
    const socket = await beginUpload(lenient, body.length, body.subarray(0, 300_000));
    for (let at = 300_000; at < body.length; at += 10_000) {
      await new Promise((resolve) => socket.write(body.subarray(at, at + 10_000), resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.write('GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await readAnswer(socket)).to.match(/^HTTP\/1.1 200 /);
  });
});

describe('a request that the server does not read yet', () => {
  const pass = useSweeps();

  it('is not ended by its pace, which counts from when the server waits for the client', async () => {
    const timeouts = { ...CLIENT_TIMEOUTS, graceMs: 50, bytesPerSecondMin: 10 ** 9, sweepMs: 10 };
    const server = createServer();
    let refused = 0;
    const watch = endSlowRequests(server, timeouts, (socket) => {
      refused += 1;
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nbytes');
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    watch(request);
    await until(() => request.readableLength > 0);
    pass(10_000);
    expect(refused).to.equal(0);
    request.on('error', () => undefined).resume();
    await until(() => request.readableLength === 0);
    pass(timeouts.graceMs);
    expect(refused).to.equal(0);
    pass(timeouts.sweepMs);
    expect(refused).to.equal(1);
    await once(socket, 'close');
    server.close();
  });
});
