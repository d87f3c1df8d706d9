// The filters of a list as parameters of the address: what each is called, and times as a form has them.
import { readListFilter, writeListFilter } from '../../ledger/compliance/listFilter.ts';
import { toLocal } from './times.ts';

/** Parameters that say which page of a list is shown, and in which order, rather than which records. */
const PAGE_PARAMETERS = ['page_token', 'order_by', 'sort'];

/** What an attribute must be. */
export type AttributeTest = 'equal' | 'different' | 'present' | 'absent';

const ATTRIBUTE = /^((?:event_|asset_|asset\.)?attributes)\.([\s\S]+)$/;
const TIME = /^timestamp_[a-z]+_(?:since|before)$/;

const PLACES: Readonly<Record<string, string>> = { asset_attributes: 'set: ', 'asset.attributes': 'asset: ' };

/** The parameter that filters by an attribute, and its value. */
export const toAttributeFilter = (map: string, name: string, test: AttributeTest, value: string): [string, string] => {
  const isDenied = test === 'different' || test === 'absent';
  const isAny = test === 'present' || test === 'absent';
  const [parameter, text] = writeListFilter({ name, isDenied, value: isAny ? undefined : value });
  return [`${map}.${parameter}`, text];
};

/** The parameters that filter the list. */
export const listFilters = (parameters: URLSearchParams): [name: string, value: string][] =>
  [...parameters].filter(([name]) => !PAGE_PARAMETERS.includes(name));

/** A filter as people read it. `titles`: those of the parameters that have one. */
export const toFilterText = (name: string, value: string, titles: ReadonlyMap<string, string>): string => {
  const title = titles.get(name);
  const [, map, attribute = ''] = ATTRIBUTE.exec(name) ?? [];
  const condition = readListFilter(attribute, value);
  if (TIME.test(name) && isTime(value)) return `${title ?? name} ${toLocal(value)}`;
  if (map === undefined || (title !== undefined && condition.value !== undefined)) return `${title ?? name}: ${value}`;
  const subject = `${PLACES[map] ?? ''}${condition.name}`;
  if (condition.value === undefined) return `${subject} is ${condition.isDenied ? 'absent' : 'present'}`;
  return `${subject} ${condition.isDenied ? '≠' : '='} ${condition.value}`;
};

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Whether a text is a time as the interface has it (RFC 3339). */
export const isRfc3339 = (text: string): boolean => TIMESTAMP.test(text) && isTime(text);

/** Whether a text is a time. */
export const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** RFC 3339 as a form has it: the reader's local time without a zone, to the second. Empty if it is no time. */
export const toFormTime = (timestamp: string): string => {
  if (!isTime(timestamp)) return '';
  const time = new Date(timestamp);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
};

/** What a form has, as RFC 3339 in UTC; `last` if it still shows that. Empty if it has no time. */
export const fromFormTime = (text: string, last: string): string => {
  if (text === '' || !isTime(text)) return '';
  return toFormTime(last).startsWith(text) ? last : new Date(text).toISOString();
};
