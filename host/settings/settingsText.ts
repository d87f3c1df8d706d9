// The settings for people: a list for docs/operations.md, and lines for the help of `npm start`.
import { readFile, writeFile } from 'node:fs/promises';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

const ALL: readonly Setting<unknown>[] = Object.values(SETTINGS);

const MARK = { begin: '<!-- settings: written by npm run docs:settings -->', end: '<!-- /settings -->' };

const MARKDOWN_COLUMNS = 120;
const HELP_COLUMNS = 84;

const wrap = (text: string, indent: string, columns: number): string => {
  const lines = [indent];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last === indent) lines[lines.length - 1] = indent + word;
    else if (last.length + 1 + word.length > columns) lines.push(indent + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
};

const toItem = ({ name, fallback, description }: Setting<unknown>): string => {
  const shown = fallback === undefined ? 'not set' : `default \`${fallback}\``;
  return `- **\`${name}\`** (${shown})\n${wrap(`${description}.`, '  ', MARKDOWN_COLUMNS)}`;
};

/** The settings as a Markdown list. */
export const toSettingsList = (): string => ALL.map(toItem).join('\n');

/** A page with the current list between its marks. @throws Error when the page has no such marks. */
export const withSettingsList = (page: string): string => {
  const [begin, end] = [page.indexOf(MARK.begin), page.indexOf(MARK.end)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for the settings: ${MARK.begin} ${MARK.end}`);
  return `${page.slice(0, begin + MARK.begin.length)}\n\n${toSettingsList()}\n\n${page.slice(end)}`;
};

/** Writes the current list into the page of a path. @throws Error when the page has no such marks. */
export const writeSettingsList = async (path: string): Promise<void> =>
  writeFile(path, withSettingsList(await readFile(path, 'utf8')));

/** A description of a setting, which docs/operations.md shows as Markdown, as plain text. */
const toPlain = (description: string): string =>
  description.replaceAll('`', '').replaceAll(/\[[^\]]*\]\(([^)]*)\)/g, 'docs/$1');

/** The settings as the end of a help page. */
export const toSettingsHelp = (): string => {
  const blocks = ALL.map(({ name, fallback, description }) => {
    const head = fallback === undefined ? name : `${name} (${fallback})`;
    return `  ${head}\n${wrap(toPlain(description), '      ', HELP_COLUMNS)}`;
  });
  return `\nEnvironment (defaults in brackets):\n${blocks.join('\n')}`;
};
