// Recognises the beginning of a JSON text (RFC 8259). The type of a large file is decided by its beginning, so all
// rules of the grammar are checked and only the end may be missing.

const TOKEN =
  /[\t\n\r ]*(?:([\{\}\[\],:])|("(?:[^"\\[\p{Cc}--[\x7f-\x9f]]]|\\(?:["\\\/bfnrt]|u[0-9A-Fa-f]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+\-]?\d+)?(?![\w.+\-])|true|false|null))/vy;
// A token whose end is missing.
const CUT_TOKEN =
  /[\t\n\r ]*(?:"(?:[^"\\[\p{Cc}--[\x7f-\x9f]]]|\\(?:["\\\/bfnrt]|u[0-9A-Fa-f]{4}))*(?:\\(?:u[0-9A-Fa-f]{0,3})?)?|-?(?:\d[\d.eE+\-]*)?|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/vy;

/**
 * The next token. `first` is a value or the end of an empty array, `name` a member's name, `member` a name or the end
 * of an empty object.
 */
type Expected = 'value' | 'first' | 'member' | 'name' | 'colon' | 'separator' | 'end';

interface GrammarState {
  readonly expected: Expected;
  /** Closing brackets of the open objects and arrays, the innermost last. */
  readonly open: string[];
}

const closeOne = ({ open }: GrammarState): Expected => {
  open.pop();
  return open.length === 0 ? 'end' : 'separator';
};

const VALUES: readonly Expected[] = ['value', 'first'];
const NAMES: readonly Expected[] = ['name', 'member'];

const openOne = ({ expected, open }: GrammarState, bracket: string): Expected | undefined => {
  if (!VALUES.includes(expected)) return undefined;
  open.push(bracket === '{' ? '}' : ']');
  return bracket === '{' ? 'member' : 'first';
};

const afterPunctuation = (place: GrammarState, mark: string): Expected | undefined => {
  const { expected, open } = place;
  if (mark === '{' || mark === '[') return openOne(place, mark);
  if (mark === ':') return expected === 'colon' ? 'value' : undefined;
  if (mark === ',') return expected !== 'separator' ? undefined : open.at(-1) === '}' ? 'name' : 'value';
  const isEmpty = mark === '}' ? expected === 'member' : expected === 'first';
  return open.at(-1) === mark && (isEmpty || expected === 'separator') ? closeOne(place) : undefined;
};

const afterScalar = ({ expected }: GrammarState, isString: boolean): Expected | undefined => {
  if (isString && NAMES.includes(expected)) return 'colon';
  return VALUES.includes(expected) ? 'separator' : undefined;
};

const isCutAt = (text: string, at: number): boolean => {
  CUT_TOKEN.lastIndex = at;
  return CUT_TOKEN.test(text);
};

/**
 * Whether a text is a JSON object or array, or, if it is incomplete, the beginning of one. A number, a string or a
 * literal alone counts as plain text.
 */
export const isJsonPrefix = (text: string, isComplete: boolean): boolean => {
  if (!/^[\t\n\r ]*[{[]/.test(text)) return false;
  let place: GrammarState = { expected: 'value', open: [] };
  TOKEN.lastIndex = 0;
  for (let at = 0; place.expected !== 'end'; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (match === null) return !isComplete && isCutAt(text, at);
    const [, mark, string] = match;
    const expected = mark === undefined ? afterScalar(place, string !== undefined) : afterPunctuation(place, mark);
    if (expected === undefined) return false;
    place = { ...place, expected };
  }
  return /^[\t\n\r ]*$/.test(text.slice(TOKEN.lastIndex));
};
