// What a request costs that reads many records, as far as the request shows it: the records of a page, and more for
// each filter, which reads lists of records.
import { STATED_LISTS } from '../blobs/statedHash.ts';
import { PUBLIC_RECORDS_MAX } from '../limits.ts';
import type { ApiOperation } from '../openapi/document.ts';
import type { OperationId } from '../openapi/operationIds.ts';

const FILTER_COST = 20;

/** Operations without pages that read many records, and wait for nothing else. */
const COSTS: { readonly [Id in OperationId]?: number } = { tryPolicy: 250 };

/** Lists that the first page of a list reads besides its own. */
const MORE_LISTS: { readonly [Id in OperationId]?: number } = { listBlobs: STATED_LISTS };

interface ListQuery {
  readonly page_size?: number;
  readonly page_token?: string;
  readonly attribute_filters?: object;
}

// The size of a later page may be in its token only.
const toListCost = (
  query: ListQuery,
  { sizeOfDefault, recordsMax, moreLists }: { sizeOfDefault: number; recordsMax: number; moreLists: number },
): number => {
  const { page_size: size, page_token: token, attribute_filters = {}, ...others } = query;
  const filters = Object.keys(attribute_filters).length + Object.keys(others).length;
  const lists = token === undefined ? moreLists : 0;
  return Math.min(size ?? sizeOfDefault, recordsMax) + FILTER_COST * (filters + lists);
};

/** The cost of an operation's requests in records, by the parameters of their query; 0: it takes no turn. */
export const createToReadCost = (
  { id, isList, right }: Pick<ApiOperation, 'id' | 'isList' | 'right'>,
  listRecordsMax: number,
): ((query: object) => number) => {
  const recordsMax = right === undefined ? PUBLIC_RECORDS_MAX : Number.POSITIVE_INFINITY;
  const moreLists = MORE_LISTS[id] ?? 0;
  if (isList) return (query) => toListCost(query, { sizeOfDefault: listRecordsMax, recordsMax, moreLists });
  const cost = COSTS[id] ?? 0;
  return () => cost;
};
