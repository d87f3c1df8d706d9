// Messages between this process and that of the engine.

/** What the engine is asked: the text of a JSON-RPC request, or of a list of them; or to free the memory of answers. */
export type ToEngine =
  | { readonly id: number; readonly payload: string }
  | { readonly id: number; readonly payload: 'collect' };

/** What the engine answers: that it has started, the text of an answer, or why there is none. */
export type FromEngine =
  | 'started'
  | { readonly memoryBytes: number }
  | { readonly id: number; readonly text: string }
  | { readonly id: number; readonly failure: string };
