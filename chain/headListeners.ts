// Tells whoever asked of each new final block.
import type { BlockRef } from './port.ts';

export interface HeadListeners {
  /** Adds a listener; the function that it returns takes it away. */
  add(listener: (head: BlockRef) => void): () => void;
  announce(head: BlockRef): void;
}

export const createHeadListeners = (): HeadListeners => {
  const entries = new Set<{ readonly listener: (head: BlockRef) => void }>();
  return {
    add: (listener) => {
      const entry = { listener };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    // Not within the block's own promise: a listener that throws must not make a durable block look refused.
    announce: ({ number, hash }) => {
      const head = { number, hash };
      for (const { listener } of entries) queueMicrotask(() => listener(head));
    },
  };
};
