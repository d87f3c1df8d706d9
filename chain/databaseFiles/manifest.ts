// Which files a LevelDB database is made of: its MANIFEST, a log of changes of that set.
import { createByteReader, DamagedBytes } from './bytes.ts';
import { readLogRecords } from './logFile.ts';

export interface LiveFiles {
  /** Numbers of tables. */
  readonly tables: ReadonlySet<number>;
  /** Logs of this number and above are read at the next start. */
  readonly firstLog: number;
}

const TAG = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedFile: 6,
  newFile: 7,
  previousLog: 9,
} as const;

/** The files that a MANIFEST names. @throws DamagedBytes when it is damaged. */
export const readLiveFiles = (manifest: Buffer): LiveFiles => {
  const tables = new Set<number>();
  let firstLog = 0;
  const readEdit = (edit: Buffer): void => {
    const reader = createByteReader(edit, 0);
    const skipText = (): unknown => reader.take(reader.varint());
    const readers: Readonly<Record<number, () => unknown>> = {
      [TAG.comparator]: skipText,
      [TAG.logNumber]: () => {
        firstLog = reader.varint();
      },
      [TAG.nextFile]: reader.varint,
      [TAG.lastSequence]: reader.varint,
      [TAG.compactPointer]: () => [reader.varint(), skipText()],
      [TAG.deletedFile]: () => [reader.varint(), tables.delete(reader.varint())],
      [TAG.newFile]: () => [reader.varint(), tables.add(reader.varint()), reader.varint(), skipText(), skipText()],
      [TAG.previousLog]: reader.varint,
    };
    while (!reader.isAtEnd) {
      const read = readers[reader.varint()];
      if (read === undefined) throw new DamagedBytes(0, 'a change of the set of files is unknown');
      read();
    }
  };
  for (const record of readLogRecords(manifest)) readEdit(record);
  return { tables, firstLog };
};
