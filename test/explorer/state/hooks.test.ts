// The hooks of the pages: what they keep, ask for and show.
import { mock } from 'node:test';
import { expect } from 'chai';
import { ApiError, type LedgerEvent } from '../../../explorer/api/client.ts';
import { isExpired, serverAheadMs, signIn, signOut } from '../../../explorer/api/session.ts';
import { useAddress } from '../../../explorer/state/address.ts';
import { watchExpiry } from '../../../explorer/state/expiry.ts';
import { findMissingRight } from '../../../explorer/state/rights.ts';
import { isOpenPath, useIsPublic } from '../../../explorer/state/scope.ts';
import { useTitle } from '../../../explorer/state/title.ts';
import { useBlocks } from '../../../explorer/state/useBlocks.ts';
import { newKey, useDraft } from '../../../explorer/state/useDraft.ts';
import { useHistory } from '../../../explorer/state/useHistory.ts';
import { useNewest } from '../../../explorer/state/useNewest.ts';
import { usePast } from '../../../explorer/state/usePast.ts';
import { until } from '../../support/until.ts';
import { renderHook, settle } from '../renderHook.ts';
import { type Answer, toToken, useStubs } from '../stubs.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const toEvent = (number: number): LedgerEvent =>
  ({
    identity: `assets/a/events/${number}`,
    timestamp_accepted: at(number),
    confirmation_status: 'CONFIRMED',
  }) as LedgerEvent;
const toNumbers = (events: readonly LedgerEvent[]): number[] => events.map(({ identity }) => Number(identity.at(-1)));
const listed =
  (events: readonly LedgerEvent[], total = events.length, next_page_token = ''): Answer =>
  (_, response) => {
    response.setHeader('x-total-count', total);
    return { events, next_page_token };
  };
const answerNothing: Answer = () => undefined;

describe('the state of the pages', () => {
  const { answers, sent, document } = useStubs();
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
    for (const right of ['writer', 'recorder', 'administrator'] as const)
      expect([lacks(undefined, right), lacks(['root'], right)]).to.eql([undefined, undefined]);
    expect([lacks([], 'recorder'), lacks(['writer'], 'recorder'), lacks(['writer'], 'writer')]).to.eql([
      undefined,
      undefined,
      undefined,
    ]);
    expect(lacks([], 'writer')).to.match(
      /^Your access token has no role, which can’t create assets\. .*writer or root/,
    );
    expect(lacks(['reader', 'x'], 'administrator')).to.match(/has the role reader, x, which can’t change policies/);
    expect(lacks(['reader'], 'recorder')).to.match(/which can’t record events/);
  });

  describe('the end of a session', () => {
    let stop: () => void;
    beforeEach(() => {
      mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
      serverAheadMs.value = undefined;
      stop = watchExpiry() as unknown as () => void;
    });
    afterEach(() => {
      signOut();
      mock.timers.reset();
      serverAheadMs.value = undefined;
      stop?.();
    });

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

  describe('the newest events', () => {
    const LIST = '/svc/v2/assets/-/events';
    const STREAM = '/svc/v2/assets/-/events:stream';
    const countLists = (): number => sent.filter(({ path }) => path.startsWith(`${LIST}?`)).length;
    beforeEach(() => signIn(toToken({})));

    it('are those of the list and those that arrive, each once, newest first', async () => {
      answers.set(LIST, listed([toEvent(2), toEvent(1)], 7));
      let end = (): unknown => undefined;
      answers.set(STREAM, (_, response) => {
        response.setHeader('content-type', 'text/event-stream');
        for (const event of [toEvent(2), toEvent(3)]) response.write(`id: 1\ndata: ${JSON.stringify(event)}\n\n`);
        end = () => response.end();
      });
      const { current } = await renderHook(useNewest);
      await until(() => current().loaded.value?.total === 8 && current().isConnected);
      expect(toNumbers(current().loaded.value!.events)).to.eql([3, 2, 1]);
      // When the stream is connected, what came before is loaded once more.
      await until(() => countLists() === 2);
      isExpired.value = true;
      end();
      await until(() => !current().isConnected);
    });

    it('are not followed after the session has expired', async () => {
      isExpired.value = true;
      answers.set(LIST, listed([toEvent(1)]));
      const { current } = await renderHook(useNewest);
      await until(() => current().loaded.value !== undefined);
      await settle();
      expect([current().isConnected, countLists(), sent.length]).to.eql([false, 1, 1]);
    });
  });

  describe('the history of an asset', () => {
    const PUBLIC = '/svc/v2/publicassets/a/events';
    const ASSET = { uuid: 'a', isPublic: true };
    const open = () => renderHook(() => useHistory('a', true));
    const openAll = async () => {
      const { current } = await open();
      await until(() => current().total !== undefined);
      return current;
    };

    it('has no number of a time before it is there', async () => {
      answers.set(PUBLIC, answerNothing);
      const { total, isComplete, findNumber, read, get } = (await open()).current();
      expect([total, isComplete, await findNumber(0), await read(0), get(0)]).to.eql([
        undefined,
        false,
        -1,
        undefined,
        undefined,
      ]);
    });

    it('has its events, and the number of a time', async () => {
      answers.set(PUBLIC, (request, response) =>
        (request.path.includes('timestamp_accepted_before')
          ? listed([], 2)
          : listed([toEvent(3), toEvent(2), toEvent(1)]))(request, response),
      );
      const current = await openAll();
      const { total, isComplete, get, findNumber } = current();
      expect([total, isComplete, toNumbers([get(0)!, get(2)!])]).to.eql([3, true, [1, 3]]);
      expect(await findNumber(Date.parse(at(2)))).to.equal(1);
    });

    it('says why it is not there, and is read again', async () => {
      const { current } = await open();
      await until(() => current().error instanceof ApiError);
      answers.set(PUBLIC, listed([toEvent(1)]));
      current().reload();
      await until(() => current().error === undefined && current().total === 1);
    });

    it('until a time has the events until then', async () => {
      answers.set(PUBLIC, listed([toEvent(3), toEvent(2), toEvent(1)]));
      const history = (await openAll())();
      const past = async (time: string | undefined) =>
        (await renderHook(() => usePast(ASSET, history, time))).current();
      expect(await past(undefined)).to.deep.include({ step: 2, isCut: false });
      const { step, events, isCut } = await past(at(2));
      expect([step, toNumbers(events), isCut]).to.eql([1, [2, 1], false]);
      expect((await past(at(0))).step).to.equal(-1);
    });

    it('that is long has a page of events until a time', async () => {
      const history = { total: 9, isComplete: false, findNumber: async () => 4, get: () => undefined } as never;
      const render = () => renderHook(() => usePast(ASSET, history, at(5)));
      answers.set(PUBLIC, answerNothing);
      const waiting = await render();
      await until(() => waiting.current().step === 4);
      expect(waiting.current()).to.eql({ step: 4, events: [], isCut: false });
      answers.set(PUBLIC, listed([toEvent(5), toEvent(4)], 5, 'next'));
      const { current } = await render();
      await until(() => current().isCut);
      expect([current().step, toNumbers(current().events)]).to.eql([4, [5, 4]]);
      const before = new URLSearchParams(sent.at(-1)!.path.split('?')[1]).get('timestamp_accepted_before');
      expect(before).to.equal('2026-01-01T00:00:05.001Z');
    });
  });

  describe('the newest blocks', () => {
    const asked: number[] = [];
    beforeEach(() => {
      asked.length = 0;
      answers.set('/rpc', ({ body }) => {
        const [number] = JSON.parse(body).params;
        asked.push(Number(number));
        return { result: { number, timestamp: number } };
      });
    });

    it('are the last forty, of which only new ones are read', async () => {
      let height: number | undefined;
      const { current, rerender } = await renderHook(() => useBlocks(height));
      expect([current().blocks, asked]).to.eql([[], []]);
      const ends = (): (number | undefined)[] => [current().blocks[0]?.number, current().blocks.at(-1)?.number];
      height = 100;
      await rerender();
      await until(() => ends()[1] === 100);
      expect([current().blocks.length, ...ends()]).to.eql([40, 61, 100]);
      asked.length = 0;
      height = 103;
      await rerender();
      await until(() => ends()[1] === 103);
      expect([current().blocks.length, ...ends(), asked.toSorted()]).to.eql([40, 64, 103, [101, 102, 103]]);
    });

    it('are those of the new chain when it is lower than before', async () => {
      let height = 9;
      const { current, rerender } = await renderHook(() => useBlocks(height));
      await until(() => current().blocks.length === 10);
      height = 3;
      await rerender();
      await until(() => current().blocks.length === 4);
      expect(current().blocks.map(({ number }) => number)).to.eql([0, 1, 2, 3]);
    });
  });
});
