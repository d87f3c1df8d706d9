// npm run --silent token [-- --tenant NAME]: prints a bearer token of a tenant's root principal.
import { Command } from 'commander';
import { issueTokenForOperator, TOKEN_ROLES } from '../host/operator/issueTokenForOperator.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { FIRST_TENANT } from '../host/tenants.ts';

await new Command('token')
  .description("Prints a bearer token of a tenant's root principal for the server of this data directory (DATA_DIR)")
  .option('--tenant <name>', 'name of the tenant', FIRST_TENANT)
  .option('--role <role>', `role of the token: ${TOKEN_ROLES.join(', ')}`, 'root')
  .action((options: { tenant: string; role: string }) =>
    runCommand('no token', async () => console.log(await issueTokenForOperator(options))),
  )
  .parseAsync();
