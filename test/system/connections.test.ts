// The effect of one client's connections on a server, counted in the descriptors of the server's process.
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { runScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import { startWatchedServer, type WatchedServer } from '../support/watchedServer.ts';

const PIPELINED = 1_200;
const CONNECTIONS = 18;
const OPEN_FILES_MAX = 1_024;
const FILE_BYTES = 2_000_000;
/** Descriptors that open and close independently of the clients: databases, and the test's own connections. */
const SLACK = 12;
const NO_LIMIT = { PUBLIC_RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent' };

describe('a server whose clients open and leave connections', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let server: WatchedServer;
  let rpcUrl: string;
  let token: string;
  let paths: Record<'documents' | 'blob' | 'publicAttachment', string>;
  const sockets: Socket[] = [];

  const uploadBlob = async (): Promise<string> => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(FILE_BYTES)]), 'filename');
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.url}/svc/v1/blobs`, { method: 'POST', headers, body: form });
    return ((await response.json()) as { identity: string }).identity;
  };

  const createPublicAsset = async (blob: string): Promise<string> => {
    const attributes = { photo: { arc_attribute_type: 'arc_attachment', arc_blob_identity: blob } };
    const body = { public: true, behaviours: ['Attachments'], attributes };
    const asset = await send<{ identity: string }>(`${server.url}/svc/v2/assets`, token, { body });
    return asset.body.identity;
  };

  before(async () => {
    ({ path: dataDir, remove } = await createTemporaryDirectory());
    server = await startWatchedServer(dataDir, NO_LIMIT, OPEN_FILES_MAX);
    rpcUrl = /JSON-RPC at (\S+)/.exec(server.output())![1]!;
    token = (await runScript('token.ts', dataDir)).stdout.trim();
    const blob = await uploadBlob();
    const uuid = blob.slice('blobs/'.length);
    const asset = await createPublicAsset(blob);
    paths = {
      documents: '/docs/swagger-ui-bundle.js',
      blob: `/svc/v1/blobs/${uuid}`,
      publicAttachment: `/svc/v2/attachments/publicassets/${asset.slice('assets/'.length)}/${uuid}`,
    };
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(async () => {
    await server.stop('SIGKILL');
    await remove();
  });

  const countDescriptors = async (): Promise<number> => (await readdir(`/proc/${server.pid}/fd`)).length;

  const open = (url: string, bytes: string): Socket => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    if (bytes !== '') socket.write(bytes);
    return socket;
  };

  const pipeline = async (path: string): Promise<Socket> => {
    const headers = `host: x\r\nauthorization: Bearer ${token}`;
    const socket = open(server.url, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`.repeat(PIPELINED));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    return socket;
  };

  const writeAsset = () =>
    send<object>(`${server.url}/svc/v2/assets`, token, { body: {}, headers: { connection: 'close' } });

  const hasDescriptorsBack = async (before: number): Promise<void> =>
    until(async () => (await countDescriptors()) <= before + SLACK);

  for (const name of ['documents', 'blob', 'publicAttachment'] as const) {
    it(`has no additional open descriptors after ${PIPELINED} pipelined requests for a file (${name})`, async () => {
      const before = await countDescriptors();
      const socket = await pipeline(paths[name]);
      expect(await countDescriptors()).to.be.lessThan(before + SLACK);
      socket.destroy();
      await hasDescriptorsBack(before);
    });
  }

  it(`answers other clients during and after pipelined requests for files on ${CONNECTIONS} connections`, async () => {
    const before = await countDescriptors();
    const opened = await Promise.all(Array.from({ length: CONNECTIONS }, () => pipeline(paths.blob)));
    expect(await countDescriptors()).to.be.lessThan(before + 2 * CONNECTIONS + SLACK);
    expect((await writeAsset()).status).to.equal(200);
    for (const socket of opened) socket.destroy();
    await hasDescriptorsBack(before);
    expect((await writeAsset()).status).to.equal(200);
  });

  it('answers other clients during and after 1,500 half-sent requests', async () => {
    const before = await countDescriptors();
    for (let at = 0; at < 1_500; at += 1) open(server.url, 'GET /svc/v2/assets HTTP/1.1\r\nhost: x\r\nx-half: ');
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
    );
    expect((await writeAsset()).status).to.equal(200);
    expect(await countDescriptors()).to.be.lessThan(OPEN_FILES_MAX / 2);
    for (const socket of sockets) socket.destroy();
    await hasDescriptorsBack(before);
    expect((await writeAsset()).status).to.equal(200);
  });

  const requestRpc = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const request = httpRequest(rpcUrl, { method: 'POST', headers, agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode!));
      });
      request.once('error', reject).end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}');
    });

  for (const [name, bytes] of [
    ['that send nothing', ''],
    ['whose headers do not end', 'POST / HTTP/1.1\r\nhost: localho'],
  ] as const) {
    it(`answers other clients on the JSON-RPC port while 128 connections are open ${name}`, async () => {
      const idle = Array.from({ length: 128 }, () => open(rpcUrl, bytes));
      await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
      expect(await requestRpc()).to.equal(200);
    });
  }
});
