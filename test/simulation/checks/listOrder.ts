// The order of a list over all pages of a walk (decision 13). The default one has two parts: what was uncommitted at
// the first page, by acceptance and then by identity, whatever became of it since; then the rest, by position on the
// chain.
import type { ListedItem, ListWalk } from '../clients/history.ts';

/** What is known of an item of a list in the end. */
export interface Member {
  readonly tenantKey: string;
  readonly acceptedAt: string;
  /** Its position on the chain; undefined when it failed. */
  readonly position: number | undefined;
}

type Members = ReadonlyMap<string, Member>;

interface Placed {
  readonly item: ListedItem;
  readonly page: number;
  readonly member: Member | undefined;
}

const isAcceptedBefore = (older: Placed, newer: Placed): boolean => {
  if (older.member === undefined || newer.member === undefined) return true;
  const [first, second] = [older.member.acceptedAt, newer.member.acceptedAt];
  return first < second || (first === second && older.item.identity < newer.item.identity);
};

const isCommittedBefore = (older: Placed, newer: Placed): boolean => {
  const [first, second] = [older.member?.position, newer.member?.position];
  return first === undefined || second === undefined || first < second;
};

// Locations have no status.
const isConfirmed = ({ confirmation_status: status = 'CONFIRMED' }: ListedItem): boolean => status === 'CONFIRMED';
const isUncommitted = ({ confirmation_status: status = 'PENDING' }: ListedItem): boolean => status !== 'CONFIRMED';

const isInFirstPart = (placed: readonly Placed[], at: number): boolean => {
  const each = placed[at]!;
  return (each.page > 0 || isUncommitted(each.item)) && (at === 0 || isAcceptedBefore(each, placed[at - 1]!));
};

const isInSecondPart = (placed: readonly Placed[], at: number): boolean => {
  const [each, next] = [placed[at]!, placed[at + 1]];
  return isConfirmed(each.item) && (next === undefined || isCommittedBefore(next, each));
};

// All of the first part that the chain has follows all of the second part there.
const isDivided = (placed: readonly Placed[], at: number): boolean => {
  const positions = (part: readonly Placed[]): number[] =>
    part.flatMap(({ member }) => (member?.position === undefined ? [] : [member.position]));
  const highest = Math.max(-1, ...positions(placed.slice(at)));
  return positions(placed.slice(0, at)).every((position) => position > highest);
};

// The first item that is out of order; undefined if the list can be divided into its two parts.
const findOutOfOrder = (placed: readonly Placed[]): Placed | undefined => {
  let firstEnd = 0;
  while (firstEnd < placed.length && isInFirstPart(placed, firstEnd)) firstEnd += 1;
  for (let at = placed.length; at >= 0; at -= 1) {
    if (at <= firstEnd && isDivided(placed, at)) return undefined;
    if (at > 0 && !isInSecondPart(placed, at - 1)) return placed[Math.min(firstEnd, placed.length - 1)];
  }
  return placed[0];
};

const toPlaced = ({ pages }: ListWalk, members: Members): Placed[] =>
  pages.flatMap(({ items }, page) => items.map((item) => ({ item, page, member: members.get(item.identity) })));

// Within a page, since a name may change between two.
const findUnsorted = (walk: ListWalk, members: Members, isBefore: (older: Placed, newer: Placed) => boolean) => {
  const placed = toPlaced(walk, members);
  return placed.find((each, at) => at > 0 && placed[at - 1]!.page === each.page && !isBefore(placed[at - 1]!, each));
};

const FINDERS: Readonly<Record<string, (walk: ListWalk, members: Members) => Placed | undefined>> = {
  DEFAULT: (walk, members) => findOutOfOrder(toPlaced(walk, members)),
  SIMPLEHASHV2: (walk, members) => findUnsorted(walk, members, isAcceptedBefore),
  DISPLAY_NAME: (walk, members) =>
    findUnsorted(walk, members, ({ item: first }, { item: second }) => first.display_name! <= second.display_name!),
};

/** The identity of an item of a walk that is out of order; undefined if there is none. */
export const findItemOutOfOrder = (walk: ListWalk, members: Members): string | undefined =>
  FINDERS[walk.order]!(walk, members)?.item.identity;
