// npm run docs:settings: writes the list of the settings into docs/operations.md.
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { runCommand } from '../host/operator/runCommand.ts';
import { writeSettingsList } from '../host/settings/settingsText.ts';

const PAGE = fileURLToPath(new URL('../docs/operations.md', import.meta.url));

await new Command('docs:settings')
  .description('Writes the list of the settings into docs/operations.md')
  .action(() => runCommand('the list was not written', () => writeSettingsList(PAGE)))
  .parseAsync();
