// The assets that an import creates before it records events.
import { hash } from 'node:crypto';
import { type createImportRequests, RecordRefused } from './importRequests.ts';
import type { SourceRecord } from './sourceItem.ts';
import type { Source } from './sourceItems.ts';
import { IMPORTED_FROM, toImportedAsset, toImportKey } from './toImported.ts';

/** What the creation of assets reports. */
export interface AssetReports {
  readonly fail: (line: number, reason: string) => void;
  readonly onCreated: () => void;
}

/** The assets of a source by their identities there; only identities and hashes are kept in memory. */
export const createImportedAssets = (
  requests: Pick<ReturnType<typeof createImportRequests>, 'createAsset' | 'findAsset'>,
  { fail, onCreated }: AssetReports,
) => {
  /** Of each kind, the hash of what its asset was created from. */
  const tried = { creation: new Map<string, string>(), asset: new Map<string, string>() };
  const imported = new Map<string, string | undefined>();

  // Whether an asset has not been tried yet. A repetition is nothing new; a second, different one is reported.
  const isNew = (
    kind: 'creation' | 'asset',
    { line, assetIdentity, identity }: SourceRecord,
    asset: object,
  ): boolean => {
    const found = hash('sha256', JSON.stringify([identity, asset]));
    const known = tried[kind].get(assetIdentity);
    if (known === undefined) tried[kind].set(assetIdentity, found);
    else if (known !== found) fail(line, `${identity}: differs from the ${kind} in the file before it`);
    return known === undefined;
  };

  // An asset as it is read after its creation has its present attributes.
  const createOnce = async (kind: 'creation' | 'asset', record: SourceRecord): Promise<void> => {
    const { line, assetIdentity: identity } = record;
    const asset = toImportedAsset(identity, record.value);
    if (!isNew(kind, record, asset) || (kind === 'asset' && tried.creation.has(identity))) return;
    try {
      imported.set(identity, await requests.createAsset(toImportKey(identity), asset));
      onCreated();
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error;
      fail(line, `${identity}: ${error.message}`);
    }
  };

  return {
    /**
     * Creates the assets of a source, from their creation events wherever these are, because an asset as it is read has
     * its present attributes; the others as they are read. Reports what is no asset or event.
     */
    create: async (source: Source): Promise<void> => {
      let hasAssets = false;
      for await (const item of source.readItems()) {
        if (item.kind === 'refusal') fail(item.line, item.reason);
        else if (item.kind === 'creation') await createOnce(item.kind, item);
        hasAssets ||= item.kind === 'asset';
      }
      if (!hasAssets) return;
      for await (const item of source.readItems()) if (item.kind === 'asset') await createOnce(item.kind, item);
    },
    /** The asset that this or an earlier import created for an asset of the source; undefined when there is none. */
    find: async (identity: string): Promise<string | undefined> => {
      if (!imported.has(identity)) imported.set(identity, await requests.findAsset(IMPORTED_FROM, identity));
      return imported.get(identity);
    },
  };
};
