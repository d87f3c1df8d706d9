// Slips in keys, updates, and lists: what a client sees of records that are written meanwhile.
import type { Defect } from './defect.ts';

const IDEMPOTENCY = 'server/records/idempotency.ts';
const UNCOMMITTED = 'indexer/reads/uncommitted.ts';
const UPDATE = 'server/operations/locations/updateLocation.ts';
const NEWEST_PAGE = 'indexer/reads/newestPage.ts';
const ACCEPTED_PAGE = 'indexer/reads/acceptedPage.ts';
const NAMED_READS = 'indexer/reads/namedReads.ts';
const READER = 'indexer/reads/overlaidReader.ts';

const listDefects: readonly Defect[] = [
  {
    name: 'pending-records-not-listed',
    file: READER,
    find: 'readTenant: (tenantIdentity, read) => readOver(outbox.readTenant(tenantIdentity), read),',
    replace: 'readTenant: (_, read) => readOver([], read),',
    breaks: 'a list has the records that wait for the chain',
    foundBy: 'list after an answer with PENDING',
  },
  {
    name: 'list-of-every-tenant',
    file: 'chain/writing/outboxEntries.ts',
    find: `tenants.find(tenantIdentity)?.read() ?? NO_ENTRIES,
    stream:`,
    replace: `entries.read(),
    stream:`,
    breaks: 'a list has nothing of another tenant',
    foundBy: 'list while records of another tenant wait for the chain',
  },
  {
    name: 'changed-location-listed-twice',
    file: NAMED_READS,
    find: 'const created = list.matching.filter(({ number }) => number === undefined);',
    replace: 'const created = list.matching;',
    breaks: 'a location with a pending version is listed once',
    foundBy: 'list while an update waits for the chain',
  },
  {
    name: 'page-repeats-committed',
    file: NEWEST_PAGE,
    find: 'Number.isFinite(start.before) ? start.before : list.readCount();',
    replace: 'Number.MAX_SAFE_INTEGER;',
    breaks: 'a record that is committed between two pages is not repeated',
    foundBy: 'list whose pages are requested while records are committed',
  },
  {
    name: 'page-skips-pending',
    file: NEWEST_PAGE,
    find: 'const accepted = lastShown?.place ?? start.accepted ?? null;',
    replace: 'const accepted = null;',
    breaks: 'the next page continues with the records that wait for the chain',
    foundBy: 'list whose pages are smaller than the number of waiting records',
  },
  {
    name: 'page-skips-committed',
    file: NEWEST_PAGE,
    find: 'const committed = await list.findCommitted(before, accepted, countMax);',
    replace: 'const committed: readonly CommittedItem[] = [];',
    breaks: 'a record that is committed between two pages is not skipped',
    foundBy: 'list whose pages are requested while records are committed',
  },
  {
    name: 'list-ends-early',
    file: NEWEST_PAGE,
    find: 'countMax: remaining + 1,',
    replace: 'countMax: remaining,',
    breaks: 'a page has a token when another page follows',
    foundBy: 'list of several pages',
  },
  {
    name: 'count-without-pending',
    file: NEWEST_PAGE,
    find: 'total: query.isCounted ? found.count + list.uncommitted.length : undefined,',
    replace: 'total: query.isCounted ? found.count : undefined,',
    breaks: 'the count of a list agrees with its items',
    foundBy: 'list while records wait for the chain',
  },
  {
    name: 'page-skips-equal-times',
    file: ACCEPTED_PAGE,
    find: 'const order = comparePlaces(toPlace(event), place);',
    replace: 'const order = toPlace(event).atMs - place.atMs;',
    breaks: 'a page continues within the records of one millisecond',
    foundBy: 'list ordered by acceptance',
  },
];

const refusalDefects: readonly Defect[] = [
  {
    name: 'every-list-refused',
    file: 'indexer/reads/guardReads.ts',
    find: 'map(([name, read]) => [name, guard(read)])',
    replace: `map(([name, read]) => {
    const refuse = () => Promise.reject(new LedgerError('CHAIN_UNAVAILABLE'));
    return [name, guard(/^list|^encode/.test(name) ? refuse : read)];
  })`,
    breaks: 'lists are read while the chain is unavailable',
    foundBy: 'any list',
  },
  {
    name: 'committed-event-refused',
    file: 'server/operations/events/getEvent.ts',
    find: "if (event === undefined) throw new LedgerError('EVENT_NOT_FOUND');",
    replace: "if (event?.confirmation_status !== 'PENDING') throw new LedgerError('CHAIN_UNAVAILABLE');",
    breaks: 'a record is read while the chain is unavailable',
    foundBy: 'any read of an event',
  },
];

/** Defects of keys, updates and lists. */
export const readDefects: readonly Defect[] = [
  {
    name: 'key-without-body',
    file: IDEMPOTENCY,
    find: `
    assertSameRequest(steps.toFirstRecord(first, creation), (acceptance) => steps.toRecord(creation, acceptance));`,
    replace: '',
    breaks: 'a key that is used again with another body is refused',
    foundBy: 'key that is used for two requests',
  },
  {
    name: 'update-without-exclusion',
    file: UPDATE,
    find: 'return toVersionedAnswer(await runExclusively(name, change));',
    replace: 'return toVersionedAnswer(await change());',
    breaks: 'updates of one location run one after the other',
    foundBy: 'two updates of a location at the same time',
  },
  {
    name: 'oldest-pending-version-shown',
    file: UNCOMMITTED,
    find: 'pending(withoutConflicts(entries, indexed)).at(-1)?.record',
    replace: 'pending(withoutConflicts(entries, indexed)).at(0)?.record',
    breaks: 'the newest of the pending versions is shown',
    foundBy: 'two updates of a location that wait for the chain',
  },
  {
    name: 'refused-version-shown',
    file: UNCOMMITTED,
    find: 'pending(withoutConflicts(entries, indexed)).at(-1)?.record',
    replace: 'withoutConflicts(entries, indexed).at(-1)?.record',
    breaks: 'a version that the contract refused is no longer shown',
    foundBy: 'update of a location while its author is removed',
  },
  {
    name: 'asset-hidden-by-refused-event',
    file: 'indexer/reads/uncommitted.ts',
    find: "entry.status === 'FAILED' ? asset :",
    replace: "entry.status === 'FAILED' ? undefined :",
    breaks: 'a refused event changes nothing of its asset',
    foundBy: 'event that the contract rejects',
  },
  ...listDefects,
  ...refusalDefects,
];
