// Tokens that were found good, because to verify a signature costs more than the rest of a request. Bounded, and by hash, so that no
// bearer token lies in memory.
import { hash } from 'node:crypto';
import type { TokenContent, VerifiedToken } from './tokenContent.ts';

const TOKENS_MAX = 10_000;

interface Kept extends VerifiedToken {
  readonly keptAtMs: number;
}

export interface VerifiedTokens {
  /** The content of a token that is still good. */
  find(token: string): TokenContent | undefined;
  /** Remembers a token in the place of the oldest one when there are too many. */
  keep(token: string, verified: VerifiedToken): void;
}

/** `now` gives milliseconds since the epoch; what was kept in the future (the clock was set back) is not found. */
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
