// JSON-RPC 2.0 over HTTP: one request, and its answer.

/** Sends a JSON-RPC request, and returns its result. */
export type RequestRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** JSON-RPC 2.0, section 5. */
export interface JsonRpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A request as `fetch` sends it. */
export const toRpcRequest = (method: string, params: readonly unknown[]) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});
