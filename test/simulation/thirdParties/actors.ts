// The keys of the template's tenants and of its relayer, for the transactions that the server doesn't send.
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { openKeyring } from '../../../host/keyring.ts';
import { toAdministratorName, toAuthorName } from '../../../host/wallets/tenantWallets.ts';
import { toUuid } from '../../../ledger/identity.ts';
import { DATA_DIR } from '../server/settings.ts';
import type { LedgerTemplate } from '../server/template.ts';
import type { Actors } from './thirdPartyCalls.ts';

/** The accounts of a template. Its disk must be mounted. */
export const readActors = async ({ contract, tenants, locations }: LedgerTemplate): Promise<Actors> => {
  const keyring = await openKeyring(dataPaths(DATA_DIR).keys);
  const toActor = async (identity: string, at: number) => ({
    identity,
    location: locations[at]!,
    administrator: await keyring.requireWallet(toAdministratorName(toUuid(identity))),
    author: await keyring.requireWallet(toAuthorName(toUuid(identity))),
  });
  const relayer = await keyring.requireWallet('relayer');
  return { contract, relayer, tenants: await Promise.all(tenants.map(toActor)) };
};
