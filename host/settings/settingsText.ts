// The settings for people: a table for docs/operations.md, and lines for the help of `npm start`.
import { SETTINGS, type Setting } from './settings.ts';

const ALL: readonly Setting<unknown>[] = Object.values(SETTINGS);

const MARK = { begin: '<!-- settings: written by npm run docs:settings -->', end: '<!-- /settings -->' };

/** The settings as a Markdown table. */
export const toSettingsTable = (): string =>
  [
    '| variable | default | meaning |',
    '|---|---|---|',
    ...ALL.map(({ name, fallback, description }) => {
      const shown = fallback === undefined ? 'not set' : `\`${fallback}\``;
      return `| \`${name}\` | ${shown} | ${description} |`;
    }),
  ].join('\n');

/** A page with the table of today between its marks. @throws Error when the page has no such marks. */
export const withSettingsTable = (page: string): string => {
  const [begin, end] = [page.indexOf(MARK.begin), page.indexOf(MARK.end)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for the settings: ${MARK.begin} ${MARK.end}`);
  return `${page.slice(0, begin + MARK.begin.length)}\n${toSettingsTable()}\n${page.slice(end)}`;
};

const LINE_CHARACTERS = 78;

const wrap = (text: string, indent: string): string => {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + word.length >= LINE_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `${indent}${line}`).join('\n');
};

/** The settings as the end of a help page. */
export const toSettingsHelp = (): string => {
  const blocks = ALL.map(({ name, fallback, description }) => {
    const head = fallback === undefined ? name : `${name} (${fallback})`;
    return `  ${head}\n${wrap(description.replaceAll('`', ''), '      ')}`;
  });
  return `\nEnvironment (defaults in brackets):\n${blocks.join('\n')}`;
};
