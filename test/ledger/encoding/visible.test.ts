import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { toVisibleJson, toVisibleLine, toVisibleText } from '../../../ledger/encoding/visible.ts';
import { skipWithoutPrograms } from '../../support/missing.ts';

const PYTHON_VERIFIER = fileURLToPath(new URL('../../../verifiers/python', import.meta.url));
const LAST_OF_BASIC_PLANE = 0xffff;
/** C0, DEL, C1 (CSI is U+009B), zero width, direction, separators of lines, fillers, half of a pair, a tag. */
const UNSEEN = [
  ...[0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0xad, 0x61c, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f],
  ...[0x202a, 0x202e, 0x2028, 0x2029, 0x2060, 0x2066, 0x2069, 0xfeff, 0x34f, 0x115f, 0x3164, 0xffa0, 0xd800, 0xe0041],
];
const SEEN = 'abc «é» 集装箱 حاوية {"x":1} \\ 👩 ❤️ 🇫🇷';

const escapeOf = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;

describe('text of others that is shown', () => {
  it('has an escape for each character that is not seen or changes how others are read', () => {
    for (const codePoint of UNSEEN) {
      const escaped = `a${escapeOf(codePoint)}b`;
      expect(toVisibleLine(`a${String.fromCodePoint(codePoint)}b`)).to.equal(escaped);
      expect(toVisibleLine(escaped)).to.equal(escaped);
    }
  });

  it('is the same text where everything is seen', () => {
    for (const show of [toVisibleLine, toVisibleText, toVisibleJson]) expect(show(SEEN)).to.equal(SEEN);
  });

  it('keeps tabs and line ends on a page, where they are blanks', () => {
    expect(toVisibleText('a\tb\r\nc\u202ed\x1b')).to.equal('a\tb\r\nc\\u{202e}d\\u{1b}');
  });

  it('is the same value as JSON', () => {
    const value = { [`n${String.fromCodePoint(...UNSEEN)}`]: [SEEN, '\u009b2K'] };
    const shown = toVisibleJson(JSON.stringify(value, undefined, 2));
    expect(JSON.parse(shown)).to.deep.equal(value);
    expect(toVisibleText(shown)).to.equal(shown);
  });

  it('is the same in the Python verifier, for each character of the basic plane that both know', function () {
    skipWithoutPrograms(this, 'python3');
    // Later versions of Unicode name characters that this Python doesn't know: those have the category Cn there.
    const program = `import sys, unicodedata; sys.path.insert(0, sys.argv[1]); from visible import visible_line
known = [n for n in range(${LAST_OF_BASIC_PLANE + 1}) if unicodedata.category(chr(n)) != "Cn"]
print(*[n for n in known if visible_line(chr(n)) != chr(n)])`;
    const output = execFileSync('python3', ['-B', '-c', program, PYTHON_VERIFIER], { encoding: 'utf8' });
    const escaped = new Set(output.split(' ').map(Number));
    for (const codePoint of escaped)
      expect(toVisibleLine(String.fromCodePoint(codePoint))).to.equal(escapeOf(codePoint));
    const ofBoth = UNSEEN.filter((codePoint) => codePoint <= LAST_OF_BASIC_PLANE && !escaped.has(codePoint));
    expect(ofBoth).to.deep.equal([]);
  });
});
