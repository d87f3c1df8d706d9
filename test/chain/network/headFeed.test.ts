// Announcements of new blocks by WebSocket, from nodes that work and from hostile ones.
import { expect } from 'chai';
import type { WebSocket } from 'ws';
import { createHeadFeed, type HeadFeed } from '../../../chain/network/headFeed.ts';
import { openHeadSocket } from '../../../chain/network/headSocket.ts';
import {
  ANNOUNCEMENT,
  acceptSubscription,
  HEAD_SERVER_PASSWORD,
  type HeadServer,
  startHeadServer,
} from '../../support/headServer.ts';
import { until } from '../../support/until.ts';

const TIMEOUT_MS = 60_000;
/** For servers that answer nothing. */
const SHORT_MS = 200;

describe('announcements of new blocks', () => {
  let server: HeadServer;
  let feed: HeadFeed | undefined;
  let problems: string[];
  let announced: number;
  beforeEach(async () => {
    server = await startHeadServer();
    feed = undefined;
    problems = [];
    announced = 0;
  });
  afterEach(async () => {
    feed?.close();
    await server.close();
  });
  const open = (timeoutMs = TIMEOUT_MS): HeadFeed => {
    feed = createHeadFeed({ urls: [server.url], timeoutMs, onProblem: (line) => problems.push(line) });
    feed.onHead(() => {
      announced += 1;
    });
    return feed;
  };
  const openLive = async (): Promise<HeadFeed> => {
    const opened = open();
    await until(() => opened.isLive && announced === 1);
    return opened;
  };

  it('come after a subscription, with the password of the URL as a header, and their content is not read', async () => {
    const { isLive, uses } = await openLive();
    expect(isLive).to.equal(true);
    const pair = Buffer.from(`me:${HEAD_SERVER_PASSWORD}`).toString('base64');
    expect(server.requests[0]!.headers.authorization).to.equal(`Basic ${pair}`);
    expect(server.requests[0]!.url).to.equal('/key');
    expect(uses()).to.deep.equal([{ name: new URL(server.url).origin, isLive: true }]);
    server.announce();
    await until(() => announced === 2);
    expect(problems).to.deep.equal([]);
  });

  it('are at most twenty in a second, however many messages come', async () => {
    await openLive();
    const sinceMs = performance.now();
    for (let sent = 0; sent < 90; sent += 1) server.announce();
    await until(() => announced >= 2);
    expect(announced - 1).to.be.at.most(1 + Math.ceil((performance.now() - sinceMs) / 50));
    expect(problems).to.deep.equal([]);
  });

  it('may come before the answer to the subscription, where they count for nothing', async () => {
    server.onSubscribe = (socket) => {
      socket.send(ANNOUNCEMENT);
      acceptSubscription(socket);
    };
    await openLive();
    expect(problems).to.deep.equal([]);
  });

  const answer = (members: object) => (socket: WebSocket) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...members }));
  const then = (attack: (socket: WebSocket) => void) => (socket: WebSocket) => {
    acceptSubscription(socket);
    attack(socket);
  };
  const LINE = `announces no blocks, which are polled meanwhile: `;
  const hostile: Record<string, [HeadServer['onSubscribe'], string]> = {
    'refuses the subscription': [answer({ error: { code: -32601, message: 'not here' } }), 'refused: not here'],
    'refuses it without a reason': [answer({ error: 7 }), 'without a reason'],
    'answers without a result': [answer({}), 'refused'],
    'answers another request': [answer({ id: 2, result: '0x1' }), 'no announcement'],
    'sends what is not JSON': [(socket) => socket.send('{'), 'no announcement'],
    'sends bytes': [(socket) => socket.send(Buffer.from(ANNOUNCEMENT)), 'no announcement'],
    'answers twice': [then(acceptSubscription), 'no announcement'],
    'closes the connection': [then((socket) => socket.close()), 'closed the connection'],
    'breaks the connection': [then((socket) => socket.terminate()), 'closed the connection'],
    'sends too large a message': [then((socket) => socket.send('x'.repeat(256 * 1024 + 1))), 'Max payload'],
    'sends too large a message in parts': [
      then((socket) => {
        for (let part = 0; part < 300; part += 1) socket.send('x'.repeat(1024), { fin: false });
      }),
      'Max payload',
    ],
    'floods it with announcements': [
      then((socket) => {
        for (let sent = 0; sent < 10_000; sent += 1) socket.send(ANNOUNCEMENT);
      }),
      'more than 100 messages in a second',
    ],
    'floods it with pings': [
      then((socket) => {
        for (let sent = 0; sent < 1_000; sent += 1) socket.ping();
      }),
      'more than 100 messages in a second',
    ],
    'breaks the protocol': [
      (socket) => (socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(Buffer.alloc(64, 0xff)),
      'Invalid WebSocket frame',
    ],
    'sends text that controls a terminal': [
      answer({ error: { code: 1, message: `\u001b[2J\nCHAIN_STALLED ${'x'.repeat(10_000)}` } }),
      'refused: ?[2J?CHAIN_STALLED',
    ],
  };
  for (const [what, [onSubscribe, reason]] of Object.entries(hostile)) {
    it(`are subscribed to again after a pause when a node ${what}, and one line says so`, async () => {
      server.onSubscribe = onSubscribe;
      open();
      await until(() => server.requests.length >= 3);
      expect(problems).to.have.length(1);
      expect(problems[0]).to.contain(LINE).and.contain(reason).and.not.contain('word');
      expect(problems[0]!.length).to.be.below(400);
      expect(server.sockets.size).to.be.at.most(1);
      expect(announced).to.be.at.most(60);
    });
  }

  it('are subscribed to again when a node refuses the connection, or answers nothing', async () => {
    server.isRefusing = true;
    const sinceMs = performance.now();
    open(SHORT_MS);
    await until(() => server.requests.length >= 3);
    expect(performance.now() - sinceMs).to.be.at.least(250 + 500 - 5);
    expect(problems.join()).to.contain('401');
    server.isRefusing = false;
    server.onSubscribe = () => undefined;
    const refused = server.requests.length;
    await until(() => server.requests.length >= refused + 2);
    expect(problems).to.have.length(1);
    server.onSubscribe = acceptSubscription;
    await until(() => feed!.isLive);
  });

  it('come again after the loss of a connection', async () => {
    const opened = await openLive();
    for (const socket of server.sockets) socket.terminate();
    await until(() => !opened.isLive);
    await until(() => opened.isLive && announced === 2);
    server.announce();
    await until(() => announced >= 3);
    expect(problems).to.have.length(1);
  });

  it('end with the feed, and nothing connects again', async () => {
    const opened = await openLive();
    opened.close();
    await until(() => server.sockets.size === 0);
    server.isRefusing = true;
    const refused = open();
    await until(() => problems.length === 1);
    refused.close();
    const requests = server.requests.length;
    // Its next connection was due before the second one of a feed that is opened now.
    const other = `${server.url}/other`;
    feed = createHeadFeed({ urls: [other], timeoutMs: TIMEOUT_MS, onProblem: () => undefined });
    const isOthers = ({ url }: { url?: string | undefined }): boolean => url === '/key/other';
    await until(() => server.requests.filter(isOthers).length === 2);
    expect(server.requests.filter((request) => !isOthers(request))).to.have.length(requests);
  });

  it('end a connection that is still being made', async () => {
    open().close();
    // Another one, which is begun later, is accepted.
    await openLive();
    await until(() => server.sockets.size === 1);
    expect(problems).to.deep.equal([]);
    expect(announced).to.equal(1);
  });

  it('end when a node answers no ping', async () => {
    await server.close();
    server = await startHeadServer({ autoPong: false });
    const reasons: string[] = [];
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const { href: url, origin: name } = new URL(server.url);
    const close = openHeadSocket({
      url,
      name,
      authorization: undefined,
      timeoutMs: TIMEOUT_MS,
      pingMs: 20,
      onLive: () => undefined,
      onHead: () => undefined,
      onEnd: (reason) => {
        reasons.push(reason);
        resolve();
      },
    });
    await ended;
    expect(reasons).to.deep.equal(['no answer to a ping within 20 ms']);
    close();
  });
});
