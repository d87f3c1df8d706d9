// npm run tenant -- create NAME: admits a new tenant to the ledger.
import { Command } from 'commander';
import { addTenant, type TenantOptions } from '../host/operator/addTenant.ts';
import { runCommand } from '../host/operator/runCommand.ts';

const program = new Command('tenant').description('Tenants of the server of this data directory (DATA_DIR)');

program
  .command('create')
  .description('Creates a tenant with a root principal and one application')
  .argument('<name>', 'name of the tenant')
  .option('--root-issuer <issuer>', 'issuer of a second root principal, as its tokens name it')
  .option('--root-subject <subject>', 'subject of the second root principal at that issuer')
  .option('--secret-file <path>', 'new file for the client secret of the application; it is not printed then')
  .action((name: string, options: TenantOptions) =>
    runCommand('no tenant was created', () => addTenant(name, options)),
  );

await program.parseAsync();
