// One HTTP request to a node, from its arrival there to its answer.
import type { HttpAnswer } from './messageFaults.ts';

/** A request that a node has received. */
export interface Exchange {
  /** The JSON text. */
  readonly body: string;
  readonly method: string;
  respond(answer: HttpAnswer): void;
  /** Breaks the connection. `code` is that of the operating system. */
  reset(code: 'ECONNREFUSED' | 'ECONNRESET'): void;
}
