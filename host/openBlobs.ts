// The blob store of a ledger.
import { randomUUID } from 'node:crypto';
import { type BlobLimits, type BlobStore, openBlobStore } from '../server/blobs/blobStore.ts';
import { dataPaths } from './files/dataPaths.ts';
import { openServerName } from './files/serverName.ts';
import type { Ledger } from './openLedger.ts';
import { reportProblem } from './watching/reports.ts';

/**
 * Opens the blob store of a ledger, and removes the unfinished uploads that a killed server left there. `shared` is the
 * directory of all servers of the organisation, where each has a name of its own.
 */
export const openBlobs = async (ledger: Ledger, limits: BlobLimits, shared?: string): Promise<BlobStore> =>
  openBlobStore({
    ...limits,
    directory: shared ?? dataPaths(ledger.dataDir).blobs,
    sharedAs: shared === undefined ? undefined : await openServerName(ledger.dataDir),
    newUuid: randomUUID,
    readBlobBytes: ledger.view.readBlobBytes,
    isContentKnown: ledger.view.isContentKnown,
    onProblem: reportProblem,
  });
