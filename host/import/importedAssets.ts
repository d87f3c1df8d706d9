// The assets that an import creates before it records events.
import { type createImportRequests, RecordRefused } from './importRequests.ts';
import type { SourceRecord } from './sourceItem.ts';
import type { Source } from './sourceItems.ts';
import { IMPORTED_FROM, toImportedAsset, toImportKey } from './toImported.ts';

/** What the creation of assets reports. */
export interface AssetReports {
  readonly fail: (line: number, reason: string) => void;
  readonly onCreated: () => void;
}

/** The assets of a source by their identities there; only identities are kept in memory. */
export const createImportedAssets = (
  requests: Pick<ReturnType<typeof createImportRequests>, 'createAsset' | 'findAsset'>,
  { fail, onCreated }: AssetReports,
) => {
  const tried = new Set<string>();
  const imported = new Map<string, string | undefined>();

  const createOnce = async ({ line, assetIdentity: identity, value }: SourceRecord): Promise<void> => {
    if (tried.has(identity)) return;
    tried.add(identity);
    try {
      imported.set(identity, await requests.createAsset(toImportKey(identity), toImportedAsset(identity, value)));
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
        else if (item.kind === 'creation') await createOnce(item);
        hasAssets ||= item.kind === 'asset';
      }
      if (!hasAssets) return;
      for await (const item of source.readItems()) if (item.kind === 'asset') await createOnce(item);
    },
    /** The asset that this or an earlier import created for an asset of the source; undefined when there is none. */
    find: async (identity: string): Promise<string | undefined> => {
      if (!imported.has(identity)) imported.set(identity, await requests.findAsset(IMPORTED_FROM, identity));
      return imported.get(identity);
    },
  };
};
