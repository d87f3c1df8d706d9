// Notifies listeners of each new final block.
import type { BlockRef } from './port.ts';

/** Listeners of one chain. */
export interface HeadListeners {
  /** Adds a listener; returns the function that removes it. */
  add(listener: (head: BlockRef) => void): () => void;
  /** Calls every listener, each in a microtask of its own. */
  announce(head: BlockRef): void;
}

/** An empty set of listeners. The same function may be added more than once. */
export const createHeadListeners = (): HeadListeners => {
  const entries = new Set<{ readonly listener: (head: BlockRef) => void }>();
  return {
    add: (listener) => {
      const entry = { listener };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    // Outside the block's own promise: a listener that throws must not make a durable block look refused.
    announce: ({ number, hash }) => {
      const head = { number, hash };
      for (const { listener } of entries) queueMicrotask(() => listener(head));
    },
  };
};
