// The assets that a benchmark's events go to.

/**
 * Creates this many assets, all at once, and returns their identities.
 * @throws Error when one is refused
 */
export const createAssets = async (url: string, token: string, count: number): Promise<string[]> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const create = async (number: number): Promise<string> => {
    const body = JSON.stringify({ attributes: { arc_display_name: `Door ${number}`, arc_display_type: 'Door' } });
    const response = await fetch(`${url}/v2/assets`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`an asset could not be created: ${await response.text()}`);
    return ((await response.json()) as { identity: string }).identity;
  };
  return Promise.all(Array.from({ length: count }, (_, number) => create(number)));
};
