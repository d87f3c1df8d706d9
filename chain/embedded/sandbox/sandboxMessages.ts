// Messages between this process and that of the sandbox.
import type { ForkPoint } from '../edr.ts';
import type { EngineMemory } from '../engine/programMessages.ts';
import type { GenesisConfig } from '../genesis.ts';

/** What the sandbox gets first. */
export interface SandboxStart {
  readonly config: GenesisConfig;
  /** An empty directory, which the sandbox deletes. */
  readonly cacheDirectory: string;
}

/** The text of a JSON-RPC request, or of a list of them, and the block on whose state it is executed. */
export interface SandboxRun {
  readonly point: ForkPoint;
  readonly payload: string;
}

/** What the sandbox is asked, and what the chain answers it. */
export type ToSandbox = (SandboxRun & { readonly id: number }) | { readonly readId: number; readonly text: string };

/** What the sandbox says besides its answers: what it wants to read of the chain, or how much memory it has. */
export type FromSandbox = SandboxRead | EngineMemory;

/** The text of a JSON-RPC request, or of a list of them, that the sandbox sends to the chain. */
export interface SandboxRead {
  readonly readId: number;
  readonly body: string;
}
