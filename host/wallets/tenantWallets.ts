// Each tenant's two keys: the author, which signs its records, and the administrator, which registers and removes its
// authors.
import type { Wallet } from '../../chain/wallet.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toTenantIdentity, toUuid } from '../../ledger/identity.ts';
import type { Keyring } from '../keyring.ts';

/** Prepares for a tenant that begins to be served; nothing of it is written before this resolves. */
export type OnTenantAdded = (tenantIdentity: string) => Promise<void>;

export interface TenantWallets {
  /** Creates the wallets of a new tenant, and adds it. */
  create(tenantIdentity: string): Promise<{ author: Wallet; administrator: Wallet }>;
  /**
   * Begins to serve a tenant, once: opens its author's wallet, which is created if it doesn't exist. Resolves when all
   * listeners of `onAdded` have; a tenant whose listener fails is not added.
   */
  add(tenantIdentity: string): Promise<Wallet>;
  /**
   * Creates the author's wallet of a tenant that is not served yet: `authorOf` refuses it with TENANT_PENDING until it
   * is added.
   */
  createPending(tenantIdentity: string): Promise<Wallet>;
  /** Calls `listener` with each tenant before it is added. Returns a function that ends that. */
  onAdded(listener: OnTenantAdded): () => void;
  /**
   * The author of a tenant.
   * @throws LedgerError TENANT_PENDING while it is not served yet, AUTHOR_UNAVAILABLE when this installation has no key
   * of it, or a damaged one.
   */
  authorOf(tenantIdentity: string): Wallet;
  /** Whether a tenant's key is here, and the tenant is not served yet. */
  isPending(tenantIdentity: string): boolean;
  /** Address of a tenant's author; undefined when this installation doesn't have its key. */
  findAddress(tenantIdentity: string): Hex | undefined;
  /** Addresses of all authors. */
  addresses(): Hex[];
  /** Identities of all tenants whose authors' keys are here, except those that are not served yet. */
  tenantIdentities(): string[];
  /**
   * Makes `authorOf` refuse this tenant until it is added, because its key is missing, or one that the ledger has never
   * known. Returns the refusal.
   */
  exclude(tenantIdentity: string): LedgerError;
  /** Number of the tenants that were excluded. */
  excludedCount(): number;
}

const AUTHOR_FILE = /^tenant-author-([0-9a-f-]{36})$/;
const ADMINISTRATOR_FILE = /^tenant-administrator-([0-9a-f-]{36})$/;
/** Name of the wallet that signs a tenant's records. */
export const toAuthorName = (tenantUuid: string): string => `tenant-author-${tenantUuid}`;
/** Name of the wallet that registers a tenant's authors. */
export const toAdministratorName = (tenantUuid: string): string => `tenant-administrator-${tenantUuid}`;

/** Name of the wallet that is to administer a tenant. */
export const toSuccessorName = (tenantUuid: string): string => `tenant-successor-${tenantUuid}`;

/** UUID of the tenant whose author a wallet is; undefined for another wallet. */
export const findTenantUuid = (name: string): string | undefined => AUTHOR_FILE.exec(name)?.[1];

/** UUID of the tenant whose administrator a wallet is; undefined for another wallet. */
export const findAdministeredUuid = (name: string): string | undefined => ADMINISTRATOR_FILE.exec(name)?.[1];

/** What may be wrong with an author's key. */
const PROBLEMS = {
  damaged: 'can not be read',
  missing: 'is not in DATA_DIR/keys',
  unknown: 'is not one that the ledger has ever known: the file has changed',
};

const REMEDY =
  'restore it from a backup and restart the server, or on a network register a new key: npm run tenant -- join';

const refuseAuthor = (tenantIdentity: string, problem: keyof typeof PROBLEMS, cause?: unknown): LedgerError => {
  const name = `${toAuthorName(toUuid(tenantIdentity))}.key`;
  const problemOfKey = `${name}, the key that signs the records of ${tenantIdentity}, ${PROBLEMS[problem]}`;
  return new LedgerError('AUTHOR_UNAVAILABLE', { message: `${problemOfKey}; ${REMEDY} ${tenantIdentity}`, cause });
};

type Authors = Map<string, Wallet>;
type Excluded = Map<string, LedgerError>;

// A key that can't be read is the loss of its tenant alone.
const openAuthors = async (keyring: Keyring, isPending: (uuid: string) => boolean): Promise<[Authors, Excluded]> => {
  const authors: Authors = new Map();
  const excluded: Excluded = new Map();
  for (const name of await keyring.listWallets()) {
    const uuid = findTenantUuid(name);
    if (uuid === undefined || isPending(uuid)) continue;
    try {
      authors.set(uuid, await keyring.openWallet(name));
    } catch (cause) {
      excluded.set(uuid, refuseAuthor(toTenantIdentity(uuid), 'damaged', cause));
    }
  }
  return [authors, excluded];
};

/** Opens the wallets of all tenants that have keys here. */
export const openTenantWallets = async (keyring: Keyring): Promise<TenantWallets> => {
  const listeners = new Set<OnTenantAdded>();
  const pending = new Set<string>();
  for (const { tenantIdentity, servedSince } of await keyring.pendingTenants.list()) {
    if (servedSince === undefined) pending.add(toUuid(tenantIdentity));
  }
  const [authors, excluded] = await openAuthors(keyring, (uuid) => pending.has(uuid));
  const add = async (tenantIdentity: string): Promise<Wallet> => {
    const uuid = toUuid(tenantIdentity);
    const added = authors.get(uuid);
    if (added !== undefined) return added;
    const author = await keyring.openWallet(toAuthorName(uuid));
    for (const listener of listeners) await listener(tenantIdentity);
    pending.delete(uuid);
    excluded.delete(uuid);
    authors.set(uuid, author);
    return author;
  };
  return {
    create: async (tenantIdentity) => {
      // A backup with the administrator's key alone would be refused.
      const author = await add(tenantIdentity);
      return { author, administrator: await keyring.openWallet(toAdministratorName(toUuid(tenantIdentity))) };
    },
    add,
    createPending: async (tenantIdentity) => {
      pending.add(toUuid(tenantIdentity));
      return keyring.openWallet(toAuthorName(toUuid(tenantIdentity)));
    },
    onAdded: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    authorOf: (tenantIdentity) => {
      const uuid = toUuid(tenantIdentity);
      if (pending.has(uuid)) throw new LedgerError('TENANT_PENDING');
      const refusal = excluded.get(uuid);
      if (refusal !== undefined) throw refusal;
      const author = authors.get(uuid);
      if (author === undefined) throw refuseAuthor(tenantIdentity, 'missing');
      return author;
    },
    isPending: (tenantIdentity) => pending.has(toUuid(tenantIdentity)),
    findAddress: (tenantIdentity) => authors.get(toUuid(tenantIdentity))?.address,
    addresses: () => [...authors.values()].map(({ address }) => address),
    tenantIdentities: () => [...authors.keys()].map(toTenantIdentity),
    excludedCount: () => excluded.size,
    exclude: (tenantIdentity) => {
      const uuid = toUuid(tenantIdentity);
      const known = excluded.get(uuid);
      const refusal = known ?? refuseAuthor(tenantIdentity, authors.has(uuid) ? 'unknown' : 'missing');
      excluded.set(uuid, refusal);
      return refusal;
    },
  };
};
