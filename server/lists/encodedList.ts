// The body of a list whose items are encoded already.

/**
 * Returns the JSON of a body with a list under `name`, which is JSON in UTF-8, and the token of the next page; in
 * parts, of which the list isn't copied.
 */
export const encodeListBody = (name: string, list: Uint8Array, nextPageToken: string): readonly Uint8Array[] => [
  Buffer.from(`{${JSON.stringify(name)}:`),
  list,
  Buffer.from(`,"next_page_token":${JSON.stringify(nextPageToken)}}`),
];
