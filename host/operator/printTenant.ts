// Tells an operator, once, what a new tenant's application gets its tokens with.

import type { CreatedTenant } from '../tenants.ts';
import { FIRST_TENANT } from '../tenants.ts';

/** Prints a new tenant and its application's secret, which nobody can show again. */
export const printTenant = ({ identity, displayName, clientId, clientSecret }: CreatedTenant): void => {
  const option = displayName === FIRST_TENANT ? '' : ` -- --tenant '${displayName}'`;
  console.log(`tenant ${displayName} (${identity}) created
  a token of its root principal:   npm run --silent token${option}
  a token of its application:      POST /archivist/iam/v1/appidp/token, form-encoded, with
    grant_type=client_credentials
    client_id=${clientId}
    client_secret=${clientSecret}
  The secret is shown this once; the ledger has only its hash.`);
};
