// Slips in the server and in the composition of the ledger.
import type { Defect } from './defect.ts';

/** Defects of the server. */
export const serverDefects: readonly Defect[] = [
  {
    name: 'key-without-exclusion',
    file: 'server/records/idempotency.ts',
    find: 'return runExclusively(steps.toIdentity(creation), () => createKeyed(creation));',
    replace: 'return createKeyed(creation);',
    breaks: 'requests with the same key run one after the other',
    foundBy: 'repeated request while the first is being served',
  },
  {
    name: 'key-of-one-process',
    file: 'server/records/idempotency.ts',
    find: `  const createKeyed = async (creation: Creation): Promise<T> => {
    const first = await steps.readFirst(creation);`,
    replace: `  const used = new Set<string>();
  const createKeyed = async (creation: Creation): Promise<T> => {
    const isUsed = used.has(steps.toIdentity(creation));
    used.add(steps.toIdentity(creation));
    const first = isUsed ? await steps.readFirst(creation) : undefined;`,
    breaks: 'a key counts as used after a restart, too',
    foundBy: 'kill and a repeated request',
  },
  {
    name: 'served-before-index-is-complete',
    file: 'host/indexedChain.ts',
    find: `    await follower.catchUp();
  } catch`,
    replace: '  } catch',
    breaks: 'the index has every block of the chain when the server starts',
    foundBy: 'power failure that loses a part of the index',
  },
  {
    name: 'served-without-committed-block',
    file: 'host/indexedChain.ts',
    find: 'if (!rebuilds) throw refuseBehind(committedBlock);',
    replace: 'void refuseBehind;',
    breaks: 'the index has every record that left the outbox when the server starts',
    foundBy: 'power failure that loses a part of the index, and a node that lags',
  },
  {
    name: 'read-after-failed-replay',
    file: 'host/openLedger.ts',
    find: 'createLedgerView({ store, outbox, assertReadable: completion.assertNotFailed, pool })',
    replace: 'createLedgerView({ store, outbox, pool })',
    breaks: 'no read is answered once the replay of the journal has failed',
    foundBy: 'replay that fails',
  },
  {
    name: 'clock-not-held',
    file: 'host/ledgerClock.ts',
    find: `  clock.holdAt(toHeldMs(written));
`,
    replace: '',
    breaks: 'no record is accepted at an earlier time than the newest one before the start',
    foundBy: 'clock that is set back, and restart',
  },
];
