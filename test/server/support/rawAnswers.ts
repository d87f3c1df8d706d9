import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer whose body is as it was sent. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Requests a path as it is, on a connection of its own. `fetch` would normalize the path, and decode the body. */
export const getRaw = (
  { url }: { readonly url: string },
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    request(url, { path, headers, method, agent: false }, async (response) =>
      resolve({ status: response.statusCode!, headers: response.headers, bytes: await buffer(response) }),
    )
      .once('error', reject)
      .end();
  });
