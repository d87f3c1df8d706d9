// JSON that names a member twice says two things, and every reader takes another: JSON.parse the last, others the first.
// What is checked and what is read must be the same, so such a text is refused before it is checked.

// A string, or a character that opens, closes or parts; in a JSON text nothing else matters here.
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** A name that an object of this text, which must be JSON, has more than once; undefined when there is none. */
export const findRepeatedName = (json: string): string | undefined => {
  const open: Set<string>[] = [];
  let text = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const name = JSON.parse(text) as string;
      if (open.at(-1)!.has(name)) return name;
      open.at(-1)!.add(name);
    }
    text = token;
  }
  return undefined;
};
