// npm run tenant: tenants of a ledger, created by its founder or requested from the founder.
import { Command } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { addTenant, type TenantOptions } from '../host/operator/addTenant.ts';
import { clearFailedByCommand, listFailedByCommand } from '../host/operator/failedRecordCommands.ts';
import { appendGoneByCommand, forgetGoneByCommand, listGoneByCommand } from '../host/operator/goneRecordCommands.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import {
  type AnswerOptions,
  acceptTenantByCommand,
  addWriterByCommand,
  admitTenantByCommand,
  handOverByCommand,
  joinTenantByCommand,
  listTenantsByCommand,
  removeWriterByCommand,
  requestTenantByCommand,
  succeedTenantByCommand,
} from '../host/operator/tenantRequestCommands.ts';

const FINGERPRINT = 'fingerprint of the line, from another way than the line; nothing is sent for any other';

const addNewTenant = (program: Command, name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .argument('<name>', 'name of the tenant')
    .option('--root-issuer <issuer>', 'issuer of a second root principal, as its tokens name it')
    .option('--root-subject <subject>', 'subject of the second root principal at that issuer')
    .option('--secret-file <path>', 'new file for the client secret of the application; it is not printed then');

const addAdmission = (program: Command): void => {
  addNewTenant(program, 'create', 'Creates a tenant with a root principal and one application').action(
    (name: string, options: TenantOptions) => runCommand('no tenant was created', () => addTenant(name, options)),
  );

  addNewTenant(program, 'request', "Requests a tenant from the ledger's founder: prints the line to send").action(
    (name: string, options: TenantOptions) =>
      runCommand('no tenant was requested', () => requestTenantByCommand(name, options)),
  );

  program
    .command('admit')
    .description("Admits the tenant of a line that 'request' printed, or prints the call that admits it")
    .argument('<line>', 'the line')
    .option('--fingerprint <digits>', FINGERPRINT)
    .action((line: string, options: AnswerOptions) =>
      runCommand('not admitted', () => admitTenantByCommand(line, options)),
    );
};

const addWriters = (program: Command): void => {
  program
    .command('join')
    .description('Requests that this server may write for a tenant of another server: prints the line to use there')
    .argument('<tenant>', "the tenant's identity: tenant/UUID")
    .action((tenant: string) => runCommand('not requested', () => joinTenantByCommand(tenant)));

  program
    .command('add-writer')
    .description("Registers the server of a line that 'join' printed as a writer of its tenant")
    .argument('<line>', 'the line')
    .option('--fingerprint <digits>', FINGERPRINT)
    .action((line: string, options: AnswerOptions) =>
      runCommand('no writer was added', () => addWriterByCommand(line, options)),
    );

  program
    .command('remove-writer')
    .description('Removes a writer from the tenants that are administered here; its records stay')
    .argument('<address>', 'address of the writer')
    .action((address: string) => runCommand('no writer was removed', () => removeWriterByCommand(address)));
};

const addSuccession = (program: Command): void => {
  program
    .command('succeed')
    .description("Requests a tenant's administration for a new key of this server: prints the line for 'hand-over'")
    .argument('<tenant>', "the tenant's identity: tenant/UUID")
    .action((tenant: string) => runCommand('not requested', () => succeedTenantByCommand(tenant)));

  program
    .command('hand-over')
    .description("Names the key of a line that 'succeed' printed as its tenant's next administrator")
    .argument('<line>', 'the line')
    .option('--fingerprint <digits>', FINGERPRINT)
    .action((line: string, options: AnswerOptions) =>
      runCommand('not handed over', () => handOverByCommand(line, options)),
    );

  program
    .command('accept')
    .description('Accepts the administration of a tenant with the new key, which replaces the old one')
    .argument('<tenant>', "the tenant's identity: tenant/UUID")
    .action((tenant: string) => runCommand('not accepted', () => acceptTenantByCommand(tenant)));
};

const addList = (program: Command): void => {
  program
    .command('list')
    .description('Lists the tenants of this server, and what they wait for')
    .action(() => runCommand('not listed', listTenantsByCommand));
};

const addFailed = (program: Command): void => {
  program
    .command('failed')
    .description('Lists the records that the chain refused')
    .action(() => runCommand('not listed', listFailedByCommand));

  program
    .command('clear-failed')
    .description('Forgets the records of a tenant that the chain refused, and prints them')
    .argument('<tenant>', "the tenant's identity: tenant/UUID")
    .action((tenant: string) => runCommand('not cleared', () => clearFailedByCommand(tenant)));
};

const addGone = (program: Command): void => {
  program
    .command('gone')
    .description('Lists the records that were final, and that the chain no longer has')
    .action(() => runCommand('not listed', listGoneByCommand));

  program
    .command('append-gone')
    .description("Appends a tenant's records again that the chain no longer has, as records that say where they stood")
    .argument('<tenant>', "the tenant's identity: tenant/UUID")
    .argument('[identity...]', 'only these of them')
    .addHelpText(
      'after',
      '\nExit codes: 0 the chain has them or they wait for it; 1 none was appended; 2 some were not.',
    )
    .action((tenant: string, identities: string[]) =>
      runCommand('not appended', () => appendGoneByCommand(tenant, identities)),
    );

  program
    .command('forget-gone')
    .description("Forgets a tenant's records that the chain no longer has, and prints them: nothing else has them")
    .argument('<tenant>', "the tenant's identity: tenant/UUID")
    .argument('[identity...]', 'only these of them')
    .action((tenant: string, identities: string[]) =>
      runCommand('not forgotten', () => forgetGoneByCommand(tenant, identities)),
    );
};

const createProgram = (): Command => {
  const program = new Command('tenant').description('Tenants of the server of this data directory (DATA_DIR)');
  for (const add of [addAdmission, addWriters, addSuccession, addList, addFailed, addGone]) add(program);
  return program;
};

/** Runs `npm run tenant` with these arguments. */
export const tenantCommand = (args: readonly string[]): Promise<void> => parseCommand(createProgram(), args);

if (import.meta.main) await runMain(tenantCommand);
