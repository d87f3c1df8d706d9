// The applications of the demo. Their secrets are kept in a file, because the server shows a secret once.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createTokenCache } from '../import/tokenCache.ts';
import { createDemoApi, type DemoApi, type DemoServer } from './demoApi.ts';
import type { DemoAuthor } from './plan.ts';

/** The API as each application calls it. */
export type DemoApis = Readonly<Record<DemoAuthor, DemoApi>>;

interface ApplicationResource {
  readonly identity: string;
  readonly client_id: string;
  readonly credentials: readonly { readonly secret: string }[];
}

interface Credentials {
  readonly clientId: string;
  readonly secret: string;
}

type Stored = Partial<Record<DemoAuthor, Credentials>>;

const NAMES: Readonly<Record<DemoAuthor, string>> = {
  carrier: 'Demo carrier',
  port: 'Demo port',
  inspector: 'Demo inspector',
};

const readStored = async (path: string): Promise<Stored> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${path} can't be read; delete it, and the demo gets new secrets`, { cause: error });
  }
};

const toCredentials = ({ client_id, credentials }: ApplicationResource): Credentials => ({
  clientId: client_id,
  secret: credentials[0]!.secret,
});

// An application that the file doesn't know has lost its secret, and gets another one.
const openCredentials = async (root: DemoApi, author: DemoAuthor, stored: Credentials | undefined) => {
  const display_name = NAMES[author];
  const path = '/iam/v1/applications';
  const { applications } = await root.get<{ applications: ApplicationResource[] }>(
    `${path}?display_name=${encodeURIComponent(display_name)}`,
  );
  const existing = applications[0];
  if (existing === undefined)
    return toCredentials(await root.post<ApplicationResource>(path, { display_name, roles: ['writer'] }));
  if (existing.client_id === stored?.clientId) return stored;
  return toCredentials(await root.post<ApplicationResource>(`/iam/v1/${existing.identity}:regenerate-secret`, {}));
};

const issueToken = async (
  { baseUrl, fetch = globalThis.fetch }: DemoServer,
  { clientId, secret }: Credentials,
): Promise<string> => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
  const response = await fetch(`${baseUrl}/iam/v1/appidp/token`, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`a token of the demo's applications is refused with ${response.status}`);
  return ((await response.json()) as { access_token: string }).access_token;
};

/** Finds the applications or creates them, and writes their secrets to the file at `path`, mode 0600. */
export const openDemoApplications = async (root: DemoApi, server: DemoServer, path: string): Promise<DemoApis> => {
  const stored = await readStored(path);
  const open = async (author: DemoAuthor): Promise<Credentials> => openCredentials(root, author, stored[author]);
  const credentials = { carrier: await open('carrier'), port: await open('port'), inspector: await open('inspector') };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600 });
  const toApi = (own: Credentials): DemoApi =>
    createDemoApi(server, createTokenCache(() => issueToken(server, own)).read);
  return {
    carrier: toApi(credentials.carrier),
    port: toApi(credentials.port),
    inspector: toApi(credentials.inspector),
  };
};
