// Caches verified tokens, because verifying a signature costs more than the rest of a request. The cache is bounded and
// keyed by hash, so that it holds no bearer token.
import { hash } from 'node:crypto';
import type { TokenContent, VerifiedToken } from './tokenContent.ts';

const TOKENS_MAX = 10_000;

interface Kept extends VerifiedToken {
  readonly keptAtMs: number;
}

export interface VerifiedTokens {
  /** The content of a token that is still valid; undefined when it must be verified. */
  find(token: string): TokenContent | undefined;
  /** Adds a token, in place of the oldest one when the cache is full. */
  keep(token: string, verified: VerifiedToken): void;
}

/**
 * An empty cache. `now` returns milliseconds since the epoch; a token that was added in the future (the clock was set
 * back) isn't found.
 */
export const createVerifiedTokens = (now: () => number): VerifiedTokens => {
  const kept = new Map<string, Kept>();
  return {
    find: (token) => {
      const key = hash('sha256', token);
      const found = kept.get(key);
      if (found === undefined) return undefined;
      const atMs = now();
      if (found.keptAtMs <= atMs && atMs < found.validUntilMs) return found.content;
      kept.delete(key);
      return undefined;
    },
    keep: (token, verified) => {
      const oldest = kept.keys().next().value;
      if (kept.size >= TOKENS_MAX && oldest !== undefined) kept.delete(oldest);
      kept.set(hash('sha256', token), { ...verified, keptAtMs: now() });
    },
  };
};
