// The requests of an import to a running server.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Where the server is, and how it is authenticated to. */
export interface ImportTarget {
  /** Base URL of the server, without a slash at the end. */
  readonly url: string;
  /** A token with the right to write. Called before each request. */
  readonly readToken: () => Promise<string>;
}

/** A line to send, and the line of the file that it comes from; undefined for a blank line, which gets no answer. */
export interface ImportLine {
  readonly line: number | undefined;
  readonly text: string;
}

/** The server's answer to one line. */
export interface ImportResult {
  readonly status: number;
  readonly error?: { readonly message: string };
}

/** Creates an asset once for each key, and returns its identity. Rejects with the server's refusal. */
export const createImportedAsset = async (target: ImportTarget, key: string, body: object): Promise<string> => {
  const headers = {
    authorization: `Bearer ${await target.readToken()}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  const response = await fetch(`${target.url}/svc/v2/assets`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { identity: string; message: string };
  if (!response.ok) throw new Error(`${response.status} ${answer.message}`);
  return answer.identity;
};

const open = async ({ url, readToken }: ImportTarget): Promise<readonly [ClientRequest, IncomingMessage]> => {
  const headers = { authorization: `Bearer ${await readToken()}`, 'content-type': 'application/x-ndjson' };
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const sent = send(`${url}/svc/v2/events:bulk?fields=identity`, { method: 'POST', headers });
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return [sent, response];
};

async function* readLines(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const text of response.setEncoding('utf8')) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

type OnResult = (line: number, result: ImportResult) => void;

const readResults = async (response: IncomingMessage, waiting: number[], onResult: OnResult): Promise<void> => {
  for await (const text of readLines(response)) {
    const answer = JSON.parse(text) as ImportResult & { readonly message?: string };
    if (response.statusCode !== 200) throw new Error(`the server answers ${response.statusCode}: ${answer.message}`);
    onResult(waiting.shift()!, answer);
  }
};

/**
 * Sends lines in one request and calls `onResult` with the answer to each, in order. Resolves with the number of lines
 * that got no answer, because the server ended the request. Rejects when it refuses the request or the connection is
 * lost.
 */
export const sendImportLines = async (
  target: ImportTarget,
  lines: AsyncIterable<ImportLine>,
  onResult: OnResult,
): Promise<number> => {
  const [sent, response] = await open(target);
  const waiting: number[] = [];
  const reading = readResults(response, waiting, onResult);
  let isEnded = false;
  const ended = Promise.allSettled([reading]).then(() => {
    isEnded = true;
  });
  // The connection's error is that of the response, too.
  sent.on('error', () => response.destroy());
  for await (const { line, text } of lines) {
    if (isEnded) break;
    if (line !== undefined) waiting.push(line);
    if (!sent.write(text)) await Promise.race([new Promise((resolve) => sent.once('drain', resolve)), ended]);
  }
  sent.end();
  await reading;
  return waiting.length;
};
