// Describes a blob that an asset or an event attaches.
import { readAttachedBlob } from '../../blobs/attachedBlob.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getAttachmentInfo =
  ({ view }: ServerDeps): Handler<'getAssetAttachmentInfo'> & Handler<'getEventAttachmentInfo'> =>
  async ({ caller, params, query }) => ({
    status: 200,
    body: await readAttachedBlob(view, caller, params, query.tenant_identity),
  });
