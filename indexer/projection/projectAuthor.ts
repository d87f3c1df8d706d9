// The projection of a record's author, whatever the payload is: the account has written a record for this tenant. The
// contract takes a record only from its author, or with its author's signature of a digest that binds the tenant, so on
// a true chain nobody but the holder of the account's key can make it so; being a writer proves nothing. A false chain
// may have any author; chain/network/authors/ proves those whose keys are here.
import type { RecordLog } from '../../chain/port.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { authorKey, authorTenantKey, tenantAuthorKey } from '../sharingKeys.ts';
import { type Change, type ReadRow, row, unreadRow } from './changes.ts';
import type { LeafKeys } from './projectLeaf.ts';
import { noteAuthor, SEVERAL_TENANTS } from './projectSharing.ts';

// Consecutive records usually have the same author and share the array of their tenant's key, so the last key is kept.
let last: { readonly author: Hex; readonly tenantKey: Uint8Array; readonly key: Buffer } | undefined;

const toAuthorKey = (author: Hex, tenantKey: Uint8Array): Buffer => {
  if (author !== last?.author || tenantKey !== last.tenantKey)
    last = { author, tenantKey, key: authorKey(fromHex(author), tenantKey) };
  return last.key;
};

/** The changes of the index for the author of a record: none after the author's first record of the tenant. */
export const projectAuthor = (
  { author, tenantKey: tenant }: RecordLog,
  { tenantKey }: LeafKeys,
  read: ReadRow,
): Change[] => {
  const key = toAuthorKey(author, tenantKey);
  if (read(key) !== undefined) return [];
  const address = fromHex(author);
  const onlyKey = authorTenantKey(address);
  return [
    row(key, 1),
    unreadRow(tenantAuthorKey(tenantKey, address), 1),
    row(onlyKey, read(onlyKey) === undefined ? tenant : SEVERAL_TENANTS),
    ...noteAuthor(address, read),
  ];
};
