// Work that goes on without what failed, or begins it again: a mistake of this program must end the process instead.
import { expect } from 'chai';
import { createRecentBlocksWriter } from '../../chain/embedded/journal/recentBlocksWriter.ts';
import { createWriteRecovery } from '../../chain/leveldb/writeRecovery.ts';
import { createBlockWatch } from '../../chain/network/blockWatch.ts';
import { createProgressWatch } from '../../chain/network/chainProgress.ts';
import { createAccountNonces } from '../../chain/writing/accountNonces.ts';
import { createGapFill } from '../../chain/writing/gapFill.ts';
import { createFindBlockHash } from '../../host/blockHashes.ts';
import { reportSharedRelayer } from '../../host/checks/relayerCheck.ts';
import { createFinalMark } from '../../host/finalMark.ts';
import { createHeadCatchUp } from '../../host/headCatchUp.ts';
import type { StartedLedger } from '../../host/tenancy/tenantStart.ts';
import { watchTenants } from '../../host/tenancy/tenantWatch.ts';
import { createRemovedWriters } from '../../host/wallets/removedWriters.ts';
import { watchWriters } from '../../host/wallets/writerWatch.ts';
import { createFindHealthIssues } from '../../host/watching/ledgerState.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { useRaisedDefects } from '../support/raisedDefects.ts';
import { useVirtualTime } from '../support/virtualTime.ts';

const ADDRESS = `0x${'11'.repeat(20)}` as const;
const HEAD = { number: 1, hash: '0x', timestampSeconds: 0 } as const;
const LONG_MS = 60_000;

/** Begins work whose step is `fail`, which rejects with the mistake. */
type Work = (fail: () => Promise<never>, mistake: Error) => unknown;

const never = new Promise<never>(() => undefined);
const onProblem = (): void => undefined;

const WORKS: Readonly<Record<string, Work>> = {
  'the recovery of writes': (fail) =>
    createWriteRecovery({ what: 'it', recover: fail, onProblem }).begin(new LedgerError('STORAGE_FULL')),
  'a write': (fail) =>
    fail().catch((cause: unknown) => {
      createWriteRecovery({ what: 'it', recover: () => never, onProblem }).begin(cause);
    }),
  'a write that is refused with its failure': (fail) =>
    fail().catch((cause: unknown) => {
      const refusal = new LedgerError('CHAIN_UNAVAILABLE', { cause });
      createWriteRecovery({ what: 'it', recover: () => never, onProblem }).begin(refusal);
    }),
  'the watch of blocks': (fail) => createBlockWatch({ nodes: { use: fail }, pollMs: 500 }).awaitBlock(undefined),
  "the watch of a chain's progress": (fail) => {
    const nodes = { headNumber: 1, uses: () => [{ isLeft: false }], use: fail } as never;
    return createProgressWatch({ nodes, confirmations: 1, now: () => 0, onProblem }).look();
  },
  'catching up after a read': (fail) => createHeadCatchUp({ refresh: fail, waitMs: LONG_MS, nowMs: () => 0 })(),
  'the watch of writers': (fail) =>
    watchWriters({
      chain: { onFinalHead: () => () => undefined },
      begun: Promise.resolve(HEAD),
      tenantIdentities: () => ['tenant/a'],
      isWriter: fail,
      wasWriter: fail,
      onRemoved: fail,
    }),
  'another look at removed writers': async (fail) => {
    let isFirst = true;
    const find = async () => {
      if (!isFirst) return fail();
      isFirst = false;
      return ADDRESS;
    };
    const { check, checkAgain } = createRemovedWriters(find, onProblem);
    await check('tenant/a');
    await checkAgain();
  },
  'the check of the relayer': (fail) =>
    reportSharedRelayer(
      { chain: { request: fail }, isJoined: false },
      ADDRESS,
      { highestNonce: () => undefined },
      onProblem,
    ),
  'filling a gap of nonces': (fail) => {
    const nonces = createAccountNonces();
    nonces.takeNext(8);
    nonces.moveToFirstFree(8, 5);
    const chain = { awaitFinal: fail };
    const fees = { gasPrice: 1n };
    createGapFill({ chain, address: ADDRESS, nonces, unmined: new Set(), submit: fail })(8, fees, undefined);
  },
  'looking up the hash of a block': (fail) =>
    createFindBlockHash({
      chain: { fetchBlockHash: fail },
      store: { readCursor: () => ({ blockNumber: 1 }) },
    } as never)(1),
  'the mark of the newest final block': (_, mistake) => {
    const readNewest = (): never => {
      throw mistake;
    };
    return createFinalMark('/nowhere', readNewest, onProblem).stop();
  },
  'the watch of requested tenants': (fail) =>
    watchTenants(
      {
        keyring: { pendingTenants: { list: fail } },
        chain: { onFinalHead: () => () => undefined },
      } as never as StartedLedger,
      { onLine: onProblem, onProblem },
    ),
  'the state of a server': (fail) => createFindHealthIssues(fail, () => false)(),
  'the copy of the newest blocks': (fail) => {
    const copy = { write: fail, sync: fail } as never;
    createRecentBlocksWriter({ copy, journal: {} as never, onProblem }).keep({ number: 1 } as never);
  },
};

describe('a mistake of this program', () => {
  const time = useVirtualTime();
  const raised = useRaisedDefects();

  for (const [name, begin] of Object.entries(WORKS))
    it(`ends the process, and isn't repeated: ${name}`, async () => {
      const mistake = new TypeError('x is not a function');
      let attempts = 0;
      void begin(async () => {
        attempts += 1;
        throw mistake;
      }, mistake);
      await time.passUntil(() => raised().length > 0);
      await time.pass(LONG_MS);
      expect(raised()).to.deep.equal([mistake]);
      expect(attempts).to.be.at.most(2);
    });
});
