// Describes a blob that a public asset or one of its events attaches, without a token.
import { readPublicAttachedBlob } from '../../blobs/attachedBlob.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getPublicAttachmentInfo =
  ({ view }: ServerDeps): Handler<'getPublicAssetAttachmentInfo'> & Handler<'getPublicEventAttachmentInfo'> =>
  async ({ params }) => ({ status: 200, body: await readPublicAttachedBlob(view, params) });
