// The blob store of a ledger.
import { randomUUID } from 'node:crypto';
import { type BlobLimits, type BlobStore, openBlobStore } from '../server/blobs/blobStore.ts';
import { dataPaths } from './files/dataPaths.ts';
import type { Ledger } from './openLedger.ts';
import { reportProblem } from './watching/reports.ts';

/** Opens the blob store of a ledger, and removes the unfinished uploads that a killed server left there. */
export const openBlobs = (ledger: Ledger, limits: BlobLimits): Promise<BlobStore> =>
  openBlobStore({
    ...limits,
    directory: dataPaths(ledger.dataDir).blobs,
    newUuid: randomUUID,
    readBlobBytes: ledger.view.readBlobBytes,
    isContentKnown: ledger.view.isContentKnown,
    onProblem: reportProblem,
  });
