// Which asset of other tenants a request means. Several may have one with the same UUID, because everyone chooses the
// UUIDs of its own: none of them comes before another, so that nobody gets what was meant for the owner of another one.
import { refuseField } from '../../../ledger/errors.ts';
import type { SharedAssetName } from '../../sharedView.ts';

/** Whether an asset of this tenant may be the one that is named. */
export const mayOwn = ({ ownerIdentity }: SharedAssetName, tenantIdentity: string): boolean =>
  ownerIdentity === undefined || ownerIdentity === tenantIdentity;

/**
 * The only one of the assets that were found, or undefined if there is none.
 * @throws LedgerError ASSET_AMBIGUOUS that names `tenant_identity` if there are several.
 */
export const takeOnly = <T>(found: readonly T[]): T | undefined => {
  if (found.length <= 1) return found[0];
  throw refuseField(
    'ASSET_AMBIGUOUS',
    'tenant_identity',
    'must name the owner, because several other tenants have an asset with this UUID',
  );
};
