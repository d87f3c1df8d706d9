// Starts an issuer in its own process (oidcIssuer.ts) and sends it commands.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JWK } from 'jose';

/** The wrong answer of a path; `hold` sends no answer until it is lifted, `endless` never ends. */
export interface Misbehaviour {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly hold?: boolean;
  readonly endless?: boolean;
}

export interface IssuerCommands {
  /** Signs the text as JWS does, with the newest key or the named one. Base64url. */
  sign(text: string, kid?: string): Promise<string>;
  /** Creates a key, publishes it and signs with it. Earlier keys stay published. */
  rotate(): Promise<string>;
  /** Withdraws all published keys but the newest. */
  withdraw(): Promise<void>;
  publicJwk(): Promise<JWK>;
  misbehave(path: string, how: Misbehaviour | undefined): Promise<void>;
  /** Number of requests for its keys. */
  fetches(): Promise<number>;
}

export const DISCOVERY_PATH = '/.well-known/openid-configuration';
export const KEYS_PATH = '/keys';

const PROGRAM = fileURLToPath(new URL('oidcIssuer.ts', import.meta.url));
const NAMES = ['sign', 'rotate', 'withdraw', 'publicJwk', 'misbehave', 'fetches'] as const;

export interface OidcIssuer extends IssuerCommands {
  /** Its `iss`, which is also its URL. */
  readonly url: string;
  /** Ends its process. */
  stop(): Promise<void>;
}

/** An issuer whose keys are of this algorithm. */
export const startOidcIssuer = async (algorithm: 'ES256' | 'RS256' = 'ES256'): Promise<OidcIssuer> => {
  const child = fork(PROGRAM, [algorithm], { serialization: 'advanced' });
  const exited = once(child, 'exit');
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const waiting = new Map<number, (result: unknown) => void>();
  child.on('message', ({ id, result }: { id: number; result: unknown }) => {
    waiting.get(id)!(result);
    waiting.delete(id);
  });
  let sent = 0;
  const command =
    (name: string) =>
    (...args: unknown[]): Promise<unknown> =>
      new Promise((resolve) => {
        sent += 1;
        waiting.set(sent, resolve);
        child.send({ id: sent, name, args });
      });
  const commands = Object.fromEntries(NAMES.map((name) => [name, command(name)])) as unknown as IssuerCommands;
  return {
    ...commands,
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
