// Is this file known, and which events attach it? With a token, of the tenant's blobs; without, of those that public records attach.
import type { KnownBlob, LedgerView, Page, PageQuery } from '../../../indexer/ledgerView.ts';
import { refuseField } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import { isCountAsked, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';

/** Identities of events beside each blob. */
const ATTACHED_BY_MAX = 100;
/** Blobs on a page, few because each has all of these beside it; the largest `page_size` too. */
const BLOBS_MAX = 10;
const EVERYBODY = { tenantIdentity: 'everybody', list: 'publicblobs' };

const readPage = (view: LedgerView, tenantIdentity: string | undefined, sha256: string, page: PageQuery) => {
  const asked = { sha256, attachedByMax: ATTACHED_BY_MAX };
  if (tenantIdentity === undefined) return view.listPublicBlobs(asked, page);
  return view.listBlobs(tenantIdentity, asked, page);
};

const toKnownBlobs = ({ items }: Page<KnownBlob>, isPublic: boolean) =>
  items.map(({ blob, attachedBy, attachedByTotal }) => ({
    ...blob,
    ...(isPublic ? { issuer: '', subject: '' } : {}),
    attached_by: attachedBy,
    attached_by_total: attachedByTotal,
  }));

export const listBlobs =
  ({ view, pageTokens }: ServerDeps): Handler<'listBlobs'> =>
  async ({ caller, query: { hash, ...paging }, headers }) => {
    const isPublic = caller === undefined;
    // How many there are of all tenants is not counted, so a page for everybody is never cut at the server's limit.
    const sized = isPublic && paging.page_token === undefined ? { page_size: BLOBS_MAX, ...paging } : paging;
    const query = hash === undefined ? sized : { ...sized, hash: hash.toLowerCase() };
    const scope = isPublic ? EVERYBODY : { tenantIdentity: caller.tenantIdentity, list: 'blobs' };
    const isTotalAsked = !isPublic && isCountAsked(headers['x-request-total-count']);
    const paged = { pageTokens, limits: { listRecordsMax: BLOBS_MAX } };
    const opened = openPage(paged, { ...scope, query, defaults: {}, isTotalAsked });
    const sha256 = opened.filters.hash;
    if (sha256 === undefined) throw refuseField('REQUEST_INVALID', 'hash', 'is missing');
    const found = await readPage(view, caller?.tenantIdentity, String(sha256), opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    const body = { blobs: toKnownBlobs(found, isPublic), next_page_token: nextPageToken };
    return { status, headers: pageHeaders, body };
  };
