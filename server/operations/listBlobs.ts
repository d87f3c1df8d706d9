// Is this file known, and which events attach it?
import { refuseField } from '../../ledger/errors.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';
import { isCountAsked, openPage } from '../paging.ts';

/** Identities of events beside each blob. */
const ATTACHED_BY_MAX = 100;
/** Blobs on a page, few because each has all of these beside it; the largest `page_size` too. */
const BLOBS_MAX = 10;

export const listBlobs =
  ({ view, pageTokens }: ServerDeps): Handler<'listBlobs'> =>
  async ({ caller: { tenantIdentity }, query: { hash, ...paging }, headers }) => {
    const isTotalAsked = isCountAsked(headers['x-request-total-count']);
    const query = hash === undefined ? paging : { ...paging, hash: hash.toLowerCase() };
    const paged = { pageTokens, limits: { listRecordsMax: BLOBS_MAX } };
    const opened = openPage(paged, { tenantIdentity, list: 'blobs', query, defaults: {}, isTotalAsked });
    const sha256 = opened.filters.hash;
    if (sha256 === undefined) throw refuseField('REQUEST_INVALID', 'hash', 'is missing');
    const asked = { sha256: String(sha256), attachedByMax: ATTACHED_BY_MAX };
    const found = await view.listBlobs(tenantIdentity, asked, opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    const blobs = found.items.map(({ blob, attachedBy, attachedByTotal }) => ({
      ...blob,
      attached_by: attachedBy,
      attached_by_total: attachedByTotal,
    }));
    return { status, headers: pageHeaders, body: { blobs, next_page_token: nextPageToken } };
  };
