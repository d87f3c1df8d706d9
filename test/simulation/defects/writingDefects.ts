// Slips between outbox and chain: when an entry is complete, and what is submitted again.
import type { Defect } from './defect.ts';

const COMMITTER = 'chain/writing/committer.ts';
const COMPLETER = 'chain/writing/entryCompleter.ts';
const REFUSED = 'chain/writing/refusedBatches.ts';
const SUBMITTING = 'chain/writing/submitUntilMined.ts';
const WRITER = 'chain/writing/recordWriter.ts';

/** Defects of the writer. */
export const writingDefects: readonly Defect[] = [
  {
    name: 'records-of-first-tenant',
    file: 'chain/writing/submission.ts',
    find: 'hasSendingAuthors && hasOneTenant(records) ?',
    replace: 'hasSendingAuthors ?',
    breaks: "an author's transaction contains records of its tenant only",
    foundBy: 'requests of two tenants at the same time',
  },
  {
    name: 'removed-before-indexed',
    file: COMPLETER,
    find: `        await index.catchUpTo(transaction.blockNumber);
        return completeIndexed(entries);`,
    replace: `        await outbox.remove(entries, transaction.blockNumber);
        await index.catchUpTo(transaction.blockNumber);
        return completeIndexed(entries);`,
    breaks: 'a record is in the outbox until the index has it',
    foundBy: 'reads, repeated requests, kill',
  },
  {
    name: 'removed-when-mined',
    file: COMMITTER,
    find: '    return { completed: inBackground(rest, () => completeSucceeded(rest, mined)) };',
    replace: `    await deps.outbox.remove(rest, mined.blockNumber);
    return { completed: inBackground(rest, () => completeSucceeded(rest, mined)) };`,
    breaks: 'a record is in the outbox until its block is final',
    foundBy: 'reorganisation and kill',
  },
  {
    name: 'confirmed-when-mined',
    file: COMMITTER,
    find: '    return { completed: inBackground(rest, () => completeSucceeded(rest, mined)) };',
    replace: `    for (const { sequence } of rest)
      deps.onCompleted(sequence, {
        confirmation_status: 'CONFIRMED',
        timestamp_committed: new Date().toISOString(),
        block_number: mined.blockNumber,
        transaction_index: 0,
        log_index: 0,
        transaction_id: mined.hash,
        from: '',
      });
    return { completed: inBackground(rest, () => completeSucceeded(rest, mined)) };`,
    breaks: 'a request is answered CONFIRMED when the block is final and in the index',
    foundBy: 'reorganisation, reads',
  },
  {
    name: 'catch-up-failure-swallowed',
    file: COMPLETER,
    find: 'await index.catchUpTo(transaction.blockNumber);',
    replace:
      'await index.catchUpTo(transaction.blockNumber).catch((cause: unknown) => onProblem("the index is behind", cause));',
    breaks: 'an entry is completed from an index that has its block',
    foundBy: 'index that cannot be written, node that does not answer',
  },
  {
    name: 'final-not-awaited',
    file: COMPLETER,
    find: 'const transaction = await retry(() => submission.awaitFinal(mined, signal));',
    replace: 'const transaction = mined;',
    breaks: 'the block of a transaction is final before its records are complete',
    foundBy: 'reorganisation',
  },
  {
    name: 'reverted-record-submitted-again',
    file: COMMITTER,
    find: 'entries.length === 1 ? failMined(entries[0]!, mined) : completeAll(entries, mined);',
    replace: 'completeAll(entries, mined);',
    breaks: 'a record that was alone in a transaction that a reorg has reverted is FAILED, and follows no later record',
    foundBy: 'short removal of a writer that a reorg puts before its records',
  },
  {
    name: 'first-block-number-kept',
    file: COMPLETER,
    find: 'const transaction = await retry(() => submission.awaitFinal(mined, signal));',
    replace: `const final = await retry(() => submission.awaitFinal(mined, signal));
      const transaction = { ...final, blockNumber: mined.blockNumber };`,
    breaks: 'the index must have the block that has the transaction after a reorganisation',
    foundBy: 'reorganisation that moves a transaction to a later block',
  },
  {
    name: 'first-outcome-kept',
    file: COMPLETER,
    find: 'const transaction = await retry(() => submission.awaitFinal(mined, signal));',
    replace: `const final = await retry(() => submission.awaitFinal(mined, signal));
      const transaction = { ...final, outcome: mined.outcome };`,
    breaks: 'the outcome in the final block decides',
    foundBy: 'reorganisation that puts the removal of a writer before its records',
  },
  {
    name: 'failed-from-receipt',
    file: COMMITTER,
    find: `    const completed = await completeMined([entry], mined);
    if (completed.missing.length === 0 || isIndexBehind(completed)) return NONE;`,
    replace: '    const completed = await completeMined([entry], mined);',
    breaks: 'a record is FAILED only when its transaction is final and the index lacks the record',
    foundBy: 'reorganisation, lie about a receipt',
  },
  {
    name: 'failed-before-durable',
    file: COMPLETER,
    find: `      await retry(() => outbox.fail(entry, failure));
      failed.add(entry);
      waits?.end([entry]);
      onProblem(\`\${entry.record.identity} is FAILED: \${failure.reason}\`);
      onCompleted(entry.sequence, toUncommitted('FAILED', failure.failureReason));`,
    replace: `      onCompleted(entry.sequence, toUncommitted('FAILED', failure.failureReason));
      await retry(() => outbox.fail(entry, failure));
      failed.add(entry);
      waits?.end([entry]);
      onProblem(\`\${entry.record.identity} is FAILED: \${failure.reason}\`);`,
    breaks: 'a request is answered FAILED when the outbox has that on the disk',
    foundBy: 'record that the contract rejects while the outbox cannot be written, then kill',
  },
  {
    name: 'failed-with-its-batch',
    file: REFUSED,
    find: `      if (isAlone && nonces.isLast(entries[0]!, mined.account))
        return { completed: inBackground(entries, () => deps.failMined(entries[0]!, mined)) };`,
    replace: `    const isOfOne = entries.every(({ tenantIdentity }) => tenantIdentity === entries[0]!.tenantIdentity);
    const failAll = () => Promise.all(entries.map((entry) => deps.failMined(entry, mined))).then((again) => again.flat());
    if (isOfOne && entries.every((entry) => nonces.isLast(entry, mined.account)))
      return { completed: inBackground(entries, failAll) };`,
    breaks: 'a record is FAILED only when the contract refuses it alone',
    foundBy: 'record that the contract rejects, in a batch',
  },
  {
    name: 'failed-after-timeouts',
    file: SUBMITTING,
    find: `      waits?.noteFailure(entries);
      throw cause;`,
    replace: `      waits?.noteFailure(entries);
      if (entries.length === 1) await completer.fail(entries[0]!);
      throw cause;`,
    breaks: 'an error of a submission proves nothing, so the record stays PENDING',
    foundBy: 'node that does not answer, disk that refuses a block',
  },
  {
    name: 'split-loses-a-record',
    file: REFUSED,
    find: 'await commit(missing.slice(middle), true);',
    replace: 'await commit(missing.slice(middle + 1), true);',
    breaks: 'both halves of a batch that reverted are submitted',
    foundBy: 'record that the contract rejects, in a batch',
  },
  {
    name: 'retry-gives-up',
    file: COMPLETER,
    find: 'if (ending.aborted || isLastingDamage(cause)) throw cause;',
    replace: 'if (ending.aborted || isLastingDamage(cause) || attempt === 4) throw cause;',
    breaks: 'the writer tries again until it succeeds',
    foundBy: 'nodes that do not answer for some seconds',
  },
  {
    name: 'obstacle-not-cleared',
    file: SUBMITTING,
    find: `      onObstacle(undefined);
      waits?.mine(entries);`,
    replace: '      waits?.mine(entries);',
    breaks: 'records are accepted again after an obstacle has gone',
    foundBy: 'account that cannot pay for a while, node of another chain',
  },
  {
    name: 'new-records-before-recovered',
    file: WRITER,
    find: '  for (const entry of recovered) queue.push(entry);\n',
    replace: '  setTimeout(() => recovered.forEach(queue.push), 1_000);\n',
    breaks: 'the records of a start before are submitted first, and no new record waits for another',
    foundBy: 'kill with records in the outbox',
  },
];
