// Returns the bytes of a blob.
import { LedgerError } from '../../../ledger/errors.ts';
import { toDownload } from '../../blobs/downloads.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getBlob =
  ({ view, blobs }: ServerDeps): Handler<'getBlob'> =>
  async ({ caller, params, query }) => {
    const blob = await view.readBlob(caller.tenantIdentity, params.uuid);
    if (blob === undefined) throw new LedgerError('BLOB_NOT_FOUND');
    return { status: 200, file: await toDownload(blobs, blob, query) };
  };
