// JSON-RPC of a node that the reader names. It may be anybody's, so that its answers are bounded, and its texts shown
// as quotations.
import { type JsonRpcAnswer, type RequestRpc, toRpcRequest } from '../check/jsonRpc.ts';
import { toQuotation } from '../text/quotation.ts';

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** Nothing of the reader goes along, and no other server is asked. */
const ALONE = { credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error', cache: 'no-store' } as const;

/** @throws Error where it is no URL of a node that a page can ask. */
export const readNodeUrl = (text: string): string => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error('URL of a node: must begin with http:// or https://, such as http://127.0.0.1:8545.');
  if (url.username !== '' || url.password !== '')
    throw new Error('URL of a node: browsers send no user name and no password with it; name a node without one.');
  return url.href;
};

// A page can't read why a request failed. A second request could tell, but browsers send it only if it follows
// redirects, to servers that the reader hasn't named.
const describeFailure = (url: string, { name }: Error): string =>
  name === 'TimeoutError'
    ? `The node at ${url} did not answer within ${TIMEOUT_MS / 1_000} s. Try again.`
    : `No answer of a node at ${url} can be read. Check the address, that the node runs, and that this browser may ` +
      'connect to it: some ask you before a page reaches this machine or its network. If all that is right, the node ' +
      `doesn’t let this page read its answers. Its operator can allow the origin ${globalThis.origin}: on this ` +
      'ledger’s own chain with the setting CHAIN_RPC_CORS_ORIGINS, on other nodes with theirs, such as ' +
      '--http.corsdomain of geth or --rpc-http-cors-origins of Besu. Or use npm run verify.';

const readText = async ({ body }: Response): Promise<string> => {
  const reader = body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > ANSWER_BYTES_MAX) {
      await reader.cancel();
      throw new Error('The node’s answer has more than 4 MiB. Is it a node of the ledger’s chain?');
    }
    text += decoder.decode(value, { stream: true });
  }
};

const parseAnswer = (text: string): JsonRpcAnswer => {
  try {
    const answer = JSON.parse(text) as JsonRpcAnswer | null;
    if (answer !== null && ('result' in answer || 'error' in answer)) return answer;
  } catch {
    // The sentence below says it.
  }
  throw new Error('What answers there is no node: its answer isn’t JSON-RPC. Check the URL.');
};

const ask = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { ...ALONE, ...toRpcRequest(method, params), signal }).catch((error: Error) => {
    throw new Error(describeFailure(url, error), { cause: error });
  });
  if (!answer.ok) throw new Error(`The node answered ${answer.status}. Check the URL, or try again later.`);
  const { result, error } = parseAnswer(await readText(answer));
  if (error === undefined || error === null) return result;
  throw new Error(`The node refused ${method}: “${toQuotation(String(error.message))}”.`);
};

/** Asks the node at a URL. Rejects with Error that says what to do. */
export const createRequestRpc =
  (url: string): RequestRpc =>
  (method, params) =>
    ask(url, method, params);
