// npm run docs:settings: writes the list of the settings into docs/operations.md.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withSettingsList } from '../host/settings/settingsText.ts';

const PAGE = fileURLToPath(new URL('../docs/operations.md', import.meta.url));

await writeFile(PAGE, withSettingsList(await readFile(PAGE, 'utf8')));
