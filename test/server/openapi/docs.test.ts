import { connect } from 'node:net';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createApp } from '../../../server/app.ts';
import { listen } from '../../../server/listen.ts';
import { readDocument } from '../../../server/openapi/document.ts';
import { getRaw, type RawAnswer } from '../support/rawAnswers.ts';
import { LIMITS, startTestServer } from '../support/testServer.ts';
import { useServer } from '../support/useServer.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over a document
type Node = any;

const DOCUMENTS = [
  '/docs',
  '/docs/start.js',
  '/docs/compliance',
  '/docs/compliance-start.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/favicon-32x32.png',
  '/openapi.json',
  '/docs/compliance.json',
];
const PAGES = ['/docs', '/docs/compliance'];

describe('GET /docs', () => {
  const server = useServer();
  const get = (path: string) => server.request('GET', path, { as: null });

  for (const page of PAGES) {
    it(`${page} is a page without inline scripts, and all its files are on this server`, async () => {
      const { status, body, headers } = await get(page);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(body).not.to.match(/<script(?![^>]*\ssrc=)|\son\w+=|https?:|\/\/[a-z]/);
      const parts = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
      expect(parts).to.have.length(4);
      for (const path of parts) {
        const part = await get(path);
        expect([path, part.status]).to.eql([path, 200]);
        expect(part.headers.get('x-content-type-options')).to.equal('nosniff');
      }
    });

    it(`${page} forbids the browser to load anything from other hosts`, async () => {
      const policy = (await get(page)).headers.get('content-security-policy')!;
      expect(policy).to.match(/^default-src 'none'; script-src 'self';/);
      expect(policy).not.to.match(/https?:|\*|unsafe-eval/);
    });
  }

  it('shows the document with the configured limits, and uses no online validator', async () => {
    const { body } = await get('/openapi.json');
    expect(body).to.eql(readDocument(LIMITS));
    const start = (await get('/docs/start.js')).body;
    expect(start).to.include("url: '/openapi.json'").and.to.include('validatorUrl: null');
  });

  it('shows the compliance operations as OpenAPI 2.0', async () => {
    expect((await get('/docs/compliance.json')).body).to.deep.include({ swagger: '2.0', basePath: '/svc' });
    expect((await get('/docs/compliance-start.js')).body).to.include("url: '/docs/compliance.json'");
  });

  interface SwaggerOptions {
    readonly url: string;
    readonly persistAuthorization: boolean;
    readonly responseInterceptor: (response: { url: string; text: string }) => { text: string };
  }

  /** The options that a page's start script passes to Swagger UI. */
  const readOptions = async (path: string): Promise<SwaggerOptions> => {
    const context = { URL, window: {}, SwaggerUIBundle: (options: SwaggerOptions) => options };
    return runInNewContext((await get(path)).body, context) as SwaggerOptions;
  };

  /** The document as Swagger UI shows it. */
  const readShown = async (start: string) => {
    const { url, responseInterceptor } = await readOptions(start);
    const response = { url: `${server.url}${url}`, text: JSON.stringify((await get(url)).body) };
    return JSON.parse(responseInterceptor(response).text);
  };

  it("keeps the user's token over a reload, separately from that of the other page", async () => {
    const { securityDefinitions, paths } = await readShown('/docs/compliance-start.js');
    expect(Object.keys(securityDefinitions)).to.eql(['authorization']);
    expect(paths['/v1/compliance_policies'].get.security).to.eql([{ authorization: [] }]);
    expect((await readShown('/docs/start.js')).components.securitySchemes).to.have.all.keys('bearer');
    for (const path of ['/docs/start.js', '/docs/compliance-start.js'])
      expect((await readOptions(path)).persistAuthorization).to.equal(true);
  });

  it('leaves filters and headers empty, and keeps the examples as options', async () => {
    const { components, paths } = await readShown('/docs/start.js');
    const operations = Object.values<Node>(paths).flatMap((item) => Object.values<Node>(item));
    const parameters = [
      ...Object.values<Node>(components.parameters),
      ...operations.flatMap((each) => each.parameters ?? []),
    ];
    expect(parameters.length).to.be.greaterThan(50);
    for (const { example, examples, schema = {} } of parameters) {
      expect([example, schema.example, schema.default]).to.eql([undefined, undefined, undefined]);
      if (examples !== undefined) expect(Object.values<{ value: unknown }>(examples)[0]!.value).to.equal('');
    }
    expect(components.parameters.HashOfBlob.examples.example.value).to.match(/^[0-9a-f]{64}$/);
  });

  it('fills in a body that every write refuses, unless the user chooses an example', async () => {
    const { paths } = await readShown('/docs/start.js');
    const { paths: compliancePaths } = await readShown('/docs/compliance-start.js');
    let bodies = 0;
    for (const [path, item] of Object.entries<Record<string, Node>>(paths))
      for (const [method, { requestBody }] of Object.entries(item)) {
        const examples = requestBody?.content['application/json']?.examples;
        if (examples === undefined) continue;
        bodies += 1;
        const [{ value }, ...others] = Object.values<{ value: unknown }>(examples) as [{ value: unknown }];
        expect(others).not.to.be.empty;
        const target = `/svc${path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')}`;
        const { status, body } = await server.request(method.toUpperCase(), target, {
          json: value,
          as: server.tenant.root,
        });
        expect([path, status, body.details[0].field]).to.eql([path, 400, 'body']);
      }
    expect(bodies).to.be.at.least(10);
    const policy = compliancePaths['/v1/compliance_policies'].post.parameters.at(-1).schema.example;
    const refused = await server.request('POST', '/svc/v1/compliance_policies', {
      json: policy,
      as: server.tenant.root,
    });
    expect(refused.status).to.equal(400);
  });

  it('serves no other file', async () => {
    for (const path of ['/docs/package.json', '/docs/index.html', '/docs/..%2fpackage.json', '/openapi.yaml']) {
      expect((await get(path)).status).to.equal(404);
    }
  });

  const decode = ({ headers, bytes }: RawAnswer): Buffer => {
    if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes);
    return headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  };

  for (const path of DOCUMENTS) {
    it(`${path} is sent in an encoding that the client accepts, with its own ETag, and only once`, async () => {
      const plain = await getRaw(server, path);
      expect(plain.headers).not.to.have.property('content-encoding');
      const tags = new Set<string>();
      for (const accepted of ['gzip, deflate, br', 'gzip', 'br;q=0, gzip;q=0.5', 'deflate', '*', 'br']) {
        const answer = await getRaw(server, path, { 'accept-encoding': accepted });
        expect(answer.status).to.equal(200);
        expect(answer.headers).to.include({ vary: 'accept-encoding', 'content-type': plain.headers['content-type'] });
        expect(Number(answer.headers['content-length'])).to.equal(answer.bytes.length);
        expect(decode(answer).equals(plain.bytes)).to.equal(true);
        const etag = answer.headers.etag!;
        tags.add(`${answer.headers['content-encoding']} ${etag}`);
        const again = await getRaw(server, path, { 'accept-encoding': accepted, 'if-none-match': etag });
        expect([again.status, again.bytes.length, again.headers.etag]).to.eql([304, 0, etag]);
      }
      expect(new Set([...tags].map((tag) => tag.split(' ')[1]))).to.have.property('size', tags.size);
      const head = await getRaw(server, path, {}, 'HEAD');
      expect([head.bytes.length, head.headers['content-length']]).to.eql([0, plain.headers['content-length']]);
    });
  }

  it('are compressed to a quarter of their bytes: the document and the script', async () => {
    for (const path of ['/openapi.json', '/docs/swagger-ui-bundle.js']) {
      const encoded = await getRaw(server, path, { 'accept-encoding': 'br' });
      expect(encoded.headers['content-encoding']).to.equal('br');
      expect(encoded.bytes.length).to.be.lessThan((await getRaw(server, path)).bytes.length / 4 + 1);
    }
  });
});

describe('64 KiB of pipelined requests for the document', () => {
  const REQUEST = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n';
  const COUNT = Math.floor(65_536 / REQUEST.length);

  it('are handled one after another, with the requests of other clients in between', async () => {
    const server = await startTestServer();
    const app = createApp(server.deps);
    let dispatched = 0;
    const options = { host: '127.0.0.1', port: 0, graceMs: 0 };
    const flooded = await listen((request, response) => {
      dispatched += 1;
      app(request, response);
    }, options);
    const { hostname, port } = new URL(flooded.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).resume();
    socket.write(REQUEST.repeat(COUNT));
    await new Promise((resolve) => socket.once('data', resolve));
    expect((await fetch(`${flooded.url}/healthz`)).status).to.equal(200);
    expect(dispatched).to.be.within(2, COUNT / 2);
    socket.destroy();
    await flooded.close();
    await server.close();
  });
});
