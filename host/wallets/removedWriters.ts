// Tenants whose author key here is no longer one of their writers: their records are refused before they are accepted,
// since the contract would refuse each of them. When the key is a writer again, the next block ends that.
import { raiseIfMistake } from '../../chain/defects.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';

/** Knows the tenants whose author was removed. */
export interface RemovedWriters {
  /** Asks the chain about a tenant's author. Resolves with its address if it is no writer. Rejects as `find` does. */
  check(tenantIdentity: string): Promise<Hex | undefined>;
  /** Asks again about the tenants whose author was removed. Never rejects. */
  checkAgain(): Promise<void>;
  /** Number of the tenants whose author was removed. */
  count(): number;
  /** @throws LedgerError AUTHOR_UNAVAILABLE while the tenant's author is no writer. */
  assertWriter(tenantIdentity: string): void;
}

const toRefusal = (tenantIdentity: string, author: Hex): LedgerError => {
  const message = `${author}, the key that signs the records of ${tenantIdentity}, is not one of the tenant's writers any more; the tenant's administrator can add it, or a new key, as a writer`;
  return new LedgerError('AUTHOR_UNAVAILABLE', { message });
};

/** `find` resolves with the address of a tenant's author if it is no writer. `onProblem` gets each change once. */
export const createRemovedWriters = (
  find: (tenantIdentity: string) => Promise<Hex | undefined>,
  onProblem: (message: string) => void,
): RemovedWriters => {
  const refusals = new Map<string, LedgerError>();
  const check: RemovedWriters['check'] = async (tenantIdentity) => {
    const author = await find(tenantIdentity);
    if (author === undefined) {
      if (refusals.delete(tenantIdentity)) onProblem(`the key of ${tenantIdentity} is one of its writers again`);
    } else if (!refusals.has(tenantIdentity)) {
      const refusal = toRefusal(tenantIdentity, author);
      refusals.set(tenantIdentity, refusal);
      onProblem(refusal.message);
    }
    return author;
  };
  return {
    check,
    checkAgain: async () => {
      await Promise.all([...refusals.keys()].map((tenantIdentity) => check(tenantIdentity).catch(raiseIfMistake)));
    },
    count: () => refusals.size,
    assertWriter: (tenantIdentity) => {
      const refusal = refusals.get(tenantIdentity);
      if (refusal !== undefined) throw refusal;
    },
  };
};
