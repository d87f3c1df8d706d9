// Reads the query of a request as the document describes it. Strict where query parsers are lenient: what would be dropped, joined,
// replaced or guessed is refused with the name of its parameter, because a filter that is ignored is a wrong answer.
import { refuseField } from '../../ledger/errors.ts';
import { isGroup, type ParameterObject } from './document.ts';

/** Most filters of one list, and most bytes of UTF-8 that their names and values may have together: a page token carries them. */
export const FILTERS_MAX = 50;
export const FILTERS_BYTES_MAX = 6_000;

const PAGING: readonly string[] = ['page_size', 'page_token'];
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

interface Given {
  readonly name: string;
  readonly value: string;
}

/** Values of parameters, and under the name of a group those of its members, each by its own name. */
export interface Query {
  readonly single: Record<string, string | number>;
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

const toGiven = (text: string): Given => {
  const at = text.indexOf('=');
  const [rawName, rawValue] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const name = decode(rawName, rawName);
  return { name, value: decode(rawValue, name) };
};

const parse = (url: string): Given[] => {
  const at = url.indexOf('?');
  const parts = at === -1 ? [] : url.slice(at + 1).split('&');
  return parts.filter((part) => part !== '').map(toGiven);
};

const isMember = ({ schema }: ParameterObject, name: string): boolean =>
  new RegExp((schema.propertyNames as { pattern: string }).pattern, 'u').test(name);

const assertNotRepeated = (given: readonly Given[]): void => {
  const seen = new Set<string>();
  for (const { name } of given) {
    if (seen.has(name)) throw refuse(name, 'is given more than once');
    seen.add(name);
  }
};

const assertFew = (given: readonly Given[]): void => {
  const filters = given.filter(({ name }) => !PAGING.includes(name));
  let bytes = 0;
  for (const [index, { name, value }] of filters.entries()) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (index >= FILTERS_MAX) throw refuse(name, `is one filter too many: ${FILTERS_MAX} at most`);
    if (bytes > FILTERS_BYTES_MAX) throw refuse(name, `makes the filters longer than ${FILTERS_BYTES_MAX} bytes`);
  }
};

// What generated clients send for a parameter that their caller left out (decision 55).
const UNSPECIFIED = /_(?:UNSPECIFIED|UNDEFINED)$/;

const isLeftOut = ({ schema }: ParameterObject, { name, value }: Given): boolean =>
  name === 'page_token' ? value === '' : schema.enum !== undefined && UNSPECIFIED.test(value);

const toSingle = ({ schema }: ParameterObject, { name, value }: Given): string | number => {
  if (schema.type !== 'integer') return value;
  if (!WHOLE_NUMBER.test(value)) throw refuse(name, 'is not a whole number in decimal digits');
  return Number(value);
};

const toMember = ({ schema }: ParameterObject, { name, value }: Given): string => {
  const { maxLength } = schema.additionalProperties as { maxLength: number };
  if ([...value].length > maxLength) throw refuse(name, 'is too long');
  return value;
};

/**
 * The query of a URL. An empty `page_token`, and a value that ends with `_UNSPECIFIED` or `_UNDEFINED` of a parameter with documented values, count as
 * not given.
 * @throws LedgerError REQUEST_INVALID that names a parameter that isn't described, is given twice, has no value, isn't UTF-8,
 * isn't the whole number that it should be, or is one filter too many.
 */
export const readQuery = (url: string, parameters: readonly ParameterObject[]): Query => {
  const given = parse(url);
  const query: Query = { single: {}, groups: {} };
  const described = given.flatMap((one) => {
    const isOf = (parameter: ParameterObject) =>
      isGroup(parameter) ? isMember(parameter, one.name) : parameter.name === one.name;
    const parameter = parameters.find(isOf);
    if (parameter === undefined) throw refuse(one.name, 'is not a documented parameter');
    if (isLeftOut(parameter, one)) return [];
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
