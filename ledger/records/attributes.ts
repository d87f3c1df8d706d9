// Attribute maps: what clients can record about an asset or an event (decision 6).

/** A string, a map of strings, or a list of maps of strings. */
export type AttributeValue = string | Readonly<Record<string, string>> | readonly Readonly<Record<string, string>>[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Whether a value is an object that is neither null nor a list. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStringMap = (value: unknown): boolean =>
  isJsonObject(value) && Object.values(value).every((inner) => typeof inner === 'string');

const isAttributeValue = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) ? value.every(isStringMap) : isStringMap(value));

/** Whether an untrusted value has the shape of an attribute map. The server checks its lengths. */
export const isAttributes = (value: unknown): value is Attributes =>
  isJsonObject(value) && Object.values(value).every(isAttributeValue);

/** The attributes of `base`, replaced and extended by those of `changes`. Safe for any name, including `__proto__`. */
export const mergeAttributes = (base: Attributes, changes: Attributes): Attributes => ({ ...base, ...changes });
