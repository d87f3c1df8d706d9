// Paths to texts within attributes that are maps or lists of maps (decision 20): the name of the attribute, a dot, and
// the name of a member. Names may contain dots themselves, so a path can be split at several places.
import type { Attributes, AttributeValue } from './attributes.ts';

/** Dots of a path at which the name of an attribute may end: the first ones. */
const SPLITS_MAX = 8;
/** Items of a list whose members have paths: the first ones, more than the event that sends a list can contain. */
const ITEMS_MAX = 10_000;

/** One way to split a path. */
export interface MemberName {
  readonly attribute: string;
  readonly member: string;
}

/** Whether a name can be a path. */
export const isPath = (name: string): boolean => name.includes('.');

/** The ways to split a path; none for a name without a dot. */
export const splitPath = (path: string): MemberName[] => {
  const splits: MemberName[] = [];
  for (let at = path.indexOf('.'); at >= 0 && splits.length < SPLITS_MAX; at = path.indexOf('.', at + 1))
    splits.push({ attribute: path.slice(0, at), member: path.slice(at + 1) });
  return splits;
};

/** Texts by the name of the member that they are. */
export type MemberTexts = ReadonlyMap<string, ReadonlySet<string>>;

const NO_TEXTS: MemberTexts = new Map();

/** The texts of a map, or of the items of a list, each once; none of a text. */
export const readMemberTexts = (value: AttributeValue): MemberTexts => {
  if (typeof value === 'string') return NO_TEXTS;
  const items = (Array.isArray(value) ? value.slice(0, ITEMS_MAX) : [value]) as readonly Record<string, string>[];
  const members = new Map<string, Set<string>>();
  for (const item of items) {
    for (const name of Object.keys(item)) {
      const texts = members.get(name) ?? new Set();
      members.set(name, texts.add(item[name]!));
    }
  }
  return members;
};

// A policy with many conditions looks at the same list for each of them.
const known = new WeakMap<object, MemberTexts>();

const findMembers = (value: AttributeValue | undefined): MemberTexts => {
  if (value === undefined || typeof value === 'string') return NO_TEXTS;
  const members = known.get(value) ?? readMemberTexts(value);
  known.set(value, members);
  return members;
};

/** The sets of texts that a path leads to in attributes: one for each split that leads to some. */
export const findTexts = (attributes: Attributes, path: string): ReadonlySet<string>[] =>
  splitPath(path).flatMap(({ attribute, member }) => {
    const texts = findMembers(Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined).get(member);
    return texts === undefined ? [] : [texts];
  });

/** Whether one of the texts isn't empty. */
export const hasFilledText = (texts: ReadonlySet<string>): boolean => texts.size > (texts.has('') ? 1 : 0);
