import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { createPageTokens } from '../../../server/lists/pageTokens.ts';
import { type ListRequest, openPage } from '../../../server/lists/paging.ts';

const DEPS = { pageTokens: createPageTokens(Buffer.alloc(32, 1)), limits: { listRecordsMax: 5 } };
const LIST = { tenantIdentity: 'tenant/1', list: 'things', defaults: { order_by: 'DEFAULT' }, isTotalRequested: false };

const open = (query: ListRequest['query'], changes: Partial<ListRequest> = {}) =>
  openPage(DEPS, { ...LIST, query, ...changes });
const toToken = (query: ListRequest['query']): string =>
  open(query).toListAnswer({ nextPosition: 'position', total: 9 }).nextPageToken;

describe('paging', () => {
  const filters = { colour: 'red', public: 'true' };

  it('continues where the previous page ended, with the size of that page', () => {
    expect(open({ ...filters, page_size: 3 }).page).to.eql({ limit: 3, position: undefined, isCounted: false });
    const page_token = toToken({ ...filters, page_size: 3 });
    expect(open({ page_token }).page).to.include({ limit: 3, position: 'position' });
    expect(open({ page_token, page_size: 2 }).page).to.include({ limit: 2, position: 'position' });
    expect(open({ page_token: toToken(filters) }).page).to.include({ limit: 5, position: 'position' });
  });

  it('accepts a token with the filters that it carries, with some of them, or with none', () => {
    const page_token = toToken(filters);
    for (const query of [{}, { colour: 'red' }, filters, { ...filters, order_by: 'DEFAULT' }, { colour: undefined }]) {
      expect(open({ ...query, page_token }).page.position).to.equal('position');
    }
  });

  it('refuses a token with another filter, value or order, and in another list or tenant', () => {
    const page_token = toToken(filters);
    const other: object[] = [
      { colour: 'blue' },
      { size: 'L' },
      { public: 'false' },
      { order_by: 'SIMPLEHASHV1' },
      { toString: 'x' },
    ];
    const refusals = [
      ...other.map((query) => () => open({ ...query, page_token } as never)),
      () => open({ page_token }, { list: 'others' }),
      () => open({ page_token }, { tenantIdentity: 'tenant/2' }),
    ];
    for (const refused of refusals) {
      expect(refused).to.throw(LedgerError).that.has.property('code', 'PAGE_TOKEN_INVALID');
    }
  });

  it('separates scopes whose names are equal when joined', () => {
    const token = openPage(DEPS, { ...LIST, tenantIdentity: 'a","b', list: 'c', query: {} }).toListAnswer({
      nextPosition: 'p',
      total: 9,
    });
    const elsewhere = { ...LIST, tenantIdentity: 'a', list: 'b","c', query: { page_token: token.nextPageToken } };
    expect(() => openPage(DEPS, elsewhere)).to.throw(LedgerError);
  });

  it('has the filters of the first page on every page', () => {
    const query = { ...filters, attribute_filters: { 'attributes.a!': '*' } };
    const all = { ...filters, 'attributes.a!': '*', order_by: 'DEFAULT' };
    expect(open({ ...query, page_size: 3 }).filters).to.eql(all);
    expect(open({ page_token: toToken(query) }).filters).to.eql(all);
    expect(open({ page_token: toToken(query), attribute_filters: { 'attributes.a!': '*' } }).filters).to.eql(all);
    const other = { page_token: toToken(query), attribute_filters: { 'attributes.a': '*' } };
    expect(() => open(other)).to.throw(LedgerError);
  });

  it('counts when the client requests it, and when the page may be cut', () => {
    expect(open({ page_size: 3 }).page.isCounted).to.equal(false);
    expect(open({}).page.isCounted).to.equal(true);
    const requested = open({ page_size: 3 }, { isTotalRequested: true });
    expect(requested.page.isCounted).to.equal(true);
    expect(requested.toListAnswer({ nextPosition: undefined, total: 2 }).headers).to.eql({ 'x-total-count': '2' });
  });

  it('answers 206 only when the page was cut at the limit of the server', () => {
    const cut = open({}).toListAnswer({ nextPosition: 'p', total: 9 });
    expect(cut.status).to.equal(206);
    expect(cut.headers).to.eql({ 'content-range': 'items 0-5/9' });
    expect(open({ page_size: 5 }).toListAnswer({ nextPosition: 'p', total: 9 })).to.include({ status: 200 });
    expect(open({}).toListAnswer({ nextPosition: undefined, total: 5 })).to.eql({
      status: 200,
      nextPageToken: '',
      headers: {},
    });
  });
});
