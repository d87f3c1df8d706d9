// Reads what another party's server answers, without trusting its length.

/**
 * The chunks of an answer, decoded; undefined when there are more than `bytesMax`, or `take` has no room for some.
 * Rejects when the connection ends.
 */
export const readChunks = async (
  { body }: Response,
  bytesMax: number,
  take: (bytes: number) => boolean = () => true,
): Promise<Uint8Array[] | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax || !take(chunk.length)) return undefined;
    chunks.push(chunk);
  }
  return chunks;
};

/** As `readChunks`, in one piece. */
export const readBounded = async (response: Response, bytesMax: number): Promise<Buffer | undefined> => {
  const chunks = await readChunks(response, bytesMax);
  return chunks && Buffer.concat(chunks);
};
