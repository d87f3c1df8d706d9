// An engine that the facts of engines.facts.ts are tried on: the nodes of one chain, and what may happen to them.

/** A node, which each of these calls may find in any state. */
export interface EngineNode {
  readonly url: string;
  /** Ends it, as SIGKILL does. */
  kill(): Promise<void>;
  /** Ends it, as an operator does. */
  stop(): Promise<void>;
  /** Starts it again on its own data; resolves when it answers. */
  start(): Promise<void>;
  /** It accepts connections from now on and answers nothing. */
  suspend(): void;
  resume(): void;
}

/** A chain that makes blocks. */
export interface Engine {
  readonly nodes: readonly EngineNode[];
  /** Blocks that make a block final. */
  readonly confirmations: number;
  /** Lower-case addresses of the validators whose nodes these are, in the order of `nodes`; undefined: unknown. */
  readonly validators: readonly string[] | undefined;
  /** Gives an account what it needs to pay for transactions; nothing where gas is free. */
  fund(address: string): Promise<void>;
  /** From now on the chain makes no blocks, and the first node answers. */
  stall(): Promise<void>;
  /** Ends the stall. */
  continue(): Promise<void>;
  close(): Promise<void>;
}

/** How an engine is opened; `directory` is an empty one for its data. */
export interface EngineKind {
  readonly name: string;
  open(directory: string): Promise<Engine>;
}
