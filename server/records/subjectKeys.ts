// Checks of the public keys that make a subject stand for another tenant.
import type { SharingView } from '../../indexer/sharingView.ts';
import { refuseField } from '../../ledger/errors.ts';
import { assertWalletKeys } from '../../ledger/sharing/walletKeys.ts';

/**
 * Asserts that public keys are valid and lead to one tenant at most.
 * Rejects with WALLET_KEY_INVALID that names the keys, or with SUBJECT_AMBIGUOUS.
 */
export const assertSubjectKeys = async (
  view: Pick<SharingView, 'readTenantKeysOfSubject'>,
  keys: readonly string[],
): Promise<void> => {
  assertWalletKeys(keys);
  const tenants = await view.readTenantKeysOfSubject({ wallet_pub_key: keys });
  if (tenants.length > 1) throw refuseField('SUBJECT_AMBIGUOUS', 'wallet_pub_key', 'leads to more than one tenant');
};
