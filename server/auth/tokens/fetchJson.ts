// Fetches a JSON document of an issuer. The answer is bounded in time and size, and redirects are refused.

const BYTES_MAX = 262_144;

const readText = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new Error(`the answer has more than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/**
 * Fetches the JSON at a URL. `signal` aborts the request.
 * @throws Error without an answer, and for an answer with another status than 200, a redirect, more than 256 KiB, or no
 * JSON.
 */
export const fetchJson = async (url: URL, signal: AbortSignal): Promise<unknown> => {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status === 200 && response.body !== null) return JSON.parse(await readText(response.body));
  await response.body?.cancel();
  throw new Error(`${url.href} answers ${response.status}`);
};
