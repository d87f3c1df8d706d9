// Creates a tenant for an operator, and delivers the secret of its first application once: in the result, or in a file.
import { createSecretFile, type SecretFile } from '../files/secretFile.ts';
import type { Ledger } from '../openLedger.ts';
import type { NewTenant } from '../tenancy/firstRecords.ts';
import { type CreatedTenant, createTenant } from '../tenants.ts';

/** A new tenant as an operator sees it. */
export interface DeliveredTenant extends Omit<CreatedTenant, 'clientSecret'> {
  /** Undefined when the secret is in a file. */
  readonly clientSecret?: string;
  /** Absolute path of the file with the secret; undefined when there is none. */
  readonly secretFile?: string;
}

export interface Delivery {
  /** Absolute path of a file that doesn't exist yet; undefined: the secret is in the result. */
  readonly secretFile?: string | undefined;
  /** Called with the tenant before its records are accepted, so that no failure after that loses the secret. */
  readonly onTenant?: (tenant: DeliveredTenant) => void;
  /** Called with the new file of the secret, before anything is created in the ledger. */
  readonly onSecretFile?: (file: SecretFile) => void;
}

const toFileText = ({ identity, displayName, clientId, clientSecret }: CreatedTenant): string =>
  `# credentials of the first application of tenant ${displayName} (${identity})\nclient_id=${clientId}\nclient_secret=${clientSecret}\n`;

/**
 * Creates a tenant.
 * @throws Error when `secretFile` exists, and what `createTenant` throws; then nothing was created in the ledger.
 */
export const createTenantForOperator = async (
  ledger: Ledger,
  tenant: NewTenant,
  { secretFile, onTenant, onSecretFile }: Delivery = {},
): Promise<DeliveredTenant> => {
  const file = secretFile === undefined ? undefined : createSecretFile(secretFile);
  if (file !== undefined) onSecretFile?.(file);
  const toDelivered = ({ clientSecret, ...created }: CreatedTenant): DeliveredTenant =>
    secretFile === undefined ? { ...created, clientSecret } : { ...created, secretFile };
  try {
    const created = await createTenant(ledger, tenant, ledger.now(), (announced) => {
      file?.write(toFileText(announced));
      onTenant?.(toDelivered(announced));
    });
    return toDelivered(created);
  } catch (error) {
    file?.discard();
    throw error;
  }
};
