// What a request costs that reads many records, as far as the request shows it: the records of a page, and more for
// each filter, which reads lists of records.
import { PUBLIC_RECORDS_MAX } from '../limits.ts';
import type { ApiOperation } from '../openapi/document.ts';
import type { OperationId } from '../openapi/operationIds.ts';

const FILTER_COST = 20;

/** Operations without pages that read many records, and wait for nothing else. */
const COSTS: { readonly [Id in OperationId]?: number } = { tryPolicy: 250 };

interface ListQuery {
  readonly page_size?: number;
  readonly page_token?: string;
  readonly attribute_filters?: object;
}

// The size of a later page may be in its token only.
const toListCost = (query: ListQuery, sizeOfDefault: number, recordsMax: number): number => {
  const { page_size: size, page_token: _, attribute_filters = {}, ...others } = query;
  const filters = Object.keys(attribute_filters).length + Object.keys(others).length;
  return Math.min(size ?? sizeOfDefault, recordsMax) + FILTER_COST * filters;
};

/** The cost of an operation's requests in records, by the parameters of their query; 0: it takes no turn. */
export const createToReadCost = (
  { id, isList, right }: Pick<ApiOperation, 'id' | 'isList' | 'right'>,
  listRecordsMax: number,
): ((query: object) => number) => {
  const recordsMax = right === undefined ? PUBLIC_RECORDS_MAX : Number.POSITIVE_INFINITY;
  if (isList) return (query) => toListCost(query, listRecordsMax, recordsMax);
  const cost = COSTS[id] ?? 0;
  return () => cost;
};
