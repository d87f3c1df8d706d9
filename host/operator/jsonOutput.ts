// JSON on standard output: as it is for a program, and on a terminal as the same JSON without control characters.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toVisibleJson } from '../../ledger/encoding/visible.ts';
import { thisProcess } from '../commandProcess.ts';

type Parts = Iterable<string> | AsyncIterable<Uint8Array>;

// A character may be in two parts.
async function* toVisibleParts(parts: Parts): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const part of parts)
    yield toVisibleJson(typeof part === 'string' ? part : decoder.decode(part, { stream: true }));
}

/** Writes text of JSON to standard output. Rejects as the parts do. */
export const writeJson = (parts: Parts): Promise<void> => {
  const { stdout } = thisProcess();
  return pipeline(Readable.from(stdout.isTTY === true ? toVisibleParts(parts) : parts), stdout, { end: false });
};
