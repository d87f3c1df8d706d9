// Slips of transactions that are in flight side by side: which records, in which order, and which nonces.
import type { Defect } from './defect.ts';

const RUNNER = 'chain/writing/batchRunner.ts';

/** Defects of several transactions in flight. */
export const sideBySideDefects: readonly Defect[] = [
  {
    name: 'recovered-side-by-side',
    file: RUNNER,
    find: '(recovered.areLeft() ? 1 : transactionsInFlight)',
    replace: 'transactionsInFlight',
    breaks: 'the oldest record of an earlier process gets a nonce that is missing before others',
    foundBy: 'burst: reorganisation that drops a transaction, then kill',
  },
  {
    name: 'stream-in-two-transactions',
    file: 'chain/writing/streamQueue.ts',
    find: '      stream.isFree = false;\n',
    replace: `      count(1, stream.entries.length, stream.bytes);
      if (stream.entries.length > 0) addFree(stream);
      else streams.delete(stream.key);
`,
    breaks: 'a stream is in one transaction in flight at most',
    foundBy: 'burst: lost nonce',
  },
  {
    name: 'undecided-stream-freed',
    file: RUNNER,
    find: 'new Set(undecided.map(streamKeyOf))',
    replace: 'new Set<string>()',
    breaks: 'later records of an asset wait for those that are submitted again when their author is a writer again',
    foundBy: 'removeWriter while batches of several records wait',
  },
  {
    name: 'reverted-not-kept',
    file: 'chain/writing/committer.ts',
    find: 'return await retry(awaitFinal, ending).catch(() => undefined);',
    replace: 'return undefined;',
    breaks: 'a transaction that reverted is sent again after a reorg while those in flight wait for its nonce',
    foundBy: 'removeWriter, then reorganisation that drops a transaction, while several are in flight',
  },
];
