// Evidence that isn't there yet is asked for again, as the server says, and as long as somebody waits for it.
import { expect } from 'chai';
import type { ApiError } from '../../../explorer/api/client.ts';
import { fetchEventEvidence } from '../../../explorer/api/evidence.ts';
import { failureOf } from '../../support/refusals.ts';
import { useStubs } from '../inNode/stubs.ts';

/** The time that the server names; no timer of the connection has it. */
const PAUSE_MS = 7_000;
const PATH = '/svc/v2/assets/a/events/b:evidence';

describe('the evidence that a page asks for', () => {
  const { answers, sent } = useStubs();
  const setTimer = globalThis.setTimeout;
  let pauses: number[];
  let onPause: (end: () => void) => void;
  beforeEach(() => {
    pauses = [];
    onPause = (end) => queueMicrotask(end);
    globalThis.setTimeout = ((end: () => void, ms: number, ...rest: unknown[]) => {
      if (ms !== PAUSE_MS) return setTimer(end, ms, ...(rest as []));
      pauses.push(ms);
      onPause(end);
      return 0;
    }) as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = setTimer;
  });

  const refuse = (code: string, retryAfter?: string): void => {
    answers.set(PATH, (_request, response) => {
      response.statusCode = 503;
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      return { code: 14, message: 'later', details: [{ error: code }] };
    });
  };
  const ask = (signal = new AbortController().signal) => fetchEventEvidence('a', 'b', signal);

  it('is asked for again after the time that the server names, for a minute at most', async () => {
    refuse('EVIDENCE_PENDING', '7');
    expect(((await failureOf(ask())) as ApiError).code).to.equal('EVIDENCE_PENDING');
    expect(pauses).to.deep.equal(Array.from({ length: 8 }, () => PAUSE_MS));
    expect(sent).to.have.length(9);
  });

  it('comes when it is there', async () => {
    refuse('EVIDENCE_PENDING', '7');
    onPause = (end) => {
      answers.set(PATH, () => ({ format: 'x' }));
      queueMicrotask(end);
    };
    expect(await ask()).to.deep.equal({ format: 'x' });
    expect(pauses).to.deep.equal([PAUSE_MS]);
  });

  it('is not asked for again where the refusal lasts', async () => {
    refuse('CODE_UNPROVEN', '7');
    expect(((await failureOf(ask())) as ApiError).code).to.equal('CODE_UNPROVEN');
    expect(sent).to.have.length(1);
  });

  it('is not asked for again after the page was left, and the pause ends', async () => {
    refuse('EVIDENCE_PENDING', '7');
    const leaving = new AbortController();
    onPause = () => queueMicrotask(() => leaving.abort());
    expect(((await failureOf(ask(leaving.signal))) as Error).name).to.equal('AbortError');
    expect([sent.length, pauses]).to.deep.equal([1, [PAUSE_MS]]);
  });
});
