// Asset filters that no asset can meet: lists about one attribute that contradict each other. A policy with such a
// filter applies to nothing, which nobody intends.
import type { FieldViolation } from '../errors.ts';
import { splitPath } from '../records/attributePaths.ts';
import type { Attributes } from '../records/attributes.ts';
import { type Alternatives, NEWEST_SYNTAX } from '../records/policy.ts';
import { type AttributeCondition, meets, parseCondition } from './assetFilter.ts';

type Conditions = readonly AttributeCondition[];

// The conditions of a list whose conditions are all about one attribute; none for another list.
const toConditions = ({ or }: Alternatives): AttributeCondition[] => {
  const conditions = or.map((text) => parseCondition(text, NEWEST_SYNTAX));
  const name = conditions[0]?.name;
  return conditions.flatMap((condition) => (condition !== undefined && condition.name === name ? [condition] : []));
};

const isOfOneName = (list: Alternatives): boolean => toConditions(list).length === list.or.length;

// Every text that a condition names, one that none does, and no text at all, for all of which conditions differ.
const toCandidates = (name: string, lists: readonly Conditions[]): Attributes[] => {
  const values = new Set(lists.flat().flatMap(({ value }) => (value === undefined ? [] : [value])));
  const other = `${[...values].join('')}.`;
  return [{}, ...['', other, ...values].map((value) => Object.fromEntries([[name, value]]))];
};

// A path may lead to several texts: those that the conditions require, and no others.
const toListOf = (path: string, lists: readonly Conditions[]): Attributes => {
  const { attribute, member } = splitPath(path)[0]!;
  const conditions = lists.flat();
  const other = `${conditions.map(({ value }) => value).join('')}.`;
  const texts = conditions.filter(({ isDenied }) => !isDenied).map(({ value = other }) => value);
  return Object.fromEntries([[attribute, texts.map((text) => Object.fromEntries([[member, text]]))]]);
};

const isContradiction = (name: string, about: readonly Conditions[]): boolean => {
  const isOfPath = about[0]![0]!.isPath === true;
  // Of lists with alternatives, none is required.
  const lists = isOfPath ? about.filter(({ length }) => length === 1) : about;
  if (lists.length < 2) return false;
  const isMet = (attributes: Attributes): boolean =>
    lists.every((list) => list.some((condition) => meets(condition, attributes)));
  return !(isOfPath ? [toListOf(name, lists)] : toCandidates(name, lists)).some(isMet);
};

/** The violation of a filter that no asset can meet, in this field; none for another filter. */
export const findUnmeetable = (field: string, filter: readonly Alternatives[]): FieldViolation[] => {
  const lists = filter.filter(isOfOneName).map(toConditions);
  const byName = Map.groupBy(lists, ([condition]) => condition!.name);
  return [...byName].flatMap(([name, about]) => {
    if (!isContradiction(name, about)) return [];
    return [{ field, description: `no asset can meet it: its conditions on ${name} contradict each other` }];
  });
};
