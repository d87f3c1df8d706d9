import { expect } from 'chai';
import { STATED_LISTS } from '../../../server/blobs/statedHash.ts';
import { createToReadCost } from '../../../server/fairness/requestCosts.ts';

describe('the cost of a read', () => {
  const list = createToReadCost({ id: 'listAssets', isList: true, right: 'reader' }, 1_000);

  it('is the size of the page, which may be that of the server', () => {
    expect([list({ page_size: 5 }), list({}), list({ page_token: 'x' })]).to.deep.equal([5, 1_000, 1_000]);
  });

  it('grows with the filters', () => {
    const one = list({ page_size: 5, tracked: 'ANY' });
    const three = list({ page_size: 5, tracked: 'ANY', attribute_filters: { a: '1', b: '2' } });
    expect([one > 5, three - one]).to.deep.equal([true, 2 * (one - 5)]);
  });

  it('is that of a short page where none has more', () => {
    const open = createToReadCost({ id: 'listPublicEvents', isList: true, right: undefined }, 1_000);
    expect([open({}), open({ page_size: 500 }), open({ page_size: 7 })]).to.deep.equal([100, 100, 7]);
  });

  it('is nothing for most operations', () => {
    expect(createToReadCost({ id: 'getAsset', isList: false, right: 'reader' }, 1_000)({})).to.equal(0);
  });

  it('counts the lists of stated hashes that the first page of files reads besides its own', () => {
    const [files, others] = (['listBlobs', 'listAssets'] as const).map((id) =>
      createToReadCost({ id, isList: true, right: undefined }, 1_000),
    );
    const query = { page_size: 10, hash: 'x' };
    expect(files!(query) - others!(query)).to.equal(STATED_LISTS * 20);
    const later = { ...query, page_token: 'x' };
    expect(files!(later)).to.equal(others!(later));
  });
});
