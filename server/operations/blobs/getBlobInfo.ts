// Describes a blob.
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getBlobInfo =
  ({ view }: ServerDeps): Handler<'getBlobInfo'> =>
  async ({ caller, params }) => {
    const blob = await view.readBlob(caller.tenantIdentity, params.uuid);
    if (blob === undefined) throw new LedgerError('BLOB_NOT_FOUND');
    return { status: 200, body: blob };
  };
