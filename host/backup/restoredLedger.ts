// Checks that a restored directory has everything that its chain names: the keys of the authors, and the contents of
// the blobs. That each content has the hash of its name was checked when it was copied.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readContents, readTenantIdentities } from '../../indexer/inventory.ts';
import { toUuid } from '../../ledger/identity.ts';
import { toContentPath } from '../../server/blobs/contentFiles.ts';
import type { IndexedChain } from '../indexedChain.ts';
import { findAdministeredUuid, toAdministratorName, toAuthorName } from '../wallets/tenantWallets.ts';

type RestoredParts = Pick<IndexedChain, 'store' | 'keyring' | 'serving'>;

const refuseMissing = (author: string): Error =>
  new Error(`the backup lacks keys/${author}.key, and the chain knows the tenant`);

// On a network, the index has no tenant whose author's key is missing.
const assertAuthors = (wallets: ReadonlySet<string>): void => {
  for (const name of wallets) {
    const uuid = findAdministeredUuid(name);
    if (uuid !== undefined && !wallets.has(toAuthorName(uuid))) throw refuseMissing(toAuthorName(uuid));
  }
};

const countMissingContents = async (
  { store }: RestoredParts,
  blobs: string,
  tenantIdentity: string,
): Promise<number> => {
  let missing = 0;
  for await (const sha256 of readContents(store, tenantIdentity)) {
    if (!existsSync(join(blobs, 'content', toContentPath({ tenantIdentity, sha256 })))) missing += 1;
  }
  return missing;
};

/**
 * Returns warnings about missing parts that a server can do without. A server with the directory `shared` reads blobs
 * from no other one.
 * @throws Error when a tenant's author key is missing: no record could be written for that tenant.
 */
export const checkRestored = async (parts: RestoredParts, blobs: string, shared?: string): Promise<string[]> => {
  const wallets = new Set(await parts.keyring.listWallets());
  const warnings: string[] = [];
  assertAuthors(wallets);
  let missing = 0;
  for await (const tenantIdentity of readTenantIdentities(parts.store)) {
    const uuid = toUuid(tenantIdentity);
    const [author, administrator] = [toAuthorName(uuid), toAdministratorName(uuid)];
    // A tenant that SERVED_TENANTS lists may be served to read only.
    const isWritten = wallets.has(author) || parts.serving.isOpen;
    if (!wallets.has(author) && isWritten) throw refuseMissing(author);
    if (isWritten && !wallets.has(administrator))
      warnings.push(`keys/${administrator}.key is missing: no other author of that tenant can be registered`);
    missing += await countMissingContents(parts, shared ?? blobs, tenantIdentity);
  }
  const place = shared === undefined ? '' : ` in ${shared}`;
  if (missing > 0) warnings.push(`the contents of ${missing} blobs that the ledger names are missing${place}`);
  return warnings;
};
