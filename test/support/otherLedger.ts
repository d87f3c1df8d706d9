// Another ledger for records of checkpoints: a real ledger and its server, behind a proxy that may answer in its place.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Checkpoints, openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import { createFixtureTenant, type FixtureTenant } from './fixtureTenant.ts';
import type { Json } from './mutations.ts';
import type { SharedLedger } from './sharedLedger.ts';
import { serveTestLedger } from './testLedger.ts';

/** A request to the other ledger's server. */
export interface ProxiedRequest {
  readonly method: string;
  /** With its prefix. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Resolves with the answer of the real server. */
  forward(): Promise<Response>;
}

/** Answers a request; undefined: as the real server does. */
export type Intercept = (request: ProxiedRequest, response: ServerResponse) => Promise<Response | undefined>;

/** Another ledger. */
export interface AnotherLedger {
  /** Of its API, with its prefix. */
  readonly url: string;
  readonly tenant: FixtureTenant;
  readonly asset: { readonly identity: string };
  readonly checkpoints: Checkpoints;
  /** What its server was asked, in order: `POST /archivist/...`. */
  readonly requests: string[];
  readonly trust: { readonly [name: string]: Json };
  /** Settings of a server that has its checkpoints recorded there, with files in a directory. */
  writeSettings(directory: string): Promise<{
    anchorUrl: string;
    anchorAsset: string;
    anchorCredentialsFile: string;
    anchorTrustFile: string;
    anchorSeconds: number;
  }>;
  countEvents(): Promise<number>;
  /** From now on; undefined: the real server answers. */
  intercept(answer: Intercept | undefined): void;
  close(): Promise<void>;
}

const sendAnswer = async (answer: Response, response: ServerResponse): Promise<void> => {
  const headers = [...answer.headers].filter(([name]) => !['content-encoding', 'content-length'].includes(name));
  response.writeHead(answer.status, Object.fromEntries(headers)).end(Buffer.from(await answer.arrayBuffer()));
};

const startProxy = async (
  target: string,
  onRequest: (request: ProxiedRequest, response: ServerResponse) => Promise<Response | undefined>,
) => {
  const toProxied = async (request: IncomingMessage): Promise<ProxiedRequest> => {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
    const init = { method, headers: others as Record<string, string>, ...(method === 'POST' && { body }) };
    return { method, path, headers, body, forward: () => fetch(`${target}${path}`, init) };
  };
  const server = createServer(async (request, response) => {
    const proxied = await toProxied(request);
    const answer = await onRequest(proxied, response);
    if (answer !== undefined) await sendAnswer(answer, response);
    else if (!response.headersSent && !response.destroyed) await sendAnswer(await proxied.forward(), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
};

/** Opens the block log and the server of a ledger, to which another one has its checkpoints recorded. */
export const openAnotherLedger = async ({ ledger }: Pick<SharedLedger, 'ledger'>): Promise<AnotherLedger> => {
  const checkpoints = (await openCheckpoints(
    ledger,
    { checkpointSeconds: 3_600, logOrigin: 'other.example/1' },
    () => undefined,
  ))!;
  const server = await serveTestLedger(ledger, { evidence: openEvidence({ ledger, checkpoints, waitMs: 30_000 }) });
  const tenant = await createFixtureTenant(ledger, server, 'anchors');
  const asset = await tenant.createAsset();
  const requests: string[] = [];
  let answer: Intercept | undefined;
  const proxy = await startProxy(server.url, async (request, response) => {
    requests.push(`${request.method} ${request.path}`);
    return answer?.(request, response);
  });
  const url = `${proxy.url}/archivist`;
  const trust = { chain_id: ledger.chain.chainId, contract: ledger.contract, logs: [checkpoints.logKey] };
  return {
    url,
    tenant,
    asset,
    checkpoints,
    requests,
    trust,
    writeSettings: async (directory) => {
      const [anchorCredentialsFile, anchorTrustFile] = [join(directory, 'credentials'), join(directory, 'trust.json')];
      const { clientId, clientSecret } = tenant;
      await writeFile(
        anchorCredentialsFile,
        `# of another ledger\nclient_id=${clientId}\nclient_secret=${clientSecret}\n`,
        { mode: 0o600 },
      );
      await writeFile(anchorTrustFile, JSON.stringify(trust));
      return { anchorUrl: url, anchorAsset: asset.identity, anchorCredentialsFile, anchorTrustFile, anchorSeconds: 1 };
    },
    countEvents: async () => (await tenant.get<{ events: unknown[] }>(`${asset.identity}/events`)).body.events.length,
    intercept: (given) => {
      answer = given;
    },
    close: async () => {
      proxy.server.close();
      proxy.server.closeAllConnections();
      await server.close();
      await checkpoints.close();
    },
  };
};
