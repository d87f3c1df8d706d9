// npm run --silent token [-- --tenant NAME]: prints a bearer token of a tenant's root principal.
import { Command } from 'commander';
import { runOperatorCommand } from '../host/operator/runOperatorCommand.ts';
import { readConfig } from '../host/settings/config.ts';
import { FIRST_TENANT } from '../host/tenants.ts';
import { CALLER_ROLES } from '../server/auth/rights.ts';

await new Command('token')
  .description("Prints a bearer token of a tenant's root principal for the server of this data directory (DATA_DIR)")
  .option('--tenant <name>', 'name of the tenant', FIRST_TENANT)
  .option('--role <role>', `what the token may do: ${CALLER_ROLES.join(', ')}`, 'root')
  .action(async ({ tenant, role }: { tenant: string; role: string }) => {
    try {
      const { token } = await runOperatorCommand<{ token: string }>(readConfig().dataDir, 'token', { tenant, role });
      console.log(token);
    } catch (error) {
      console.error(`no token: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();
