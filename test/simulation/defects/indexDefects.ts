// Slips in the index and its reads.
import type { Defect } from './defect.ts';

const STORE = 'indexer/store.ts';
const WRITE = `addTo(batch, { key: cursorKey(), value: cursor });
    await batch.write();`;

/** Defects of the index. */
export const indexDefects: readonly Defect[] = [
  {
    name: 'cursor-before-rows',
    file: STORE,
    find: WRITE,
    replace: `await db.put(cursorKey(), encodeStored(cursorKey(), cursor));
    await batch.write();`,
    breaks: 'rows and cursor are written in one batch',
    foundBy: 'kill between the two writes',
  },
  {
    name: 'cursor-after-rows',
    file: STORE,
    find: WRITE,
    replace: `await batch.write();
    await db.put(cursorKey(), encodeStored(cursorKey(), cursor));`,
    breaks: 'rows and cursor are written in one batch',
    foundBy: 'kill between the two writes',
  },
  {
    name: 'subtree-with-its-own-half',
    file: 'indexer/projection/projectLeaf.ts',
    find: 'const left = readLeafRow(read, tenantKey, index - 2 ** level);',
    replace: 'const left = readLeafRow(read, tenantKey, level < 2 ? index - 2 ** level : index - 1);',
    breaks: 'a tenant has the tree of its records',
    foundBy: 'four records of a tenant',
  },
  {
    name: 'leaf-replaced-by-the-next',
    file: 'indexer/projection/projectLeaf.ts',
    find: '    row(treeKey(tenantKey), index + 1),',
    replace: `    ...(index % 4 === 3 ? [] : [row(treeKey(tenantKey), index + 1)]),`,
    breaks: 'every record is a leaf of its own',
    foundBy: 'five records of a tenant',
  },
  {
    name: 'row-in-memory-not-replaced',
    file: 'indexer/shownRows.ts',
    find: 'if (isCurrent()) kept.replace(name, { row: writes[at]!.value, bytes: bytes[at]! });',
    replace: 'void [isCurrent, kept, name, writes, bytes, at];',
    breaks: 'a row in memory is replaced when it is written',
    foundBy: 'several records of one asset',
  },
  {
    name: 'failed-index-write-ignored',
    file: 'indexer/shownRows.ts',
    find: 'const bytes = await options.write(batch.writes, batch.cursor);',
    replace: 'const bytes = await options.write(batch.writes, batch.cursor).catch(() => batch.writes.map(() => 0));',
    breaks: 'the rows of a failed write are written again',
    foundBy: 'disk that refuses writes',
  },
  {
    name: 'rows-in-flight-not-read',
    file: 'indexer/shownRows.ts',
    find: 'return unwritten?.rows.has(name) ? unwritten.rows.get(name) : kept.read(name, key, readStored);',
    replace: `void unwritten;
      return kept.read(name, key, readStored);`,
    breaks:
      'a record that was answered is read, and later records are projected on it, while its rows are being written',
    foundBy: 'reads and records after an answer',
  },
  {
    name: 'snapshot-before-rows-are-written',
    file: STORE,
    find: `      await written();
      for (let reopened`,
    replace: '      for (let reopened',
    breaks: 'a list has every record that was answered before',
    foundBy: 'lists after an answer',
  },
  {
    name: 'writes-after-failed-write',
    file: 'indexer/reopening.ts',
    find: `      await task().catch((cause: Error) => {
        failure = cause;
        throw cause;
      });`,
    replace: '      await task();',
    breaks: 'nothing is written after a half-written record in the log',
    foundBy: 'disk that refuses writes, then kill',
  },
  {
    name: 'index-not-reopened',
    file: 'indexer/reopening.ts',
    find: `      await db.close();
      if (damage.found() !== undefined) await remove();
      await db.open();`,
    replace: '      if (damage.found() !== undefined) await remove();',
    breaks: 'the database is opened again after a failed write, with a new log',
    foundBy: 'disk that refuses writes, then kill',
  },
  {
    name: 'gap-between-logs-not-noticed',
    file: 'host/files/indexFiles.ts',
    find: 'findFileDamage(directory, { onProgress, isGapless: true })',
    replace: 'findFileDamage(directory, { onProgress })',
    breaks: 'rows that a log lost at its end are not missing before those of the next log',
    foundBy: 'power failure while LevelDB changes its log',
  },
  {
    name: 'unknown-lists-taken-as-new',
    file: 'indexer/projection/newestLists.ts',
    find: 'return kept?.chunk === chunk ? kept.terms : undefined;',
    replace: 'return kept?.chunk === chunk ? kept.terms : new Set();',
    breaks: 'a list of the chunk that began before the process is read before it is written',
    foundBy: 'several events of one tenant, before and after a start',
  },
  {
    name: 'indexed-records-shown-twice',
    file: 'indexer/reads/overlaidReader.ts',
    find: 'return await read(snapshot, entries.filter(isMissingIn(snapshot)));',
    replace: 'return await read(snapshot, entries);',
    breaks: 'a record that is in the outbox and in the index is read from the index',
    foundBy: 'kill before an entry is removed, reads',
  },
  {
    name: 'followed-version-ignored',
    file: 'indexer/projection/projection.ts',
    find: 'if (!isReplacing(record, current?.record)) return toConflict(decoded);',
    replace: 'void isReplacing;',
    breaks: 'of two versions that follow the same one, the first holds',
    foundBy: 'a writer without the server, and an update of the same location',
  },
];
