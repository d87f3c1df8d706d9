// Bounds the streams that are open at once, of each principal, of each tenant and of all.
import { LedgerError } from '../../ledger/errors.ts';
import type { StreamLimits } from '../limits.ts';
import type { CallerIdentity } from '../openapi/handlers.ts';

/** The streams that a server may have open. */
export interface StreamSlots {
  /**
   * Takes a slot for a stream of the caller. Returns the function that returns it.
   * @throws LedgerError STREAM_LIMIT_REACHED when the caller or its tenant has as many as it may have, STREAMS_BUSY
   * when the server has.
   */
  take(caller: CallerIdentity): () => void;
}

// The first names the tenant, the second its principal.
const toKeys = ({ tenantIdentity, principal: { issuer, subject } }: CallerIdentity): readonly [string, string] => [
  tenantIdentity,
  JSON.stringify([tenantIdentity, issuer, subject]),
];

/** Free slots. */
export const createStreamSlots = ({ max, perTenantMax, perPrincipalMax }: StreamLimits): StreamSlots => {
  const taken = new Map<string, number>();
  let count = 0;
  const add = (key: string, change: 1 | -1): void => {
    const left = (taken.get(key) ?? 0) + change;
    if (left === 0) taken.delete(key);
    else taken.set(key, left);
  };
  return {
    take: (caller) => {
      const keys = toKeys(caller);
      const [ofTenant, ofPrincipal] = keys.map((key) => taken.get(key) ?? 0) as [number, number];
      if (ofTenant >= perTenantMax || ofPrincipal >= perPrincipalMax) throw new LedgerError('STREAM_LIMIT_REACHED');
      if (count >= max) throw new LedgerError('STREAMS_BUSY');
      for (const key of keys) add(key, 1);
      count += 1;
      return () => {
        for (const key of keys) add(key, -1);
        count -= 1;
      };
    },
  };
};
