// A server that stops while large evidence files wait for their turn: no request reads a database that is closed.
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { runScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import { startWatchedServer, type WatchedServer } from '../support/watchedServer.ts';

/** Two pages, and a file of some 6 MB. */
const RECORDS = 104;
const AT_ONCE = 13;
const ATTRIBUTES = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`a${at}`, 'x'.repeat(4_000)]));

describe('a server that stops', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let token: string;
  let server: WatchedServer;
  let path: string;

  const record = async (identity: string): Promise<void> => {
    const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: ATTRIBUTES };
    expect((await send(`${server.url}/svc/v2/${identity}/events`, token, { body })).status).to.equal(200);
  };
  // A request whose answer nobody has read yet.
  const ask = (): Socket => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`);
    return socket.pause();
  };
  const readAnswer = async (socket: Socket): Promise<string> => {
    let answer = '';
    for await (const chunk of socket) if (answer.length < 2_000) answer += String(chunk);
    return /"error":"(\w+)"/.exec(answer)?.[1] ?? answer.slice(0, answer.indexOf('\r\n'));
  };

  before(async () => {
    ({ path: dataDir, remove } = await createTemporaryDirectory());
    server = await startWatchedServer(dataDir, { LOG_LEVEL: 'warn' });
    token = (await runScript('token.ts', dataDir)).stdout.trim();
    const created = await send<{ identity: string }>(`${server.url}/svc/v2/assets`, token, {
      body: { attributes: {} },
    });
    const { identity } = created.body;
    for (let count = 0; count < RECORDS; count += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => record(identity)));
    path = `/svc/v2/${identity}:evidence?records=true`;
    await until(async () => (await send(`${server.url}${path}`, token)).status === 200);
  });
  after(async () => {
    await server.stop('SIGKILL');
    await remove();
  });

  it('refuses the evidence that waits, and reads nothing for clients that are gone', async () => {
    const sockets = Array.from({ length: 9 }, ask);
    // Answered after the requests above were taken in.
    expect((await fetch(`${server.url}/healthz`)).status).to.equal(200);
    for (const socket of sockets.slice(0, 7)) socket.destroy();
    // A connection that the server had not accepted yet is reset.
    const answers = Promise.all(sockets.slice(7).map((socket) => readAnswer(socket).catch(() => '')));
    expect(await server.stop('SIGTERM')).to.equal(0);
    for (const answer of await answers) expect(answer).to.be.oneOf(['STOPPING', 'HTTP/1.1 200 OK', '']);
    expect(server.output()).not.to.include('LEVEL_DATABASE');
    expect(server.output()).not.to.include('Error');
  });
});
