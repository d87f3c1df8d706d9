// Reads the answer of a node as JSON. A node is not trusted with the event loop or the memory.
import type { Steps } from '../../ledger/compliance/steps.ts';
import { holdAnswer } from './answerLimits.ts';
import { runInSlices } from './answerSlices.ts';
import { assertPlainJson } from './assertPlainJson.ts';
import { parseInSteps } from './parseInSteps.ts';
import { readChunks } from './readBounded.ts';
import { RPC_CODE, RpcError } from './rpcError.ts';

/** A text of this length costs little, whatever its form. */
const SMALL_BYTES = 65_536;

const decoder = new TextDecoder('utf-8', { fatal: true });

const lengthOf = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

function* join(chunks: readonly Uint8Array[]): Steps<Buffer> {
  const text = Buffer.allocUnsafe(lengthOf(chunks));
  let at = 0;
  for (const chunk of chunks) {
    text.set(chunk, at);
    at += chunk.length;
    yield;
  }
  return text;
}

function* parseLarge(chunks: readonly Uint8Array[]): Steps<unknown> {
  const text = yield* join(chunks);
  yield* assertPlainJson(text);
  return yield* parseInSteps(text);
}

const parse = async (chunks: readonly Uint8Array[]): Promise<unknown> => {
  if (lengthOf(chunks) > SMALL_BYTES) return runInSlices(parseLarge(chunks));
  return JSON.parse(decoder.decode(Buffer.concat(chunks)));
};

/**
 * What a node answered, of at most `bytesMax` bytes.
 * @throws RpcError when it is larger, or has no room beside the others that are read now; Error when it is not JSON of
 * an ordinary form.
 */
export const readJsonAnswer = async (response: Response, bytesMax: number): Promise<unknown> => {
  using held = holdAnswer();
  const chunks = await readChunks(response, bytesMax, held.take);
  if (chunks === undefined) {
    const message = `the answer is larger than ${bytesMax} bytes, or too many large ones are read now`;
    throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, message);
  }
  try {
    return await parse(chunks);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new Error(`HTTP ${response.status}, and not JSON`, { cause });
  }
};
