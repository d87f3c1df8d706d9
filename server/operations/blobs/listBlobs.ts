// Lists the blobs with a given hash, each with the events that attach it: with a token the blobs of the tenant, without
// a token those that public records attach.
import type { KnownBlob, LedgerView, Page, PageQuery } from '../../../indexer/ledgerView.ts';
import { refuseField } from '../../../ledger/errors.ts';
import { findStatedHashes } from '../../blobs/statedHash.ts';
import type { ServerDeps } from '../../deps.ts';
import { isCountRequested, openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';

/** Identities of attaching events that a blob is listed with. */
const ATTACHED_BY_MAX = 100;
/** Blobs on a page, and the largest `page_size`. Small, because each blob is listed with its events. */
const BLOBS_MAX = 10;
const PUBLIC_SCOPE = { tenantIdentity: 'everybody', list: 'publicblobs' };

const readPage = (view: LedgerView, tenantIdentity: string | undefined, sha256: string, page: PageQuery) => {
  const query = { sha256, attachedByMax: ATTACHED_BY_MAX };
  if (tenantIdentity === undefined) return view.listPublicBlobs(query, page);
  return view.listBlobs(tenantIdentity, query, page);
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
    // The blobs of all tenants are never counted, so a public page always has a size and is never cut with status 206.
    const sized = isPublic && paging.page_token === undefined ? { page_size: BLOBS_MAX, ...paging } : paging;
    const query = hash === undefined ? sized : { ...sized, hash: hash.toLowerCase() };
    const scope = isPublic ? PUBLIC_SCOPE : { tenantIdentity: caller.tenantIdentity, list: 'blobs' };
    const isTotalRequested = !isPublic && isCountRequested(headers['x-request-total-count']);
    const paged = { pageTokens, limits: { listRecordsMax: BLOBS_MAX } };
    const opened = openPage(paged, { ...scope, query, defaults: {}, isTotalRequested });
    const sha256 = opened.filters.hash;
    if (sha256 === undefined) throw refuseField('REQUEST_INVALID', 'hash', 'is missing');
    const found = await readPage(view, caller?.tenantIdentity, String(sha256), opened.page);
    const { status, nextPageToken, headers: pageHeaders } = opened.toListAnswer(found);
    const isFirst = opened.page.position === undefined;
    const stated = isFirst ? await findStatedHashes(view, caller?.tenantIdentity, String(sha256)) : [];
    const body = {
      blobs: toKnownBlobs(found, isPublic),
      next_page_token: nextPageToken,
      ...(stated.length === 0 ? {} : { stated_by: stated }),
    };
    return { status, headers: pageHeaders, body };
  };
