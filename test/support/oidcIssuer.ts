// An OpenID Connect issuer in its own process, with its own keys and without a clock: it signs any text on command.
// startOidcIssuer.ts forks it and sends the commands; it publishes its keys over HTTP as issuers do.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { DISCOVERY_PATH, type IssuerCommands, KEYS_PATH, type Misbehaviour } from './startOidcIssuer.ts';

interface IssuerKey {
  readonly kid: string;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  readonly publicJwk: JWK;
}

const createCommands = (algorithm: string, misbehaviours: Map<string, Misbehaviour>, held: ServerResponse[]) => {
  const keys: IssuerKey[] = [];
  const state = { published: [] as IssuerKey[], fetches: 0 };
  const rotate = async (): Promise<string> => {
    const pair = await generateKeyPair(algorithm);
    const kid = `key-${keys.length + 1}`;
    const publicJwk = { ...(await exportJWK(pair.publicKey)), kid, alg: algorithm, use: 'sig' };
    keys.push({ kid, privateKey: pair.privateKey, publicJwk });
    state.published = [...state.published, keys.at(-1)!];
    return kid;
  };
  const commands: IssuerCommands = {
    rotate,
    sign: async (text, kid) => {
      const { privateKey } = keys.findLast((key) => kid === undefined || key.kid === kid)!;
      const name = privateKey.algorithm.name;
      const bytes = await crypto.subtle.sign({ name, hash: 'SHA-256' }, privateKey, Buffer.from(text));
      return Buffer.from(bytes).toString('base64url');
    },
    withdraw: async () => {
      state.published = keys.slice(-1);
    },
    publicJwk: async () => keys.at(-1)!.publicJwk,
    misbehave: async (path, how) => {
      if (how === undefined) misbehaviours.delete(path);
      else misbehaviours.set(path, how);
      for (const response of held.splice(0)) response.writeHead(503).end();
    },
    fetches: async () => state.fetches,
  };
  return { commands, state };
};

const run = async (algorithm: string): Promise<void> => {
  const misbehaviours = new Map<string, Misbehaviour>();
  const held: ServerResponse[] = [];
  const { commands, state } = createCommands(algorithm, misbehaviours, held);
  await commands.rotate();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === KEYS_PATH) state.fetches += 1;
    const how = misbehaviours.get(path);
    if (how?.hold === true) held.push(response);
    else if (how?.endless === true) response.write('{');
    else if (how !== undefined) response.writeHead(how.status ?? 200, how.headers).end(how.body);
    else if (path === DISCOVERY_PATH) response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}${KEYS_PATH}` }));
    else if (path === KEYS_PATH) response.end(JSON.stringify({ keys: state.published.map((key) => key.publicJwk) }));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.on('message', async ({ id, name, args }: { id: number; name: keyof IssuerCommands; args: [] }) => {
    process.send!({ id, result: await (commands[name] as (...given: unknown[]) => Promise<unknown>)(...args) });
  });
  process.once('disconnect', () => process.exit());
  process.send!({ url });
};

await run(process.argv[2] ?? 'ES256');
