// The hooks of the pages: what they keep, ask for and show.
import { mock } from 'node:test';
import { expect } from 'chai';
import { ApiError } from '../../../explorer/api/client.ts';
import { isExpired, serverAheadMs, signIn, signOut } from '../../../explorer/api/session.ts';
import { useAddress } from '../../../explorer/state/address.ts';
import { findMissingRight } from '../../../explorer/state/rights.ts';
import { isOpenPath, useIsPublic } from '../../../explorer/state/scope.ts';
import { useTitle } from '../../../explorer/state/title.ts';
import { newKey, useDraft } from '../../../explorer/state/useDraft.ts';
import { renderHook, settle } from '../inNode/renderHook.ts';
import { toToken, useStubs } from '../inNode/stubs.ts';
import { useWatchedExpiry } from '../inNode/watchedExpiry.ts';

describe('the state of the pages', () => {
  const { document } = useStubs();
  afterEach(() => signOut());

  describe('the address', () => {
    const render = async (url: string) => {
      const routed: unknown[][] = [];
      const location = { path: url.split('?')[0], url, route: (...args: unknown[]) => routed.push(args) };
      return { ...(await renderHook(useAddress, location)), routed };
    };

    it('has the parameters after the question mark', async () => {
      expect([...(await render('/assets?a=1&b=2')).current().parameters]).to.eql([
        ['a', '1'],
        ['b', '2'],
      ]);
      expect([...(await render('/assets')).current().parameters]).to.eql([]);
    });

    it('changes the named parameters alone', async () => {
      const { current, routed } = await render('/assets?a=1&b=2&c=3');
      expect(current().toLink({ a: '4', b: undefined, c: '', d: '5' })).to.equal('/assets?a=4&d=5');
      expect(current().toLink({ a: undefined, b: '', c: undefined })).to.equal('/assets');
      current().change({ a: '4' }, true);
      expect(routed).to.eql([['/assets?a=4&b=2&c=3', true]]);
    });
  });

  it('shows the newest title', async () => {
    let title = 'Pump';
    const { rerender } = await renderHook(() => useTitle(title));
    expect(document.title).to.equal('Pump · Provenance ledger');
    title = 'Gate';
    await rerender();
    expect(document.title).to.equal('Gate · Provenance ledger');
  });

  it('knows the public pages, and the pages that need no token', async () => {
    expect(['/p/assets/1', '/check', '/assets', '/'].map(isOpenPath)).to.eql([true, true, false, false]);
    const isPublic = async (path: string) => (await renderHook(useIsPublic, { path })).current();
    expect(await isPublic('/assets')).to.equal(true);
    signIn(toToken({}));
    expect([await isPublic('/assets'), await isPublic('/p/assets/1'), await isPublic('/check')]).to.eql([
      false,
      true,
      false,
    ]);
  });

  it('says which right a token lacks, by the roles that it names', () => {
    const lacks = (roles: readonly string[] | undefined, right: Parameters<typeof findMissingRight>[0]) => {
      signIn(toToken({ tenant: roles === undefined ? 'other' : 'tenant/1', roles }));
      return findMissingRight(right);
    };
    for (const right of ['writer', 'recorder', 'policies'] as const)
      expect([lacks(undefined, right), lacks(['root'], right)]).to.eql([undefined, undefined]);
    expect([lacks([], 'recorder'), lacks(['writer'], 'recorder'), lacks(['writer'], 'writer')]).to.eql([
      undefined,
      undefined,
      undefined,
    ]);
    expect(lacks([], 'writer')).to.match(
      /^Your access token has no role, which can’t create assets\. .*writer or root/,
    );
    expect(lacks(['reader', 'x'], 'policies')).to.match(/has the role reader, x, which can’t change policies/);
    expect(lacks(['reader'], 'recorder')).to.match(/which can’t record events/);
  });

  describe('the end of a session', () => {
    useWatchedExpiry(['setTimeout', 'Date'], 1_000_000);

    it('is noted when the token expires by the clock of the server', () => {
      signIn(toToken({ exp: 1_100 }));
      mock.timers.tick(200_000);
      expect(isExpired.value).to.equal(false);
      serverAheadMs.value = -150_000;
      mock.timers.tick(49_999);
      expect(isExpired.value).to.equal(false);
      mock.timers.tick(1);
      expect(isExpired.value).to.equal(true);
    });

    it('is not noted of a token that names no time, or of one that was replaced', () => {
      serverAheadMs.value = 0;
      signIn(toToken({}));
      mock.timers.tick(10_000_000);
      expect(isExpired.value).to.equal(false);
      signIn(toToken({ exp: 11_100 }));
      signIn(toToken({ exp: 1_000_000 }));
      mock.timers.tick(500_000);
      expect(isExpired.value).to.equal(false);
    });

    it('is noted when the page is shown again after the machine slept', () => {
      serverAheadMs.value = 0;
      signIn(toToken({ exp: 1_100 }));
      mock.timers.setTime(1_200_000);
      isExpired.value = false;
      document.dispatchEvent(new Event('visibilitychange'));
      expect(isExpired.value).to.equal(true);
    });
  });

  describe('a draft', () => {
    const EMPTY = { name: '', size: '' };
    beforeEach(() => signIn(toToken({ tenant: 'tenant/1', sub: 'ann' })));
    const open = () => renderHook(() => useDraft('asset', EMPTY));

    it('keeps entries and key for the next visit of the same person', async () => {
      const { current } = await open();
      expect([current().entries, current().isRestored]).to.eql([EMPTY, false]);
      current().change({ name: 'Pump' });
      await settle();
      const { key } = current();
      const again = (await open()).current();
      expect([again.entries, again.key, again.isRestored]).to.eql([{ name: 'Pump', size: '' }, key, true]);
      signIn(toToken({ tenant: 'tenant/1', sub: 'bob' }));
      expect((await open()).current().isRestored).to.equal(false);
      signIn(toToken({ tenant: 'tenant/2', sub: 'ann' }));
      expect((await open()).current().isRestored).to.equal(false);
    });

    it('is possible without a token', async () => {
      signOut();
      expect((await open()).current().entries).to.eql(EMPTY);
    });

    it('is empty and has another key when it is cleared', async () => {
      const { current } = await open();
      current().change({ name: 'Pump' });
      await settle();
      const { key } = current();
      current().clear();
      await settle();
      expect([current().entries, current().isRestored, current().key === key]).to.eql([EMPTY, false, false]);
      expect((await open()).current().isRestored).to.equal(false);
    });

    it('without an entry keeps its key while it is recorded, and ends when it is', async () => {
      const { current } = await open();
      const { key } = current();
      const failure = new Error('no answer');
      expect(
        await current()
          .record(() => Promise.reject(failure))
          .catch((error) => error),
      ).to.equal(failure);
      expect((await open()).current().key).to.equal(key);
      expect(await current().record(async (sentKey) => sentKey)).to.equal(key);
      expect((await open()).current().key).to.not.equal(key);
    });

    it('with entries is recorded with what was kept last', async () => {
      const { current } = await open();
      const first = current();
      first.change({ name: 'Pump' });
      await first.record(() => Promise.reject(new Error('no answer'))).catch(() => undefined);
      expect((await open()).current().entries.name).to.equal('Pump');
    });

    it('has another key after its key was used with other entries', async () => {
      const { current } = await open();
      const { key } = current();
      const conflict = new ApiError(409, 'IDEMPOTENCY_CONFLICT', 'x');
      const error = await current()
        .record(() => Promise.reject(conflict))
        .catch((reason) => reason);
      await settle();
      expect([error.code, error === conflict, current().key === key]).to.eql(['IDEMPOTENCY_CONFLICT', false, false]);
      const other = new ApiError(409, 'OTHER', 'x');
      const { key: next } = current();
      expect(
        await current()
          .record(() => Promise.reject(other))
          .catch((reason) => reason),
      ).to.equal(other);
      expect(current().key).to.equal(next);
    });

    it('has a key of 128 random bits', () => {
      expect(newKey()).to.match(/^[0-9a-f]{1,8}(?:-[0-9a-f]{1,8}){3}$/);
      expect(newKey()).to.not.equal(newKey());
    });
  });
});
