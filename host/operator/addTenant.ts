// Adds a tenant to the ledger of a data directory, and prints it.
import { resolve } from 'node:path';
import { readConfig } from '../settings/config.ts';
import { printTenant } from './printTenant.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';
import type { DeliveredTenant } from './tenantCreation.ts';

export interface TenantOptions {
  /** Issuer of a second root principal. */
  readonly rootIssuer?: string;
  /** Subject of the second root principal. */
  readonly rootSubject?: string;
  /** Path of a new file for the client secret; undefined: the secret is printed. */
  readonly secretFile?: string;
}

/**
 * Creates a tenant in the ledger of the data directory (DATA_DIR), and prints it.
 * @throws Error when the ledger refuses it, or the file exists.
 */
export const addTenant = async (name: string, { secretFile, ...root }: TenantOptions): Promise<void> => {
  // The server resolves relative paths against its own directory.
  const file = secretFile === undefined ? {} : { secretFile: resolve(secretFile) };
  const input = { name, ...root, ...file };
  const { dataDir } = readConfig();
  printTenant(await runOperatorCommand<DeliveredTenant>(dataDir, 'createTenant', input), dataDir);
};
