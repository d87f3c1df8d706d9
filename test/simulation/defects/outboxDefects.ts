// Slips in the outbox: what is durable, when, and in which order.
import type { Defect } from './defect.ts';

const OUTBOX = 'chain/writing/outbox.ts';
const SHARES = 'chain/writing/outboxShares.ts';
const STORE = 'chain/writing/outboxStore.ts';

/** Defects of the outbox. */
export const outboxDefects: readonly Defect[] = [
  {
    name: 'removal-not-synced',
    file: STORE,
    find: 'db.batch([...operations], SYNCED)',
    replace: "db.batch([...operations], operations[0]!.type === 'del' ? {} : SYNCED)",
    breaks: 'only the last write of the log can be lost in a power failure',
    foundBy: 'power failure after several removals',
  },
  {
    name: 'directory-not-synced',
    file: 'chain/leveldb/openDatabase.ts',
    find: 'await syncDirectory(path);',
    replace: 'void (() => syncDirectory(path));',
    breaks: 'the names of the files of a database are on the disk before a write is acknowledged',
    foundBy: 'power failure on a file system that promises only what POSIX does',
  },
  {
    name: 'written-after-failed-write',
    file: 'chain/writing/outboxWrites.ts',
    find: 'if (failure !== undefined) throw failure;',
    replace: '',
    breaks: 'nothing follows a part of a record in the log of LevelDB',
    foundBy: 'disk that refuses one write, then kill',
  },
  {
    name: 'new-log-not-synced',
    file: 'chain/leveldb/durableLog.ts',
    find: 'await syncDirectory(directory);',
    replace: 'void syncDirectory;',
    breaks: 'the name of a new log is on the disk before a write to it is acknowledged',
    foundBy: 'power failure on a file system that promises only what POSIX does, after a log is changed',
  },
  {
    name: 'cut-off-change-kept',
    file: 'chain/leveldb/openDatabase.ts',
    find: 'await removeCutOffChange(directory);',
    replace: 'void removeCutOffChange;',
    breaks: 'a database opens after a power failure while LevelDB changed its files',
    foundBy: 'power failure while a log is changed',
  },
  {
    name: 'known-key-not-synced',
    file: 'host/keyring.ts',
    find: 'may not be on the disk yet.\n  await syncDirectory(directory);',
    replace: 'may not be on the disk yet.',
    breaks: 'the name of a key that a killed process created is on the disk before the key is used',
    foundBy: 'kill and power failure during a first start',
  },
  {
    name: 'cut-off-start-kept',
    file: 'chain/leveldb/openDatabase.ts',
    find: 'await removeCutOffStart(directory);',
    replace: 'void removeCutOffStart;',
    breaks: 'a first start that was cut off begins again',
    foundBy: 'power failure during a first start',
  },
  {
    name: 'outbox-write-not-synced',
    file: STORE,
    find: 'db.batch([...operations], SYNCED)',
    replace: "db.batch([...operations], operations[0]!.type === 'put' ? {} : SYNCED)",
    breaks: 'an accepted record is on the disk before it is answered',
    foundBy: 'power failure',
  },
  {
    name: 'acknowledged-before-write',
    file: OUTBOX,
    find: `await store.write(prepare).catch((cause: unknown) => {
        throw recovery.begin(cause);
      });`,
    replace: 'void store.write(prepare).catch(recovery.begin);',
    breaks: 'a record is acknowledged when its write is complete, not when it starts',
    foundBy: 'kill, or a disk that refuses writes',
  },
  {
    name: 'group-grows-during-sync',
    file: 'chain/writing/outboxWrites.ts',
    find: `    const group = waiting;
    waiting = [];
    try {
      await writeGroup(group);
      for (const { resolve } of group) resolve();`,
    replace: `    const group = waiting;
    try {
      await writeGroup([...group]);
      for (const { resolve } of group) resolve();
      waiting = [];`,
    breaks: 'records that arrive while a group is being synced belong to the next group',
    foundBy: 'kill during concurrent requests',
  },
  {
    name: 'kept-after-failed-write',
    file: OUTBOX,
    find: '    for (const entry of await admitted.store(group)) entries.put(entry);',
    replace: `    for (const entry of group) entries.put(entry);
    await admitted.store(group);`,
    breaks: 'a record whose write failed is refused and is in no outbox',
    foundBy: 'disk that refuses writes',
  },
  {
    name: 'outbox-limit-ignores-waiting',
    file: OUTBOX,
    find: 'addAmounts(entries.pending(), admitted.all())',
    replace: 'addAmounts(entries.pending(), { count: 0, bytes: 0 })',
    breaks: 'the outbox never has more records than its limit',
    foundBy: 'burst of requests',
  },
  {
    name: 'outbox-full-too-early',
    file: SHARES,
    find: 'own.count < toTenantMax',
    replace: 'own.count + 1 < toTenantMax',
    breaks: 'the outbox accepts records up to its limit',
    foundBy: 'burst of requests',
  },
  {
    name: 'sequence-from-count',
    file: OUTBOX,
    find: 'let nextSequence = (loaded.at(-1)?.sequence ?? 0) + 1;',
    replace: 'let nextSequence = loaded.length + 1;',
    breaks: 'no entry gets the sequence of another',
    foundBy: 'kill with records in the outbox',
  },
  {
    name: 'removal-not-repeated',
    file: STORE,
    find: 'return { operations: [...missing, ...surplus.map(toDel)], lost: missing.length };',
    replace: 'return { operations: missing, lost: missing.length };',
    breaks: 'an entry is removed on the disk, also when the disk refused that at first',
    foundBy: 'disk that refuses writes',
  },
  {
    name: 'last-removal-not-written',
    file: OUTBOX,
    find: 'await store.remove(stored).catch(recovery.begin);',
    replace: 'await store.remove(stored.slice(0, -1)).catch(recovery.begin);',
    breaks: 'every committed entry is removed on the disk',
    foundBy: 'comparison of files and memory',
  },
  {
    name: 'outbox-not-reopened',
    file: STORE,
    find: `        await db.close();
        await reopenDatabase(db, directory);
        const { operations, lost }`,
    replace: '        const { operations, lost }',
    breaks: 'the database is opened again after a failed write, with a new log',
    foundBy: 'disk that refuses writes, then kill',
  },
];
