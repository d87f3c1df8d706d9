// The blob store of a ledger.
import { randomUUID } from 'node:crypto';
import { type BlobLimits, type BlobStore, openBlobStore } from '../server/blobs/blobStore.ts';
import { dataPaths } from './files/dataPaths.ts';
import type { Ledger } from './openLedger.ts';
import { reportProblem } from './watching/reports.ts';

/**
 * Opens the blob store of a ledger, and removes the unfinished uploads that a killed server left there. `shared` is the
 * directory of all servers of the organisation, where each has the name of its relayer.
 */
export const openBlobs = (ledger: Ledger, limits: BlobLimits, shared?: string): Promise<BlobStore> =>
  openBlobStore({
    ...limits,
    directory: shared ?? dataPaths(ledger.dataDir).blobs,
    sharedAs: shared === undefined ? undefined : ledger.relayer.address,
    newUuid: randomUUID,
    readBlobBytes: ledger.view.readBlobBytes,
    isContentKnown: ledger.view.isContentKnown,
    onProblem: reportProblem,
  });
