// The language of the repository: no word of the list below, and no line that is too wide to read.
import { expect } from 'chai';
import { trackedFiles } from './tidy/trackedFiles.ts';

const COMMENT_COLUMNS_MAX = 120;
const MARKDOWN_COLUMNS_MAX = 200;

// Words that this project once used in place of the field's own, or of plain English.
const FORBIDDEN =
  /\b(?:whoever|anew|mend(?:s|ed|ing)?|for good|for ever|tak(?:e|es|en|ing) (?:it )?back|drawers?|side doors?|patience|troubles?|landmarks?|told|strangers?)\b/g;

const WRITTEN = /\.(?:tsx?|js|css|html|sol|py|yaml|md|toml)$|(?:^|\/)(?:Dockerfile|run|package\.json)$/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#)/;

const written = [...trackedFiles].filter(
  ([path]) => WRITTEN.test(path) && !path.includes('.gen.') && path !== 'test/words.test.ts',
);

// An identifier counts as the words that it is made of.
const toWords = (text: string): string =>
  text
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replace(/[_-]/g, ' ')
    .toLowerCase();

// Parts of the interface: a setting, reasons of a refusal, and a member of the answer of GET /readyz.
const WIRE_NAMES = /\bCHAIN_STRANGER_GAS_MAX\b|\bSTRANGER_GAS_SPENT\b|'stranger'|\btroubles\b/g;

const findForbidden = (text: string): string[] => toWords(text.replace(WIRE_NAMES, '')).match(FORBIDDEN) ?? [];

interface Line {
  readonly where: string;
  readonly text: string;
}

const linesOf = (path: string, text: string): Line[] =>
  text.split('\n').map((line, index) => ({ where: `${path}:${index + 1}`, text: line }));

const columnsMaxOf = (path: string, text: string): number => {
  if (path.endsWith('.md')) return MARKDOWN_COLUMNS_MAX;
  return COMMENT.test(text) ? COMMENT_COLUMNS_MAX : Number.POSITIVE_INFINITY;
};

describe('the language of the repository', () => {
  it('has no forbidden word in a comment, a message, a name or a page', () => {
    // No word is on two lines: a file without one has none in a line.
    const found = written
      .filter(([path, text]) => findForbidden(`${path}\n${text}`).length > 0)
      .flatMap(([path, text]) => [{ where: path, text: path }, ...linesOf(path, text)])
      .flatMap(({ where, text }) => findForbidden(text).map((word) => `${where} ${word}`));
    expect(found.join('\n')).to.equal('');
  });

  it('finds a forbidden word in a sentence and in a name', () => {
    expect(findForbidden('Whoever asks is told')).to.deep.equal(['whoever', 'told']);
    expect(findForbidden('const isTroubleThere = STRANGER_GAS')).to.deep.equal(['trouble', 'stranger']);
    expect(findForbidden('the amendment that withstood a renewal')).to.deep.equal([]);
  });

  it(`has no comment over ${COMMENT_COLUMNS_MAX} columns and no line of a page over ${MARKDOWN_COLUMNS_MAX}`, () => {
    const long = written.flatMap(([path, whole]) =>
      linesOf(path, whole)
        .filter(({ text }) => text.length > columnsMaxOf(path, text))
        .map(({ where }) => where),
    );
    expect(long.join('\n')).to.equal('');
  });
});
