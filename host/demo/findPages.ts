// Whether a server has pages for people.

/** Whether the server of this base URL answers `/` with a page. */
export const findPages = async (url: string): Promise<boolean> => {
  const response = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
  await response.body?.cancel();
  return response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');
};
