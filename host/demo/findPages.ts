// Whether a server has pages for people.
import type { RunningServer } from '../operator/controlClient.ts';

/** Whether the server answers `/` with a page. */
export const findPages = async ({ url, fetch }: Pick<RunningServer, 'url' | 'fetch'>): Promise<boolean> => {
  const response = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
  await response.body?.cancel();
  return response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');
};
