import { expect } from 'chai';
import { createEntryCompleter, type EntryCompleterDeps } from '../../../chain/writing/entryCompleter.ts';

describe('the completion of entries', () => {
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
