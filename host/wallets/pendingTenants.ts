// The tenants that this server has requested, or wants to serve with another server's tenant, and doesn't serve yet: a
// file each beside the keys, so that a backup has them, until their first records are accepted.
import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import { toUuid } from '../../ledger/identity.ts';
import { trimText } from '../files/privateFile.ts';

/** The first records of a new tenant, by everything but their time. */
export interface FirstRecords {
  readonly name: string;
  /** A second root principal. */
  readonly root?: { readonly issuer: string; readonly subject: string } | undefined;
  readonly clientId: string;
  readonly secretHash: string;
  /** UUIDs of the versions, so that each record is made once. */
  readonly tenantVersion: string;
  readonly applicationVersion: string;
}

/** A tenant that this server doesn't serve yet. */
export interface PendingTenant {
  readonly tenantIdentity: string;
  /** Undefined: another server has made them. */
  readonly first?: FirstRecords | undefined;
  /** When the server began to serve it, which is the time of its first records; undefined before. */
  readonly servedSince?: string | undefined;
}

/** The files of pending tenants. */
export interface PendingTenants {
  list(): Promise<PendingTenant[]>;
  /** Creates or replaces the file of a tenant, atomically and synced. */
  write(tenant: PendingTenant): Promise<void>;
  remove(tenantIdentity: string): Promise<void>;
}

const NAME = /^tenant-pending-[0-9a-f-]{36}\.json$/;

const toName = (tenantIdentity: string): string => `tenant-pending-${toUuid(tenantIdentity)}.json`;

const parse = (path: string, text: string): PendingTenant => {
  try {
    return JSON.parse(text) as PendingTenant;
  } catch (cause) {
    throw new Error(`${path} is damaged; restore it from a backup, or remove it and request the tenant again`, {
      cause,
    });
  }
};

// Undefined when it was removed meanwhile.
const read = async (path: string): Promise<PendingTenant | undefined> => {
  try {
    return parse(path, trimText(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** The files of a directory of keys, which exists. */
export const createPendingTenants = (directory: string): PendingTenants => ({
  list: async () => {
    const names = (await readdir(directory)).filter((name) => NAME.test(name)).sort();
    const found = await Promise.all(names.map((name) => read(join(directory, name))));
    return found.filter((tenant) => tenant !== undefined);
  },
  write: async (tenant) => {
    const path = join(directory, toName(tenant.tenantIdentity));
    const temporary = `${path}.${randomUUID()}.tmp`;
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(tenant, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(directory);
  },
  remove: async (tenantIdentity) => {
    await rm(join(directory, toName(tenantIdentity)), { force: true });
    await syncDirectory(directory);
  },
});
