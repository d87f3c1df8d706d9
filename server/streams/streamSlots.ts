// Bounds the streams that are open at once, of each principal and of all.
import { LedgerError } from '../../ledger/errors.ts';
import type { StreamLimits } from '../limits.ts';
import type { CallerIdentity } from '../openapi/handlers.ts';

/** The streams that a server may have open. */
export interface StreamSlots {
  /**
   * Takes a slot for a stream of the caller. Returns the function that returns it.
   * @throws LedgerError STREAM_LIMIT_REACHED when the caller has as many as it may have, STREAMS_BUSY when the server
   * has.
   */
  take(caller: CallerIdentity): () => void;
}

const toKey = ({ tenantIdentity, principal: { issuer, subject } }: CallerIdentity): string =>
  JSON.stringify([tenantIdentity, issuer, subject]);

/** Free slots. */
export const createStreamSlots = ({ max, perPrincipalMax }: StreamLimits): StreamSlots => {
  const taken = new Map<string, number>();
  let count = 0;
  return {
    take: (caller) => {
      const key = toKey(caller);
      const own = taken.get(key) ?? 0;
      if (own >= perPrincipalMax) throw new LedgerError('STREAM_LIMIT_REACHED');
      if (count >= max) throw new LedgerError('STREAMS_BUSY');
      taken.set(key, own + 1);
      count += 1;
      return () => {
        const left = taken.get(key)! - 1;
        count -= 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
};
