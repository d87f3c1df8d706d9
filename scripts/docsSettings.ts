// npm run docs:settings: writes the table of the settings into docs/operations.md.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withSettingsTable } from '../host/settings/settingsText.ts';

const PAGE = fileURLToPath(new URL('../docs/operations.md', import.meta.url));

await writeFile(PAGE, withSettingsTable(await readFile(PAGE, 'utf8')));
