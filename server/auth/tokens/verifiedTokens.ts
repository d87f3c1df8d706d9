// Caches verified tokens, because verifying a signature costs more than the rest of a request. The cache is bounded and
// keyed by hash, so that it holds no bearer token.
import { hash } from 'node:crypto';
import type { TokenContent, VerifiedToken } from './tokenContent.ts';

const TOKENS_MAX = 10_000;
/** Of the tokens together: their claims are kept, which are no longer than they. */
const CHARACTERS_MAX = 32 * 1024 * 1024;

interface Kept extends VerifiedToken {
  readonly keptAtMs: number;
  readonly characters: number;
}

export interface VerifiedTokens {
  /** The content of a token that is still valid; undefined when it must be verified. */
  find(token: string): TokenContent | undefined;
  /** Adds a token, in place of the oldest ones when the cache is full. */
  keep(token: string, verified: VerifiedToken): void;
}

/**
 * An empty cache. `now` returns milliseconds since the epoch; a token that was added in the future (the clock was set
 * back) isn't found.
 */
export const createVerifiedTokens = (now: () => number): VerifiedTokens => {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const remove = (key: string): void => {
    characters -= kept.get(key)?.characters ?? 0;
    kept.delete(key);
  };
  const isFull = (more: number): boolean => kept.size >= TOKENS_MAX || characters + more > CHARACTERS_MAX;
  return {
    find: (token) => {
      const key = hash('sha256', token);
      const found = kept.get(key);
      if (found === undefined) return undefined;
      const atMs = now();
      if (found.keptAtMs <= atMs && atMs < found.validUntilMs) return found.content;
      remove(key);
      return undefined;
    },
    keep: (token, verified) => {
      const key = hash('sha256', token);
      remove(key);
      for (const oldest of kept.keys()) {
        if (!isFull(token.length)) break;
        remove(oldest);
      }
      characters += token.length;
      kept.set(key, { ...verified, keptAtMs: now(), characters: token.length });
    },
  };
};
