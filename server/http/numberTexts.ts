// Keeps JSON numbers as they were sent: JSON.parse turns 51.500 into 51.5, and 0.10000000000000000001 into 0.1.

interface Source {
  /** The text of a number, string, boolean or null; undefined for objects and lists. */
  readonly source?: string;
}
type Reviver = (this: object, name: string, value: unknown, context: Source) => unknown;

/**
 * Parses a JSON text. The numbers of these fields of the outermost object become the texts that were sent.
 * @throws SyntaxError when the text is not JSON.
 */
export const parseKeepingNumbers = (text: string, fields: readonly string[]): unknown => {
  const textsOf = new WeakMap<object, Record<string, string>>();
  const keep: Reviver = function (name, value, { source }) {
    if (typeof value === 'number' && source !== undefined && fields.includes(name)) {
      textsOf.set(this, { ...textsOf.get(this), [name]: source });
    }
    return value;
  };
  const parsed: unknown = JSON.parse(text, keep as Parameters<typeof JSON.parse>[1]);
  return typeof parsed === 'object' && parsed !== null ? Object.assign(parsed, textsOf.get(parsed)) : parsed;
};
