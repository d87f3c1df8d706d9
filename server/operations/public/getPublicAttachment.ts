// Returns the bytes of a blob that a public asset or one of its events attaches, without a token.
import { readPublicAttachedBlob } from '../../blobs/attachedBlob.ts';
import { assertHere, toDownload } from '../../blobs/downloads.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getPublicAttachment =
  ({ view, blobs }: ServerDeps): Handler<'getPublicAssetAttachment'> & Handler<'getPublicEventAttachment'> =>
  async ({ params, query }) => {
    const blob = await readPublicAttachedBlob(view, params);
    // An event that another tenant contributed attaches that tenant's blob.
    if (blob.tenantid !== (await view.readPublicTenant(params.asset_uuid))) await assertHere(blobs, blob);
    return { status: 200, file: await toDownload(blobs, blob, query) };
  };
