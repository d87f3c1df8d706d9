// Web pages and the chain's public port: which origins a browser may let use it.
import http, { type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { createRpcServer, type RpcServer, type RpcServerOptions } from '../../../../chain/embedded/rpc/rpcServer.ts';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';

// fetch would refuse the headers that a browser sets.
const send = (port: number, body: string, options: http.RequestOptions): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const onResponse = async (response: http.IncomingMessage): Promise<void> => {
      await buffer(response);
      resolve({ status: response.statusCode!, headers: response.headers });
    };
    const given = { port, host: '127.0.0.1', method: 'POST', agent: false, ...options } as const;
    http.request(given, onResponse).once('error', reject).end(body);
  });

describe('the port of the chain and web pages', () => {
  const servers: RpcServer[] = [];
  const errors: unknown[] = [];
  const serve = async (options: Partial<RpcServerOptions>): Promise<RpcServer> => {
    const onError = (error: unknown): void => void errors.push(error);
    const server = await createRpcServer({
      answer: async () => '"0x1"',
      host: '127.0.0.1',
      port: 0,
      onError,
      ...options,
    });
    servers.push(server);
    return server;
  };
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    expect(errors).to.deep.equal([]);
  });

  const PAGE = 'https://pages.example';
  const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const corsOf = ({ status, headers }: Reply): unknown => [
    status,
    Object.entries(headers).filter(([name]) => /^access-control|^vary$/.test(name)),
  ];
  const ALLOWED = ['access-control-allow-origin', PAGE];
  const VARY = ['vary', 'origin'];

  it('answers preflight requests of named origins alone', async () => {
    const { port } = await serve({ corsOrigins: ['null', PAGE] });
    const ask = (headers: Record<string, string>) =>
      send(port, '', { method: 'OPTIONS', headers: { ...PREFLIGHT, ...headers } });
    const granted = [
      ['access-control-allow-methods', 'POST'],
      ['access-control-allow-headers', 'content-type'],
      ['access-control-max-age', '600'],
    ];
    expect(corsOf(await ask({ origin: PAGE }))).to.deep.equal([204, [VARY, ALLOWED, ...granted]]);
    expect((await ask({ origin: 'null' })).headers['access-control-allow-origin']).to.equal('null');
    for (const origin of ['https://other.example', `${PAGE}:444`, PAGE.replace('https', 'http'), `${PAGE}.evil`, '*'])
      expect(corsOf(await ask({ origin })), origin).to.deep.equal([405, [VARY]]);
    expect(corsOf(await ask({}))).to.deep.equal([405, [VARY]]);
    const plain = await send(port, '', { method: 'OPTIONS', headers: { origin: PAGE } });
    expect(plain.status).to.equal(405);
  });

  it('allows a private network to a named origin that asks for it', async () => {
    const { port } = await serve({ corsOrigins: [PAGE] });
    const asking = { ...PREFLIGHT, 'access-control-request-private-network': 'true' };
    const allowed = async (origin: string) =>
      (await send(port, '', { method: 'OPTIONS', headers: { ...asking, origin } })).headers[
        'access-control-allow-private-network'
      ];
    expect([await allowed(PAGE), await allowed('https://other.example')]).to.deep.equal(['true', undefined]);
  });

  it('lets named origins alone read answers and refusals', async () => {
    const { port } = await serve({ corsOrigins: [PAGE], limits: { bodyBytesMax: 100 } });
    const post = (origin: string, body: string) => send(port, body, { headers: { ...JSON_TYPE, origin } });
    expect(corsOf(await post(PAGE, CHAIN_ID))).to.deep.equal([200, [VARY, ALLOWED]]);
    expect(corsOf(await post(PAGE, 'x'.repeat(101)))).to.deep.equal([413, [VARY, ALLOWED]]);
    expect(corsOf(await post('https://other.example', CHAIN_ID))).to.deep.equal([200, [VARY]]);
  });

  it('refuses another name of the server to a named origin, too', async () => {
    const { port } = await serve({ corsOrigins: [PAGE] });
    const headers = { ...JSON_TYPE, ...PREFLIGHT, origin: PAGE, host: 'evil.example' };
    for (const method of ['OPTIONS', 'POST'])
      expect(corsOf(await send(port, CHAIN_ID, { method, headers }))).to.deep.equal([403, []]);
  });
});
