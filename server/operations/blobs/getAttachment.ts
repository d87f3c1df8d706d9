// Returns the bytes of a blob that an asset or an event attaches.
import { readAttachedBlob } from '../../blobs/attachedBlob.ts';
import { assertHere, toDownload } from '../../blobs/downloads.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getAttachment =
  ({ view, blobs }: ServerDeps): Handler<'getAssetAttachment'> & Handler<'getEventAttachment'> =>
  async ({ caller, params, query }) => {
    const blob = await readAttachedBlob(view, caller, params, query.tenant_identity);
    if (blob.tenantid !== caller.tenantIdentity) await assertHere(blobs, blob);
    return { status: 200, file: await toDownload(blobs, blob, query) };
  };
