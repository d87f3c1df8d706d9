// Messages between this process and those of the engine's native code.

/** A request to the engine: the text of a JSON-RPC request, or of a list of them; or to free the memory of answers. */
export type ToEngine =
  | { readonly id: number; readonly payload: string }
  | { readonly id: number; readonly payload: 'collect' };

/** Bytes of memory that the engine's process uses. */
export interface EngineMemory {
  readonly memoryBytes: number;
}

/** What a program says: that it has started or lives, an answer, why there is none, or something of its own. */
export type FromProgram<Other> =
  | 'started'
  | 'alive'
  | Other
  | { readonly id: number; readonly text: string }
  | { readonly id: number; readonly failure: string };
