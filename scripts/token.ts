// npm run --silent token [-- --tenant NAME]: prints a bearer token of a tenant's root principal.
import { Command } from 'commander';
import { console } from '../host/commandProcess.ts';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { issueTokenForOperator, TOKEN_ROLES } from '../host/operator/issueTokenForOperator.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { TENANT_OPTION } from '../host/operator/tenantOption.ts';

/** Runs `npm run token` with these arguments. */
export const tokenCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('token')
      .description(
        "Prints a bearer token of a tenant's root principal for the server of this data directory (DATA_DIR)",
      )
      .option(...TENANT_OPTION)
      .option('--role <role>', `role of the token: ${TOKEN_ROLES.join(', ')}`, 'root')
      .action((options: { tenant?: string; role: string }) =>
        runCommand('no token', async () => console.log(await issueTokenForOperator(options))),
      ),
    args,
  );

if (import.meta.main) await runMain(tokenCommand);
