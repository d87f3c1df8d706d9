// The records that were final, and that the chain no longer has because the network replaced their blocks: a file for
// each in the data directory, which no rebuild of the index deletes, until the chain has the record again or an
// operator forgets it.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { readText } from '../../chain/blockLog/logFiles.ts';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import type { Place } from '../../indexer/rows/recordRow.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { decodeGone, encodeGone, type GoneRecord, isFileName, isSameContent, toFileName } from './goneFile.ts';

/** What is known of a gone record without reading its file. */
export interface GoneSummary {
  readonly tenantIdentity: string;
  readonly identity: string;
  readonly streamIdentity: string;
  readonly type: LedgerRecord['type'];
  readonly acceptedAt: string;
  readonly place: Place;
}

/** A record's name. */
export type GoneName = Pick<GoneSummary, 'tenantIdentity' | 'identity'>;

/** The gone records of a data directory. */
export interface GoneRecords {
  count(): number;
  /** In the order of the chain that had them. */
  list(): readonly GoneSummary[];
  /** Undefined when it isn't kept any more. @throws Error when its file isn't what was written. */
  read(name: GoneName): Promise<GoneRecord | undefined>;
  /**
   * Keeps records, each in place of itself at an earlier place. One of the same name and another content is reported,
   * and not kept. Resolves, once they are on the disk, with how many didn't fit.
   */
  keep(records: readonly GoneRecord[]): Promise<number>;
  /** Removes records, durably. */
  remove(names: readonly GoneName[]): Promise<void>;
}

/** Most records that are kept. */
export const GONE_RECORDS_MAX = 100_000;

const toSummary = ({ tenantIdentity, record, place }: GoneRecord): GoneSummary => ({
  tenantIdentity,
  identity: record.identity,
  streamIdentity: toStreamIdentityOf(record),
  type: record.type,
  acceptedAt: record.timestamp_accepted,
  place,
});

const inChainOrder = ({ place: one }: GoneSummary, { place: other }: GoneSummary): number =>
  one.blockNumber - other.blockNumber || one.logIndex - other.logIndex;

const describeDamage = (path: string): string =>
  `${path} is damaged; it has a record that the chain no longer has, and a backup may have it`;

const describeOther = ({ tenantIdentity, record }: GoneRecord): string =>
  `${record.identity} of ${tenantIdentity}: a record of this identity that the chain lost earlier is kept, and another ` +
  'one, which it has lost now, is in the index that was set aside alone';

const readFileNames = async (directory: string): Promise<string[]> => (await readdir(directory)).filter(isFileName);

/**
 * Opens the gone records of a directory, which is created if needed. `onProblem` gets the path of each file that isn't
 * what was written: it is left as it is.
 */
export const openGoneRecords = async (
  directory: string,
  onProblem: (message: string) => void,
  recordsMax = GONE_RECORDS_MAX,
): Promise<GoneRecords> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const summaries = new Map<string, GoneSummary>();
  for (const name of await readFileNames(directory)) {
    const found = decodeGone(await readFile(join(directory, name), 'utf8'));
    if (found === undefined) onProblem(describeDamage(join(directory, name)));
    else summaries.set(name, toSummary(found));
  }
  let list: readonly GoneSummary[] | undefined;
  // A damaged file has none.
  const hasContent = async (name: string, gone: GoneRecord): Promise<boolean> => {
    const kept = decodeGone(await readFile(join(directory, name), 'utf8'));
    return kept === undefined || isSameContent(kept.record, gone.record);
  };
  return {
    count: () => summaries.size,
    list: () => {
      list ??= [...summaries.values()].sort(inChainOrder);
      return list;
    },
    read: async ({ tenantIdentity, identity }) => {
      const path = join(directory, toFileName(tenantIdentity, identity));
      const text = await readText(path);
      const found = text === undefined ? undefined : decodeGone(text);
      if (found === undefined && text !== undefined) throw new Error(describeDamage(path));
      return found;
    },
    keep: async (records) => {
      const files = createDurableFiles(directory);
      let left = 0;
      for (const gone of records) {
        const name = toFileName(gone.tenantIdentity, gone.record.identity);
        if (summaries.size >= recordsMax && !summaries.has(name)) left += 1;
        else if (summaries.has(name) && !(await hasContent(name, gone))) onProblem(describeOther(gone));
        else {
          await files.write(name, encodeGone(gone));
          summaries.set(name, toSummary(gone));
          list = undefined;
        }
      }
      await files.syncNames();
      return left;
    },
    remove: async (names) => {
      if (names.length === 0) return;
      for (const { tenantIdentity, identity } of names) {
        const name = toFileName(tenantIdentity, identity);
        await rm(join(directory, name), { force: true });
        summaries.delete(name);
        list = undefined;
      }
      await syncDirectory(directory);
    },
  };
};
