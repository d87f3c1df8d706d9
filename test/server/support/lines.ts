// Requests and answers of one JSON value on each line.
import type { RequestOptions, TestServer } from './testServer.ts';

export const LINES_TYPE = { 'content-type': 'application/x-ndjson' };

/** A body of lines: texts as they are, other values as JSON. */
export const toLines = (values: readonly unknown[]): string =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');

// biome-ignore lint/suspicious/noExplicitAny: tests read lines of any shape
export const parseLines = (text: string): any[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Sends a body of lines to `events:bulk` and returns the results. */
export const postLines = async (
  server: TestServer,
  body: string | Uint8Array<ArrayBuffer>,
  options: RequestOptions & { query?: string } = {},
) => {
  const path = `/svc/v2/events:bulk${options.query ?? ''}`;
  const answer = await server.request('POST', path, { body, headers: LINES_TYPE, ...options });
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return parseLines(answer.body);
};
