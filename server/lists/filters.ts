// Converts the filters of a request to the conditions that the index evaluates (decisions 20 and 27). Pure. The filters
// are valid by the OpenAPI document, and come either from the request or from its page token.
import type { AttributeFilter, FieldFilter, TimeFilter } from '../../indexer/ledgerView.ts';
import { readListFilter } from '../../ledger/compliance/listFilter.ts';
import { normalizeTimestamp } from '../../ledger/encoding/timestamp.ts';
import type { PageFilters } from './pageTokens.ts';

const toCondition = (parameter: string, given: string): Pick<AttributeFilter, 'name' | 'is' | 'value'> => {
  const { name, isDenied, value } = readListFilter(parameter, given);
  if (value === undefined) return { name, is: isDenied ? 'absent' : 'present', value: '' };
  return { name, is: isDenied ? 'different' : 'equal', value };
};

/** The conditions on attributes: parameters `<prefix>.<name>`, each on the attribute map of its prefix. */
export const toAttributeFilters = <Map extends string>(
  filters: PageFilters,
  mapOf: Readonly<Record<string, Map>>,
): AttributeFilter<Map>[] =>
  Object.entries(filters).flatMap(([parameter, value]) => {
    const found = Object.entries(mapOf).find(([prefix]) => parameter.startsWith(`${prefix}.`));
    if (found === undefined) return [];
    const [prefix, map] = found;
    return [{ map, ...toCondition(parameter.slice(prefix.length + 1), value) }];
  });

/** The conditions on fields that are parameters under their own names. */
export const toFieldFilters = <Field extends string>(
  filters: PageFilters,
  fields: readonly Field[],
): FieldFilter<Field>[] =>
  fields.flatMap((field) => {
    const value = filters[field];
    return value === undefined ? [] : [{ field, value }];
  });

/** Whether a filter excludes everything, because all records have a constant value that differs from the filter's. */
export const excludesConstants = (filters: PageFilters, constants: PageFilters): boolean =>
  Object.entries(constants).some(([name, value]) => filters[name] !== undefined && filters[name] !== value);

const readTimeFilter = (filters: PageFilters, parameter: string): number | undefined => {
  const text = filters[parameter];
  return text === undefined ? undefined : Date.parse(normalizeTimestamp(text, parameter));
};

// The ledger's times are whole milliseconds, so a time before a fraction of a millisecond is before the next
// millisecond.
const FINER_THAN_MS = /\.\d{3}\d*[1-9]/;

const toBeforeMs = (filters: PageFilters, parameter: string): number | undefined => {
  const atMs = readTimeFilter(filters, parameter);
  return atMs !== undefined && FINER_THAN_MS.test(filters[parameter]!) ? atMs + 1 : atMs;
};

/**
 * The conditions on times: parameters `<time>_since` and `<time>_before`.
 * @throws LedgerError TIMESTAMP_INVALID that names the parameter.
 */
export const toTimeFilters = <Time extends TimeFilter['time']>(
  filters: PageFilters,
  times: readonly Time[],
): TimeFilter[] =>
  times.flatMap((time) => {
    const sinceMs = readTimeFilter(filters, `${time}_since`);
    const beforeMs = toBeforeMs(filters, `${time}_before`);
    return sinceMs === undefined && beforeMs === undefined ? [] : [{ time, sinceMs, beforeMs }];
  });
