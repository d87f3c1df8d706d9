// Parses the query of a request by its description in the document. Strict where query parsers are lenient: a parameter
// that they would drop, join, replace or guess is refused by name, because an ignored filter gives a wrong answer.
import { findMistakenFilter } from '../../ledger/compliance/listFilter.ts';
import { refuseField } from '../../ledger/errors.ts';
import { isGroup, type ParameterObject } from './document.ts';
import { toValueForm } from './valueForms.ts';

/**
 * Largest number of filters of a list, and of UTF-8 bytes of their names and values together: a page token carries
 * them.
 */
export const FILTERS_MAX = 50;
export const FILTERS_BYTES_MAX = 6_000;

const PAGING: readonly string[] = ['page_size', 'page_token'];
const BOOLEAN = /^(?:[Tt]rue|[Ff]alse)$/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

interface GivenQuery {
  readonly name: string;
  readonly value: string;
  /** Whether `==` stands between them. */
  readonly isDoubled: boolean;
}

/** Values of single parameters by name, and for each group the values of its members by name. */
export interface Query {
  readonly single: Record<string, string | number | boolean>;
  readonly groups: Record<string, Record<string, string>>;
}

const refuse = (name: string, description: string): Error =>
  refuseField('REQUEST_INVALID', name === '' ? 'query' : name, description);

const decode = (text: string, name: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refuse(name, 'is not percent-encoded UTF-8');
  }
};

const toGiven = (text: string): GivenQuery => {
  const at = text.indexOf('=');
  const [rawName, rawValue] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const name = decode(rawName, rawName);
  return { name, value: decode(rawValue, name), isDoubled: rawValue.startsWith('=') };
};

const parse = (url: string): GivenQuery[] => {
  const at = url.indexOf('?');
  const parts = at === -1 ? [] : url.slice(at + 1).split('&');
  return parts.filter((part) => part !== '').map(toGiven);
};

const isMember = ({ schema }: ParameterObject, name: string): boolean =>
  new RegExp((schema.propertyNames as { pattern: string }).pattern, 'u').test(name);

const assertNotRepeated = (given: readonly GivenQuery[]): void => {
  const seen = new Set<string>();
  for (const { name } of given) {
    if (seen.has(name)) throw refuse(name, 'is given more than once');
    seen.add(name);
  }
};

const assertFew = (given: readonly GivenQuery[]): void => {
  const filters = given.filter(({ name }) => !PAGING.includes(name));
  let bytes = 0;
  for (const [index, { name, value }] of filters.entries()) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (index >= FILTERS_MAX) throw refuse(name, `is one filter too many: ${FILTERS_MAX} at most`);
    if (bytes > FILTERS_BYTES_MAX) throw refuse(name, `makes the filters longer than ${FILTERS_BYTES_MAX} bytes`);
  }
};

// Generated clients send these values for a parameter that was left out (decision 55).
const UNSPECIFIED = /_(?:UNSPECIFIED|UNDEFINED)$/;

const isLeftOut = ({ schema }: ParameterObject, { name, value }: GivenQuery): boolean =>
  name === 'page_token' ? value === '' : schema.enum !== undefined && UNSPECIFIED.test(value);

const readForm = (formName: string, { name, value }: GivenQuery): string => {
  const form = toValueForm(formName);
  const read = form.read(value);
  if (read === undefined) throw refuse(name, `must be ${form.description}`);
  return read;
};

// Python's clients send capital letters.
const toBoolean = ({ name, value }: GivenQuery): boolean => {
  if (!BOOLEAN.test(value)) throw refuse(name, 'is neither true nor false');
  return value.endsWith('rue');
};

const toSingle = (parameter: ParameterObject, given: GivenQuery): string | number | boolean => {
  const { schema, 'x-form': formName } = parameter;
  const { name, value } = given;
  if (formName !== undefined) return readForm(formName, given);
  if (schema.type === 'boolean') return toBoolean(given);
  if (schema.type !== 'integer') return value;
  if (!WHOLE_NUMBER.test(value)) throw refuse(name, 'is not a whole number in decimal digits');
  return Number(value);
};

const toMember = ({ schema }: ParameterObject, { name, value }: GivenQuery): string => {
  const { maxLength } = schema.additionalProperties as { maxLength: number };
  if ([...value].length > maxLength) throw refuse(name, 'is too long');
  return value;
};

// A name of a group begins with that of an attribute map.
const ATTRIBUTE_MAP = /^((?:event_|asset_|asset\.)?attributes)\.([\s\S]+)$/;

const assertMeant = ({ name, value, isDoubled }: GivenQuery): void => {
  const [, , attribute] = ATTRIBUTE_MAP.exec(name) ?? [];
  const mistake = attribute === undefined ? undefined : findMistakenFilter(attribute, value, isDoubled);
  if (mistake !== undefined) throw refuse(name, mistake);
};

/**
 * Parses the query of a URL. An empty `page_token`, and a value ending with `_UNSPECIFIED` or `_UNDEFINED` of a
 * parameter with documented values, count as absent.
 * @throws LedgerError REQUEST_INVALID that names a parameter that isn't documented, is repeated, has no value, isn't
 * UTF-8 or not of the required form, compares as lists don't, or exceeds the limits on filters.
 */
export const readQuery = (url: string, parameters: readonly ParameterObject[]): Query => {
  if (!url.includes('?')) return { single: {}, groups: {} };
  const given = parse(url);
  const query: Query = { single: {}, groups: {} };
  const described = given.flatMap((one) => {
    const isOf = (parameter: ParameterObject) =>
      isGroup(parameter) ? isMember(parameter, one.name) : parameter.name === one.name;
    const parameter = parameters.find(isOf);
    if (parameter === undefined) throw refuse(one.name, 'is not a documented parameter');
    if (isLeftOut(parameter, one)) return [];
    if (isGroup(parameter)) assertMeant(one);
    if (one.value === '') throw refuse(one.name, 'is empty');
    return [{ one, parameter }];
  });
  assertNotRepeated(given);
  assertFew(given);
  for (const { one, parameter } of described) {
    if (!isGroup(parameter)) query.single[one.name] = toSingle(parameter, one);
    else query.groups[parameter.name] = { ...query.groups[parameter.name], [one.name]: toMember(parameter, one) };
  }
  return query;
};
