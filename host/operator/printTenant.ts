// Prints a new tenant, and how its application gets tokens.
import { console } from '../commandProcess.ts';
import { FIRST_TENANT } from '../tenants.ts';
import { toCommand, toShellWord } from './shellCommand.ts';
import type { DeliveredTenant } from './tenantCreation.ts';

const toSecretLines = ({ clientSecret, secretFile }: DeliveredTenant): string[] =>
  secretFile === undefined
    ? [`    client_secret=${clientSecret}`, '  The secret is shown only now; the ledger has only its hash.']
    : [`    client_secret=(in ${secretFile})`, '  Only that file has the secret; the ledger has only its hash.'];

/**
 * Prints a new tenant of a data directory with the secret of its application, which can't be shown again, or with the
 * path of the secret's file.
 */
export const printTenant = (tenant: DeliveredTenant, dataDir: string): void => {
  const { identity, displayName, clientId } = tenant;
  const options = displayName === FIRST_TENANT ? [] : ['--tenant', toShellWord(displayName)];
  console.log(
    `tenant ${displayName} (${identity}) created`,
    `  a token of its root principal:   ${toCommand(dataDir, 'token', options)}`,
    '  a token of its application:      POST /archivist/iam/v1/appidp/token, form-encoded, with',
    '    grant_type=client_credentials',
    `    client_id=${clientId}`,
    ...toSecretLines(tenant),
  );
};
