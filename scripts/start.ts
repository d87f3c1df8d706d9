// npm start: the server of one data directory. Prints `listening on URL` when it answers; SIGINT and SIGTERM stop it.
import { Command } from 'commander';
import { guardProcess } from '../host/lifecycle/guardProcess.ts';
import { runServer } from '../host/lifecycle/runServer.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { toSettingsHelp } from '../host/settings/settingsText.ts';

guardProcess();
await new Command('start')
  .description('Runs the provenance server on a data directory')
  .option('--secret-file <path>', 'new file for the client secret that the first start creates; it is not printed then')
  .addHelpText('after', toSettingsHelp())
  .action((options: { secretFile?: string }) => runCommand('the server does not start', () => runServer(options)))
  .parseAsync();
