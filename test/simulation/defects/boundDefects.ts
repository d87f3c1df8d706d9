// Slips about limits: what may grow, and what stays in memory although nothing needs it any more.
import type { Defect } from './defect.ts';

const RUNNER = 'chain/writing/batchRunner.ts';
const SENDER = 'chain/writing/transactionSender.ts';

const limitDefects: readonly Defect[] = [
  {
    name: 'outbox-limit-exceeded-by-one',
    file: 'chain/writing/outboxShares.ts',
    find: 'own.count < toTenantMax',
    replace: 'own.count <= toTenantMax',
    breaks: 'the outbox never has more records than its limit',
    foundBy: 'burst of requests',
  },
  {
    name: 'batch-bytes-ignored',
    file: RUNNER,
    find: '(records === recordsMax || bytes > batchBytesMax || !fits)',
    replace: '(records === recordsMax || !fits)',
    breaks: 'the records of a batch have no more bytes than its limit',
    foundBy: 'burst of requests',
  },
  {
    name: 'batch-bytes-without-last',
    file: RUNNER,
    find: `    bytes += payload.length;
    const fits = measure?.(entry) ?? true;
    if (records > 0 && (records === recordsMax || bytes > batchBytesMax || !fits)) return false;`,
    replace: `    const fits = measure?.(entry) ?? true;
    if (records > 0 && (records === recordsMax || bytes > batchBytesMax || !fits)) return false;
    bytes += payload.length;`,
    breaks: 'the bytes of a batch include those of its last record',
    foundBy: 'burst of requests',
  },
  {
    name: 'batch-exceeded-by-one-record',
    file: RUNNER,
    find: 'records === recordsMax ||',
    replace: 'records > recordsMax ||',
    breaks: 'a batch has no more records than its limit',
    foundBy: 'burst of requests',
  },
  {
    name: 'mined-batches-not-limited',
    file: RUNNER,
    find: 'while (uncompleted.length > options.minedBatchesMax) await uncompleted.shift();',
    replace: 'while (uncompleted.length > options.minedBatchesMax) void uncompleted.shift();',
    breaks: 'a limited number of batches is mined and not completed',
    foundBy: 'burst of requests on a chain whose blocks are not final at once',
  },
];

const memoryDefects: readonly Defect[] = [
  {
    name: 'waiter-kept-after-answer',
    file: 'chain/writing/commitmentWaiters.ts',
    find: '          waiters.delete(sequence);\n',
    replace: '',
    breaks: 'a request that is answered waits no longer',
    foundBy: 'any request',
  },
  {
    name: 'stream-kept-without-entries',
    file: 'chain/writing/outboxEntries.ts',
    find: 'if (list?.amount().count === 0) lists.delete(keyOf(entry));',
    replace: 'void [list, lists];',
    breaks: 'the outbox keeps nothing of a stream whose records are on the chain',
    foundBy: 'any request',
  },
  {
    name: 'exclusive-name-kept',
    file: 'server/fairness/exclusive.ts',
    find: 'for (const each of names) if (last.get(each) === run) last.delete(each);',
    replace: '',
    breaks: 'the name of a task is kept only while its tasks run',
    foundBy: 'request with a key',
  },
  {
    name: 'final-call-kept',
    file: SENDER,
    find: '    sentCalls.delete(hash);\n',
    replace: '',
    breaks: 'a call is kept until its transaction is final',
    foundBy: 'any request',
  },
  {
    name: 'final-nonce-stays-taken',
    file: SENDER,
    find: '    if (sent !== undefined) nonces.release(sent.nonce);\n',
    replace: '',
    breaks: 'a nonce is in use until its transaction is final',
    foundBy: 'any request',
  },
  {
    name: 'final-transaction-kept',
    file: 'chain/network/transactionSubmitter.ts',
    find: `        keepers.delete(mined.hash);
        return final;`,
    replace: '        return final;',
    breaks: 'a transaction is kept until it is final',
    foundBy: 'any request',
  },
];

const nonceDefects: readonly Defect[] = [
  {
    name: 'call-sent-with-two-nonces',
    file: SENDER,
    find: 'isAgain ? sendAgain(sent, signal) : submit(sent, bid, { signal, onSent: accept }),',
    replace: `{
        if (isAgain) return sendAgain(sent, signal);
        void submit({ ...sent, nonce: sent.nonce + 1 }, bid, { signal }).catch(() => undefined);
        return submit(sent, bid, { signal, onSent: accept });
      },`,
    breaks: 'each submission has one nonce',
    foundBy: 'any request',
  },
  {
    name: 'nonce-taken-twice',
    file: SENDER,
    find: 'const nonce = nonces.takeNext(count);',
    replace: 'const nonce = Math.min(nonces.takeNext(count), nonces.takeNext(count));',
    breaks: 'a call has one nonce in use',
    foundBy: 'any request',
  },
];

/** Defects of limits and of what memory keeps. */
export const boundDefects: readonly Defect[] = [...limitDefects, ...memoryDefects, ...nonceDefects];
