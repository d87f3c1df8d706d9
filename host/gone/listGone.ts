// What an operator sees of the records that the chain no longer has, and how they are forgotten.
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { parseTenantIdentity } from '../../ledger/identity.ts';
import type { Ledger } from '../openLedger.ts';
import type { GoneRecords, GoneSummary } from './goneRecords.ts';

/** A record that the chain no longer has, as commands print it. */
export interface ListedGone {
  readonly tenantIdentity: string;
  readonly identity: string;
  readonly acceptedAt: string;
  /** Where the chain had it. */
  readonly blockNumber: number;
  readonly committedAt: string;
  readonly transaction: string;
  readonly author: string;
}

/** The form of a record that commands print. */
export const toListed = ({ tenantIdentity, identity, acceptedAt, place }: GoneSummary): ListedGone => ({
  tenantIdentity,
  identity,
  acceptedAt,
  blockNumber: place.blockNumber,
  committedAt: toBlockTimestamp(place.blockTimestampSeconds),
  transaction: place.transactionHash,
  author: place.author,
});

/**
 * The gone records of a tenant, or those of these identities among them, in the order of the chain that had them.
 * @throws LedgerError IDENTITY_INVALID when the text is no tenant's identity, or a record isn't among them.
 */
export const selectGone = (gone: GoneRecords, tenant: string, identities: readonly string[]): GoneSummary[] => {
  const tenantIdentity = parseTenantIdentity(tenant);
  if (tenantIdentity === undefined) throw new LedgerError('IDENTITY_INVALID', { message: `${tenant} is no tenant` });
  const own = gone.list().filter((each) => each.tenantIdentity === tenantIdentity);
  const names = new Set(own.map(({ identity }) => identity));
  const unknown = identities.find((identity) => !names.has(identity));
  if (unknown !== undefined)
    throw new LedgerError('IDENTITY_INVALID', { message: `${unknown} is none of the records that are gone` });
  return identities.length === 0 ? own : own.filter(({ identity }) => identities.includes(identity));
};

/** All gone records. */
export const listGone = ({ gone }: Pick<Ledger, 'gone'>): ListedGone[] => gone.list().map(toListed);

/** Forgets gone records, as `selectGone` takes them, and resolves with them. */
export const forgetGone = async (
  { gone }: Pick<Ledger, 'gone'>,
  tenant: string,
  identities: readonly string[],
): Promise<ListedGone[]> => {
  const selected = selectGone(gone, tenant, identities);
  await gone.remove(selected);
  return selected.map(toListed);
};
