// Generates all small changes of a JSON value, to show that a check refuses each.
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const otherCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();

// Replaces a digit with another digit, a letter with its other case, and any other character with a letter.
const changeCharacter = (text: string, at: number): string => {
  const character = text[at]!;
  const digit = character === '7' ? '8' : '7';
  const changed = /[0-9]/.test(character) ? digit : /[a-z]/i.test(character) ? otherCase(character) : 'a';
  return text.slice(0, at) + changed + text.slice(at + 1);
};

/** Every value that differs from `value` in one character of one string, number or name in it, or by one member. */
export function* mutationsOf(value: Json): Generator<Json> {
  if (typeof value === 'string') {
    for (let at = 0; at < value.length; at += 1) yield changeCharacter(value, at);
    yield `${value}x`;
    if (value !== '') yield value.slice(0, -1);
  } else if (typeof value === 'number') {
    yield value + 1;
    yield String(value);
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const changed of mutationsOf(item)) yield value.with(at, changed);
    }
    yield value.slice(0, -1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const { [name]: _, ...others } = value;
      for (const changed of mutationsOf(inner)) yield { ...others, [name]: changed };
      yield { ...others, [`${name}x`]: inner };
      yield others;
    }
    yield { ...value, added: 'x' };
  }
}
