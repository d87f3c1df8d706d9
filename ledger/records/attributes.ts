// Attribute maps: what a client may say about an asset or an event (decision 6).

export type AttributeValue = string | Readonly<Record<string, string>> | readonly Readonly<Record<string, string>>[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStringMap = (value: unknown): boolean =>
  isJsonObject(value) && Object.values(value).every((inner) => typeof inner === 'string');

const isAttributeValue = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) ? value.every(isStringMap) : isStringMap(value));

/** Whether a value from outside has the shape of an attribute map; lengths are the server's to judge. */
export const isAttributes = (value: unknown): value is Attributes =>
  isJsonObject(value) && Object.values(value).every(isAttributeValue);

/** `base` with the attributes of `changes` in place of its own of the same name. Safe for any name, `__proto__` included. */
export const mergeAttributes = (base: Attributes, changes: Attributes): Attributes => ({ ...base, ...changes });
