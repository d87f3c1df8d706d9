// What the pages load: the newest events, the history of an asset, and the newest blocks.
import { expect } from 'chai';
import { ApiError, type LedgerEvent } from '../../../explorer/api/client.ts';
import { isExpired, signIn, signOut } from '../../../explorer/api/session.ts';
import { useBlocks } from '../../../explorer/state/useBlocks.ts';
import { useHistory } from '../../../explorer/state/useHistory.ts';
import { useNewest } from '../../../explorer/state/useNewest.ts';
import { usePast } from '../../../explorer/state/usePast.ts';
import { until } from '../../support/until.ts';
import { renderHook, settle } from '../inNode/renderHook.ts';
import { type Answer, toToken, useStubs } from '../inNode/stubs.ts';

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

describe('what the pages load', () => {
  const { answers, sent } = useStubs();
  afterEach(() => signOut());

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
