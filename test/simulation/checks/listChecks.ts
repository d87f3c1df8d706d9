// Lists (decisions 10, 11, 13 and 14): what was answered is in a list that is requested afterwards, exactly once, also
// when records are added between its pages; and nothing else is.
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import { isCreation } from '../../../ledger/records/event.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import type { CreationRequest, FirstStreams, ListedItem, ListWalk } from '../clients/history.ts';
import type { Violation } from '../plan/plan.ts';
import { type ChainCheckInput, isShownBy } from './chainChecks.ts';
import { findItemOutOfOrder, type Member } from './listOrder.ts';
import { findMissing, type Missing } from './missing.ts';
import { findWithoutEffect } from './orderChecks.ts';
import { type Check, runChecks } from './runChecks.ts';

/** What the checks of lists need. */
export interface ListCheckInput extends Pick<ChainCheckInput, 'history' | 'records' | 'failed' | 'removals'> {
  /** Assets and locations whose records are not among `records`: those before the run, and those of third parties. */
  readonly others: readonly FirstStreams[];
}

// What a record adds to lists: an event is a member, and a creation also adds the asset or the location.
const toIdentities = (record: LedgerRecord): string[] => {
  if (record.type === 'location') return [toStreamIdentityOf(record)];
  if (record.type !== 'event') return [];
  return isCreation(record) ? [record.identity, toStreamIdentityOf(record)] : [record.identity];
};

// A location has the position of its first version, and was accepted with it, also if the chain has refused it.
const toMembers = ({ records, failed, others }: ListCheckInput): Map<string, Member> => {
  const added = [
    ...records.map(({ log, record }, position) => ({ tenantKey: log.tenantKey, record, position })),
    ...failed.map(({ tenantIdentity, record }) => ({
      tenantKey: toHex(toKey(tenantIdentity)),
      record,
      position: undefined,
    })),
  ];
  const members = added.flatMap(({ tenantKey, record, position }) =>
    toIdentities(record).map((identity): [string, Member] => [
      identity,
      { tenantKey, position, acceptedAt: record.timestamp_accepted },
    ]),
  );
  const known = new Set(others.flatMap(({ identities }) => identities));
  const versions = Map.groupBy(
    members.filter(([identity]) => !known.has(identity)),
    ([identity]) => identity,
  );
  const toMember = ([[, first], ...later]: readonly [[string, Member], ...[string, Member][]]): Member => {
    const times = [first, ...later.map(([, member]) => member)].map(({ acceptedAt }) => acceptedAt);
    return { ...first, acceptedAt: times.sort()[0]! };
  };
  return new Map(
    [...versions].map(([identity, all]) => [identity, toMember(all as [[string, Member], ...[string, Member][]])]),
  );
};

const itemsOf = ({ pages }: ListWalk): ListedItem[] => pages.flatMap(({ items }) => items);

const isComplete = ({ pages }: ListWalk): boolean => pages.at(-1)?.isLast === true;

const nameOf = ({ list, tenantIdentity, streamIdentity, order, pageSize }: ListWalk): string =>
  `the list of ${list} of ${streamIdentity ?? tenantIdentity} (${order}, ${pageSize ?? 'no'} page size)`;

const isInScope = ({ list, streamIdentity }: ListWalk, identity: string): boolean => {
  if (list !== 'events') return identity.startsWith(`${list}/`);
  return identity.startsWith(`${streamIdentity ?? 'assets'}/`);
};

const LISTS: Readonly<Record<CreationRequest['kind'], readonly ListWalk['list'][]>> = {
  createAsset: ['assets', 'events'],
  createEvent: ['events'],
  createLocation: ['locations'],
  updateLocation: ['locations'],
};

// The identities that answers have shown before a walk began.
const findShown = ({ history, records }: ListCheckInput, walk: ListWalk): string[] => {
  const { list, tenantIdentity } = walk;
  const beganMs = walk.pages[0]!.sentMs;
  const answered = history.requests
    .filter((request) => request.tenantIdentity === tenantIdentity && LISTS[request.kind].includes(list))
    .flatMap(({ label, kind, sights }) =>
      sights
        .filter(({ atMs }) => atMs <= beganMs)
        .flatMap((sight) => {
          if (list !== 'events' || kind !== 'createAsset') return [sight.identity];
          const found = records.find((one) => one.label === label && isShownBy(sight, one.record.identity));
          return found === undefined ? [] : [found.record.identity];
        }),
    );
  const listed = history.walks
    .filter((other) => other.list === list && other.tenantIdentity === tenantIdentity)
    .flatMap(({ pages }) => pages.filter(({ atMs }) => atMs <= beganMs).flatMap(({ items }) => items))
    .map(({ identity }) => identity);
  return [...new Set([...answered, ...listed])].filter((identity) => isInScope(walk, identity));
};

// A location that gets another name between two pages moves in the order of names.
const mayMove = ({ history }: ListCheckInput, { order, pages }: ListWalk, identity: string): boolean =>
  order === 'DISPLAY_NAME' &&
  pages.length > 1 &&
  history.requests.some(({ streamIdentity, body }) => streamIdentity === identity && 'display_name' in body);

// A list lacks what a request for its items does not find. An asset always stays in place.
const mayLack = (missing: Missing, { list, pages }: ListWalk, identity: string): boolean => {
  const { atMs } = pages.at(-1)!;
  if (list === 'locations') return missing.location(identity, atMs);
  return list === 'events' && missing.event(identity, atMs);
};

const checkMissing: Check<ListCheckInput> = (input) => {
  const missing = findMissing(input);
  return input.history.walks.filter(isComplete).flatMap((walk) => {
    const listed = new Set(itemsOf(walk).map(({ identity }) => identity));
    return findShown(input, walk)
      .filter(
        (identity) => !listed.has(identity) && !mayLack(missing, walk, identity) && !mayMove(input, walk, identity),
      )
      .map((identity) => `${identity} was answered before, and ${nameOf(walk)} lacks it`);
  });
};

const checkRepeated: Check<ListCheckInput> = (input) =>
  input.history.walks.flatMap((walk) =>
    itemsOf(walk)
      .filter(({ identity }, at, items) => items.findIndex((other) => other.identity === identity) < at)
      .filter(({ identity }) => !mayMove(input, walk, identity))
      .map(({ identity }) => `${nameOf(walk)} has ${identity} twice`),
  );

const checkOthers: Check<ListCheckInput> = (input) => {
  const members = toMembers(input);
  const missing = findMissing(input);
  return input.history.walks.flatMap((walk) => {
    const tenantKey = toHex(toKey(walk.tenantIdentity));
    const others = input.others.filter(({ tenantIdentity }) => tenantIdentity === walk.tenantIdentity);
    const known = others.flatMap(({ identities }) => identities);
    // The last requests are sent when no record is pending.
    const isLast = walk.pages.some(({ sentMs }) => sentMs >= input.history.lastFromMs);
    const isMissing = (identity: string): boolean =>
      isLast && walk.list === 'events' && missing.event(identity, input.history.lastFromMs);
    return itemsOf(walk)
      .filter(({ identity }) => {
        const isOther = known.some((stream) => identity === stream || identity.startsWith(`${stream}/`));
        const isMember = isOther || members.get(identity)?.tenantKey === tenantKey;
        return !isMember || !isInScope(walk, identity) || isMissing(identity);
      })
      .map(({ identity }) => `${nameOf(walk)} has ${identity}, which does not belong to it`);
  });
};

const checkPages: Check<ListCheckInput> = ({ history }) =>
  history.walks.flatMap((walk) =>
    walk.pages.flatMap(({ items, total, isLast }, at) => {
      const sizeMax = walk.pageSize ?? Number.POSITIVE_INFINITY;
      const isShort = !isLast && walk.pageSize !== undefined && items.length < walk.pageSize;
      const isWrongSize = items.length > sizeMax || isShort;
      const isOnly = isLast && at === 0;
      const isWrongTotal = isOnly ? total !== items.length : total < items.length;
      return [
        ...(isWrongSize ? [`page ${at} of ${nameOf(walk)} has ${items.length} items`] : []),
        ...(isWrongTotal ? [`page ${at} of ${nameOf(walk)} has ${items.length} items, and counts ${total}`] : []),
      ];
    }),
  );

const checkOrder: Check<ListCheckInput> = (input) => {
  const members = toMembers(input);
  return input.history.walks.flatMap((walk) => {
    const identity = findItemOutOfOrder(walk, members);
    return identity === undefined ? [] : [`${nameOf(walk)} has ${identity} out of order`];
  });
};

// Locations may vanish when the chain refuses them, and so may the events of an asset whose creation it refuses or has
// after them; nothing else does.
const checkTotal: Check<ListCheckInput> = ({ history, records, failed }) => {
  const isAnyWithoutEffect = findWithoutEffect(records).length > 0;
  const mayVanish = ({ list, tenantIdentity }: ListWalk): boolean =>
    list !== 'assets' &&
    (isAnyWithoutEffect ||
      failed.some(
        ({ tenantIdentity: tenant, record }) =>
          tenant === tenantIdentity && (record.type === 'location' || (record.type === 'event' && isCreation(record))),
      ));
  return history.walks
    .filter((walk) => isComplete(walk) && walk.order !== 'DISPLAY_NAME' && !mayVanish(walk))
    .filter((walk) => itemsOf(walk).length < walk.pages[0]!.total)
    .map(
      (walk) => `${nameOf(walk)} has ${itemsOf(walk).length} items, and its first page counts ${walk.pages[0]!.total}`,
    );
};

const CHECKS: Readonly<Record<string, Check<ListCheckInput>>> = {
  'lists contain what was answered': checkMissing,
  'lists contain each record once': checkRepeated,
  'lists contain nothing else': checkOthers,
  'counts and page sizes agree with the items': checkPages,
  'pages have each record of the first page’s moment': checkTotal,
  'lists are in order': checkOrder,
};

/** Runs all checks of lists. */
export const checkLists = (input: ListCheckInput): Violation[] => runChecks(CHECKS, input);
