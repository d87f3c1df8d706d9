// npm run tenant -- create NAME: admits a new tenant to the ledger.
import { Command } from 'commander';
import { printTenant } from '../host/operator/printTenant.ts';
import { runOperatorCommand } from '../host/operator/runOperatorCommand.ts';
import { readConfig } from '../host/settings/config.ts';
import type { CreatedTenant } from '../host/tenants.ts';

const program = new Command('tenant').description('Tenants of the server of this data directory (DATA_DIR)');

program
  .command('create')
  .description('Creates a tenant with a root principal and one application')
  .argument('<name>', 'name of the tenant')
  .option('--root-issuer <issuer>', 'issuer of one more root principal, as its tokens name it')
  .option('--root-subject <subject>', 'its subject there')
  .action(async (name: string, root: { rootIssuer?: string; rootSubject?: string }) => {
    try {
      printTenant(await runOperatorCommand<CreatedTenant>(readConfig().dataDir, 'createTenant', { name, ...root }));
    } catch (error) {
      console.error(`no tenant was created: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  });

await program.parseAsync();
