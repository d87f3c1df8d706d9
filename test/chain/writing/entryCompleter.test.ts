import { expect } from 'chai';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { createEntryCompleter, type EntryCompleterDeps } from '../../../chain/writing/entryCompleter.ts';
import { LedgerError } from '../../../ledger/errors.ts';

describe('the completion of entries', () => {
  const AWAY = new LedgerError('CHAIN_UNAVAILABLE');
  const open = () => {
    const problems: string[] = [];
    const defects: unknown[] = [];
    const completer = createEntryCompleter({
      signal: new AbortController().signal,
      onProblem: (message) => problems.push(message),
      onDefect: (cause) => defects.push(cause),
    } as Partial<EntryCompleterDeps> as EntryCompleterDeps);
    return { ...completer, problems, defects };
  };

  it('repeats no task that fails by a mistake of the program, and raises the mistake', async () => {
    for (const mistake of [new TypeError('x is not a function'), new RangeError('no'), new Error('no'), 'no']) {
      const { retry, problems, defects } = open();
      let attempts = 0;
      const error = await retry(async () => {
        attempts += 1;
        throw mistake;
      }).catch((cause: unknown) => cause);
      expect([error, attempts, problems, defects]).to.eql([mistake, 1, [], [mistake]]);
    }
  });

  it('repeats no task on a damaged database', async () => {
    const { retry, defects } = open();
    const damage = new LedgerError('CHAIN_CORRUPT');
    expect(await retry(() => Promise.reject(damage)).catch((cause: unknown) => cause)).to.equal(damage);
    expect(defects).to.eql([]);
  });

  for (const [name, failure] of [
    ['an outage', AWAY],
    ["a node's error", new RpcError(-32_000, 'busy')],
    ['an error of the disk', Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' })],
    ['an error of LevelDB', Object.assign(new Error('IO error'), { code: 'LEVEL_IO_ERROR' })],
  ] as const)
    it(`repeats a task after ${name}`, async () => {
      const { retry, defects } = open();
      const answer = await retry(async (attempt) => {
        if (attempt === 0) throw failure;
        return 'done';
      });
      expect([answer, defects]).to.eql(['done', []]);
    });

  it('ends a pause with the signal of the task', async () => {
    const { retry } = open();
    const ending = new AbortController();
    let attempts = 0;
    const ended = retry(async () => {
      attempts += 1;
      setImmediate(() => ending.abort());
      throw AWAY;
    }, ending.signal).catch(({ name }: Error) => name);
    expect([await ended, attempts]).to.eql(['AbortError', 1]);
  });

  it('gives a task up with its own error when the writer stops, which is no failed attempt', async () => {
    const stop = new AbortController();
    const problems: string[] = [];
    const { retry } = createEntryCompleter({
      signal: stop.signal,
      onProblem: (message) => problems.push(message),
    } as Partial<EntryCompleterDeps> as EntryCompleterDeps);
    const failure = new Error('the node is away');
    const error = await retry(async () => {
      stop.abort();
      throw failure;
    }).catch((reason: unknown) => reason);
    expect([error, problems]).to.eql([failure, []]);
  });
});
