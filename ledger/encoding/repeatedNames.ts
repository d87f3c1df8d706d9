// JSON that names a member twice says two things, and every reader takes another: JSON.parse the last, others the first.
// What is checked and what is read must be the same, so such a text is refused before it is checked.

// A string, or a character that opens, closes or parts; in a JSON text nothing else matters here.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** An object or a list that the text is inside of, and the name or the index of the member that is being read. */
interface Open {
  /** Undefined: a list. */
  readonly names: Set<string> | undefined;
  at: string | number;
}

const toName = (text: string): string => (text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1));

/** The path, by names and indices, to a member that an object of this text, which must be JSON, has more than once; undefined when there is none. */
export const findRepeatedMember = (json: string): (string | number)[] | undefined => {
  const open: Open[] = [];
  let text = '';
  for (const [token] of json.matchAll(TOKEN)) {
    const top = open.at(-1);
    if (token === '{') open.push({ names: new Set(), at: '' });
    else if (token === '[') open.push({ names: undefined, at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && top!.names === undefined) top!.at = Number(top!.at) + 1;
    else if (token === ':') {
      const name = toName(text);
      top!.at = name;
      if (top!.names!.has(name)) return open.map(({ at }) => at);
      top!.names!.add(name);
    }
    text = token;
  }
  return undefined;
};

/** A name that an object of this text, which must be JSON, has more than once; undefined when there is none. */
export const findRepeatedName = (json: string): string | undefined =>
  findRepeatedMember(json)?.at(-1) as string | undefined;
