// Lists page by page, over what is committed and what waits for the chain.
import { expect } from 'chai';
import fc from 'fast-check';
import { useDirectories } from '../support/directories.ts';
import { ALPHA, aCreation, anEvent, assetOf, aTenantRecord, BETA, eventOf, uuidOf } from '../support/records.ts';
import { openView, readPages, type ViewSetting } from '../support/viewSetting.ts';

const event = (number: number, asset = 1) => anEvent({ identity: eventOf(asset, number) });
const creation = (asset: number) => aCreation({ identity: eventOf(asset, 0) });
const countdown = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, at) => from - at);

describe('pages of a list', () => {
  const makeDirectory = useDirectories();
  const opened: ViewSetting[] = [];
  const open = async (): Promise<ViewSetting> => {
    const setting = await openView(await makeDirectory());
    opened.push(setting);
    await setting.mine({ record: aTenantRecord(ALPHA) }, { tenantIdentity: BETA, record: aTenantRecord(BETA) });
    return setting;
  };
  afterEach(() => Promise.all(opened.splice(0).map((setting) => setting.close())));

  const readEvents = ({ view }: ViewSetting, limit: number, asset: string | undefined = uuidOf(1)) =>
    readPages((page) => view.listEvents(ALPHA, asset, page), limit);

  it('show every event once, newest first, the pending ones on top', async () => {
    const counts = fc.record({ committed: fc.nat(6), pending: fc.nat(6), limit: fc.integer({ min: 1, max: 7 }) });
    const check = fc.asyncProperty(counts, async ({ committed, pending, limit }) => {
      const setting = await open();
      await setting.mine({ record: creation(1) });
      for (const number of countdown(committed, 1).reverse()) await setting.mine({ record: event(number) });
      for (const number of countdown(committed + pending, committed + 1).reverse()) setting.pend(event(number));
      const pages = await readEvents(setting, limit);
      const wanted = countdown(committed + pending, 0).map((number) => eventOf(1, number));
      expect(pages.flatMap(({ items }) => items.map(({ identity }) => identity))).to.deep.equal(wanted);
      expect(pages.slice(0, -1).every(({ items }) => items.length === limit)).to.equal(true);
      expect(pages).to.have.length(Math.ceil(wanted.length / limit));
      expect(new Set(pages.map(({ total }) => total))).to.deep.equal(new Set([wanted.length]));
      await opened.pop()!.close();
    });
    await fc.assert(check, { numRuns: 20 });
  });

  it('show every pending event also when none is committed', async () => {
    const setting = await open();
    setting.pend(creation(1));
    for (const number of [1, 2, 3, 4]) setting.pend(event(number));
    for (const limit of [1, 2, 3, 4, 5, 6]) {
      const pages = await readEvents(setting, limit);
      const identities = pages.flatMap(({ items }) => items.map(({ identity }) => identity));
      expect(identities, `limit ${limit}`).to.deep.equal([4, 3, 2, 1, 0].map((number) => eventOf(1, number)));
    }
  });

  it('show every asset once, pending and committed', async () => {
    const setting = await open();
    await setting.mine({ record: creation(1) }, { record: creation(2) }, { record: creation(3) });
    for (const asset of [4, 5, 6]) setting.pend(creation(asset));
    for (const limit of [1, 2, 3, 4, 6, 7]) {
      const pages = await readPages((page) => setting.view.listAssets(ALPHA, page), limit);
      const identities = pages.flatMap(({ items }) => items.map(({ identity }) => identity));
      expect(identities, `limit ${limit}`).to.deep.equal([6, 5, 4, 3, 2, 1].map(assetOf));
      expect(pages.map(({ total }) => total)).to.deep.equal(pages.map(() => 6));
    }
  });

  it('of all events of a tenant have no event of another tenant', async () => {
    const setting = await open();
    const beta = { tenantIdentity: BETA };
    await setting.mine({ record: creation(1) }, { ...beta, record: creation(2) }, { record: event(1) });
    await setting.mine({ ...beta, record: event(1, 2) }, { record: event(2) });
    setting.pend(event(2, 2), beta);
    setting.pend(event(3));
    const pages = await readPages((page) => setting.view.listEvents(ALPHA, undefined, page), 2);
    expect(pages.flatMap(({ items }) => items.map(({ identity }) => identity))).to.deep.equal(
      [3, 2, 1, 0].map((number) => eventOf(1, number)),
    );
  });

  it('neither skip nor repeat when new records are committed between pages', async () => {
    const setting = await open();
    await setting.mine({ record: creation(1) });
    for (const number of [1, 2, 3, 4]) await setting.mine({ record: event(number) });
    const first = await setting.view.listEvents(ALPHA, uuidOf(1), { limit: 2, after: undefined });
    await setting.mine({ record: event(5) }, { record: event(6) });
    const second = await setting.view.listEvents(ALPHA, uuidOf(1), { limit: 2, after: first.next });
    expect(second.items.map(({ identity }) => identity)).to.deep.equal([eventOf(1, 2), eventOf(1, 1)]);
  });

  it('neither skip nor repeat when pending records are committed between pages', async () => {
    const setting = await open();
    await setting.mine({ record: creation(1) });
    for (const number of [1, 2, 3, 4]) setting.pend(event(number));
    const first = await setting.view.listEvents(ALPHA, uuidOf(1), { limit: 2, after: undefined });
    await setting.mine({ record: event(1) }, { record: event(2) }, { record: event(3) }, { record: event(4) });
    const second = await setting.view.listEvents(ALPHA, uuidOf(1), { limit: 9, after: first.next });
    expect([...first.items, ...second.items].map(({ identity }) => identity)).to.deep.equal(
      [4, 3, 2, 1, 0].map((number) => eventOf(1, number)),
    );
  });

  it('show a failed record once, also when those after it are committed between pages', async () => {
    const setting = await open();
    await setting.mine({ record: creation(1) });
    setting.pend(event(1), { status: 'FAILED' });
    for (const number of [2, 3]) setting.pend(event(number));
    const shown: string[] = [];
    let after: string | undefined;
    for (let page = 0; page === 0 || after !== undefined; page += 1) {
      const { items, next } = await setting.view.listEvents(ALPHA, uuidOf(1), { limit: 1, after });
      shown.push(...items.map(({ identity }) => identity));
      after = next;
      if (page === 0) await setting.mine({ record: event(2) }, { record: event(3) });
    }
    expect(shown.sort()).to.deep.equal([0, 1, 2, 3].map((number) => eventOf(1, number)));
  });

  it('neither skip nor repeat whatever is accepted and committed between pages', async () => {
    const between = fc.array(fc.constantFrom('accept', 'commit', 'commit', 'settle'), { maxLength: 5, size: 'max' });
    const runs = fc.record({
      steps: fc.array(between, { maxLength: 8, size: 'max' }),
      limit: fc.integer({ min: 1, max: 3 }),
    });
    const check = fc.asyncProperty(runs, fc.nat(5), fc.nat(5), async ({ steps, limit }, committed, pending) => {
      const setting = await open();
      await setting.mine({ record: creation(1) });
      for (let number = 1; number <= committed; number += 1) await setting.mine({ record: event(number) });
      let newest = committed;
      let indexed = committed;
      let settled = committed;
      const accept = (): void => setting.pend(event(++newest));
      for (let count = 0; count < pending; count += 1) accept();
      const wanted = countdown(newest, 0).map((number) => eventOf(1, number));
      const shown: string[] = [];
      let after: string | undefined;
      for (let page = 0; page === 0 || after !== undefined; page += 1) {
        const { items, next } = await setting.view.listEvents(ALPHA, uuidOf(1), { limit, after });
        shown.push(...items.map(({ identity }) => identity));
        after = next;
        for (const step of steps[page] ?? []) {
          if (step === 'accept') accept();
          if (step === 'commit' && indexed < newest) await setting.mine({ record: event(++indexed) });
          if (step === 'settle' && settled < indexed) {
            setting.settleOldest();
            settled += 1;
          }
        }
      }
      expect(shown).to.deep.equal([...new Set(shown)]);
      expect(shown.filter((identity) => wanted.includes(identity))).to.deep.equal(wanted);
      await opened.pop()!.close();
    });
    await fc.assert(check, { numRuns: 20 });
  });
});
