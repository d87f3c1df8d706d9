// Slips in the nonces of transactions: which one a transaction gets, and with which a record can still be mined.
import type { Defect } from './defect.ts';

const NONCES = 'chain/writing/recordNonces.ts';
const SENDER = 'chain/writing/transactionSender.ts';
const CALL = 'chain/writing/submitCall.ts';

/** Defects of nonces. */
export const nonceDefects: readonly Defect[] = [
  {
    name: 'failed-before-highest-nonce',
    file: NONCES,
    find: 'isLast: (entry, account) => !isAhead(highest.get(entry), account),',
    replace: 'isLast: () => true,',
    breaks: 'a record is FAILED when no transaction that contained it can be mined',
    foundBy: 'transaction that one pool keeps while the writer is removed',
  },
  {
    name: 'highest-nonce-not-durable',
    file: NONCES,
    find: '      if (isPooled) await noteNonce(account);\n',
    replace: '',
    breaks: 'the highest nonce with which a record was sent is on the disk before the transaction is sent',
    foundBy: 'transaction that one pool keeps while the writer is removed, and kill',
  },
  {
    name: 'nonce-kept-after-refusal',
    file: SENDER,
    find: `      const count = next ?? (await fetchCount());
      next = undefined;`,
    replace: '      const count = next ?? (await fetchCount());',
    breaks: 'the chain is queried for the nonce after a refusal',
    foundBy: 'transaction of another program with the same account',
  },
  {
    name: 'nonce-skipped-after-refusal',
    file: SENDER,
    find: '      next.forget();\n      throw error;',
    replace: '      next.set(sent.nonce + 1);\n      throw error;',
    breaks: 'the nonce of a refused transaction is used again',
    foundBy: 'refused transaction',
  },
  {
    name: 'refused-nonce-stays-taken',
    file: SENDER,
    find: '      nonces.giveUp(sent.nonce);\n',
    replace: '',
    breaks: 'the nonce of a refused transaction is used again',
    foundBy: 'transaction of another program with the same account, refused transaction',
  },
  {
    name: 'nonce-gap-not-noticed',
    file: CALL,
    find: 'return sent.isBehindGap;',
    replace: 'return false;',
    breaks: 'a nonce that is missing before a transaction is used',
    foundBy: 'reorganisation that drops a transaction of an earlier process',
  },
  {
    name: 'replacement-takes-next-nonce',
    file: CALL,
    find: 'return fees && sign(fees);',
    replace: `return (
        fees && signTransaction({ chainId, nonce: nonce + 1, gasLimit, fees, to, value: 0n, data: call.data }, wallet)
      );`,
    breaks: 'a replacement has the nonce of the transaction that it replaces',
    foundBy: 'fee spike',
  },
  {
    name: 'earlier-nonces-ignored',
    file: NONCES,
    find: 'if (earlier !== undefined) for (const entry of readEntries()) highest.set(entry, earlier);',
    replace: 'void readEntries;',
    breaks: 'an earlier process may have sent a record with any nonce up to the highest one',
    foundBy: 'transaction that one pool keeps while the writer is removed, and kill',
  },
  {
    name: 'lower-nonce-kept',
    file: NONCES,
    find: 'if (!isAhead(highest.get(entry), account)) highest.set(entry, account);',
    replace: 'highest.set(entry, account);',
    breaks: 'the highest nonce of a record stays when it is sent with a lower one',
    foundBy: 'transaction that one pool keeps while the writer is removed',
  },
];
