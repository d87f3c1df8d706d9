// The assets that an import creates before it records events.
import { hash } from 'node:crypto';
import { INHERENT_BEHAVIOURS } from '../../ledger/assets/behaviours.ts';
import { type ImportedAsset, type ImportedAssetRequest, type ImportRequests, RecordRefused } from './importRequests.ts';
import type { Recordable } from './recordable.ts';
import type { SourceRecord } from './sourceItem.ts';
import type { Source } from './sourceItems.ts';
import { IMPORTED_FROM, toImportedAsset, toImportKey } from './toImported.ts';

/** What the creation of assets reports. */
export interface AssetReports {
  readonly fail: (line: number, reason: string) => void;
  readonly onCreated: () => void;
}

/** An asset here, with the behaviours that it has before the next of its events. */
export interface FoundAsset {
  readonly identity: string;
  readonly isPublic: boolean;
  behaviours: readonly string[];
}

const toFound = ({ identity, behaviours, public: isPublic }: ImportedAsset): FoundAsset => ({
  identity,
  behaviours,
  isPublic,
});

const createTried = (fail: AssetReports['fail']) => {
  /** Of each kind, the hash of what its asset was created from. */
  const tried = { creation: new Map<string, string>(), asset: new Map<string, string>() };
  return {
    isCreated: (assetIdentity: string): boolean => tried.creation.has(assetIdentity),
    /** Whether an asset was not tried yet. A repetition is nothing new; a second, different one is reported. */
    isNew: (kind: 'creation' | 'asset', { line, assetIdentity, identity }: SourceRecord, asset: object): boolean => {
      const found = hash('sha256', JSON.stringify([identity, asset]));
      const known = tried[kind].get(assetIdentity);
      if (known === undefined) tried[kind].set(assetIdentity, found);
      else if (known !== found) fail(line, `${identity}: differs from the ${kind} in the file before it`);
      return known === undefined;
    },
  };
};

/** The assets of a source by their identities there; only identities, behaviours and hashes are kept in memory. */
export const createImportedAssets = (
  requests: Pick<ImportRequests, 'create' | 'findOne'>,
  { fail, onCreated }: AssetReports,
) => {
  const tried = createTried(fail);
  const imported = new Map<string, FoundAsset | undefined>();
  const untracked: string[] = [];

  const create = async (identity: string, request: ImportedAssetRequest): Promise<void> => {
    const created = await requests.create<ImportedAsset>('v2/assets', toImportKey(identity), request);
    // A repeated creation is answered with the asset as it is by now.
    const behaviours = [...(request.behaviours as readonly string[]), ...INHERENT_BEHAVIOURS];
    imported.set(identity, toFound({ ...created, behaviours }));
    onCreated();
  };

  // An asset as it is read after its creation has its present attributes.
  const createOnce = async (
    kind: 'creation' | 'asset',
    record: SourceRecord,
    { source, recordable }: { source: Source; recordable: Recordable },
  ): Promise<void> => {
    const { line, assetIdentity: identity } = record;
    const asset = toImportedAsset(identity, record.value);
    if (!tried.isNew(kind, record, asset) || (kind === 'asset' && tried.isCreated(identity))) return;
    try {
      await create(identity, await recordable.toAsset(asset, source.needsOf(identity), kind === 'asset'));
      if (kind === 'asset' && record.value.tracked === 'NOT_TRACKED') untracked.push(identity);
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error;
      fail(line, `${identity}: ${error.message}`);
    }
  };

  const find = async (identity: string): Promise<FoundAsset | undefined> => {
    const found = await requests.findOne<ImportedAsset>('assets', IMPORTED_FROM, identity);
    return found === undefined ? undefined : toFound(found);
  };

  return {
    /**
     * Creates the assets of a source, from their creation events wherever these are, because an asset as it is read has
     * its present attributes; the others as they are read.
     */
    create: async (source: Source, recordable: Recordable): Promise<void> => {
      for (const kind of ['creation', 'asset'] as const)
        for (const item of source.readItems(kind)) await createOnce(kind, item, { source, recordable });
    },
    /** Assets that were created as they are listed, and are no longer tracked. */
    untracked: (): readonly string[] => untracked,
    /** What an asset of the source is here, if this import created or found it already. */
    findAsset: (identity: string): string | undefined => imported.get(identity)?.identity,
    /** The asset that this or an earlier import created for an asset of the source; undefined when there is none. */
    find: async (identity: string): Promise<FoundAsset | undefined> => {
      if (!imported.has(identity)) imported.set(identity, await find(identity));
      return imported.get(identity);
    },
  };
};
