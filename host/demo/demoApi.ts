// The demo's requests to the API of a running server.
import { setTimeout } from 'node:timers/promises';
import { toConnectionFailure } from '../connectionFailure.ts';
import type { RunningServer } from '../operator/controlClient.ts';

const TIMEOUT_MS = 60_000;
const ATTEMPTS_MAX = 5;
const RATE_LIMITED = 429;

/** The server's answer to one line of a request of many events. */
interface LineResult {
  readonly status: number;
  readonly identity?: string;
  readonly error?: { readonly message?: string };
}

/** Requests of one caller. Each rejects with an Error that has the path, the status and the server's message. */
export interface DemoApi {
  get<T>(path: string): Promise<T>;
  /** Creates a resource; with a key that was used before, the first answer again. */
  post<T>(path: string, body: object, key?: string): Promise<T>;
  /** Uploads a PDF file. */
  upload<T>(bytes: Uint8Array<ArrayBuffer>, key: string): Promise<T>;
  /** Records events, each with its `idempotency_key`, and resolves with their identities. */
  postEvents(events: readonly object[]): Promise<string[]>;
}

const JSON_BODY = { 'content-type': 'application/json' };

const toKeyHeader = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'idempotency-key': key };

const toForm = (bytes: Uint8Array<ArrayBuffer>): FormData => {
  const form = new FormData();
  form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'certificate.pdf');
  return form;
};

const toIdentities = (text: string, count: number): string[] => {
  const results = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LineResult);
  const refused = results.find(({ status }) => status !== 200);
  if (refused !== undefined) throw new Error(`an event is refused with ${refused.status}: ${refused.error?.message}`);
  if (results.length !== count) throw new Error(`the server answered ${results.length} of ${count} events`);
  return results.map(({ identity }) => identity!);
};

/** Where the API is. */
export interface DemoServer extends Partial<Pick<RunningServer, 'fetch'>> {
  /** URL of the API, with its prefix. */
  readonly baseUrl: string;
}

/** The requests of a caller. `readToken` is called for each. */
export const createDemoApi = (
  { baseUrl, fetch = globalThis.fetch }: DemoServer,
  readToken: () => Promise<string>,
): DemoApi => {
  const attempt = async (path: string, init: RequestInit): Promise<Response> => {
    const authorization = `Bearer ${await readToken()}`;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return fetch(`${baseUrl}${path}`, { ...init, headers: { ...init.headers, authorization }, signal }).catch(
      (cause) => {
        throw new Error(`${path}: ${toConnectionFailure(cause)}`, { cause });
      },
    );
  };
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    for (let attempts = 1; ; attempts += 1) {
      const response = await attempt(path, init);
      if (response.ok) return response;
      const text = await response.text();
      if (response.status !== RATE_LIMITED || attempts === ATTEMPTS_MAX)
        throw new Error(`${path} answers ${response.status}: ${text}`);
      await setTimeout(Number(response.headers.get('retry-after') ?? 1) * 1_000);
    }
  };
  const requestJson = async <T>(path: string, init: RequestInit): Promise<T> =>
    (await (await request(path, init)).json()) as T;
  return {
    get: (path) => requestJson(path, {}),
    post: (path, body, key) =>
      requestJson(path, { method: 'POST', headers: { ...JSON_BODY, ...toKeyHeader(key) }, body: JSON.stringify(body) }),
    upload: (bytes, key) =>
      requestJson('/v1/blobs', { method: 'POST', headers: toKeyHeader(key), body: toForm(bytes) }),
    postEvents: async (events) => {
      const body = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      const headers = { 'content-type': 'application/x-ndjson' };
      const response = await request('/v2/events:bulk?fields=identity', { method: 'POST', headers, body });
      return toIdentities(await response.text(), events.length);
    },
  };
};
