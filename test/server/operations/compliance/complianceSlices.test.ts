// Checks by the costliest policies leave turns to other requests. The tests measure the CPU time of the thread between
// two turns of the event loop, which other processes on the machine don't change.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import {
  ASSET_UUID,
  CALLER,
  CONTRACT,
  createComplianceLogs,
  toEndMs,
  toUsualPolicies,
} from '../../../../bench/compliance/complianceLedger.ts';
import { COSTLY_POLICIES } from '../../../../bench/compliance/compliancePolicies.ts';
import { SERVER_LIMITS } from '../../../../host/settings/installationLimits.ts';
import { LAYOUT_VERSION } from '../../../../indexer/keys.ts';
import { applyLogs } from '../../../../indexer/projection/applyLogs.ts';
import { createLedgerView } from '../../../../indexer/reads/createLedgerView.ts';
import { toUncommittedRecords } from '../../../../indexer/reads/uncommitted.ts';
import { createIndexStore } from '../../../../indexer/store.ts';
import type { PolicyContent } from '../../../../ledger/records/policy.ts';
import { createAcceptanceClock } from '../../../../server/acceptanceClock.ts';
import { createRunInSlices, type RunInSlices, SLICE_MS } from '../../../../server/fairness/timeSlices.ts';
import { encodeJsonInSteps } from '../../../../server/http/steppedJson.ts';
import { createPageTokens } from '../../../../server/lists/pageTokens.ts';
import { checkCompliance } from '../../../../server/operations/compliance/checkCompliance.ts';

const EVENTS = 10_000;
const CHECKS = 6;
// A slice takes 5 ms and a step on a quiet machine, a complete check far more. The system counts CPU time in
// ticks of up to 10 ms.
const HELD_MS_MAX = 45;

const readCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Runs a task, and returns the longest CPU time for which it held the event loop, and its total CPU time. */
const measureHeld = async (task: () => Promise<unknown>): Promise<{ longestMs: number; totalMs: number }> => {
  const watch = { isRunning: true, longestMs: 0 };
  const watching = (async () => {
    for (let beforeMs = readCpuMs(); watch.isRunning; ) {
      await setImmediate();
      const nowMs = readCpuMs();
      watch.longestMs = Math.max(watch.longestMs, nowMs - beforeMs);
      beforeMs = nowMs;
    }
  })();
  const startedMs = readCpuMs();
  await task();
  const totalMs = readCpuMs() - startedMs;
  watch.isRunning = false;
  await watching;
  return { longestMs: watch.longestMs, totalMs };
};

const openChecks = async (policies: readonly PolicyContent[], runInSlices: RunInSlices) => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-test-'));
  const store = await createIndexStore(directory);
  for (const logs of createComplianceLogs({ events: EVENTS, works: 1, policies }, 8_192)) {
    const { blockNumber } = logs.at(-1)!;
    const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber, blockHash: CONTRACT };
    await applyLogs(store, { records: logs, attestations: [] }, cursor);
  }
  const nowMs = toEndMs(EVENTS);
  const handler = checkCompliance({
    view: createLedgerView({ store, outbox: toUncommittedRecords([]) }),
    writer: { flush: async () => {} },
    clock: createAcceptanceClock(() => nowMs),
    runInSlices,
    now: () => nowMs,
    pageTokens: createPageTokens(Buffer.alloc(32, 1)),
    limits: SERVER_LIMITS,
  } as unknown as Parameters<typeof checkCompliance>[0]);
  return {
    check: async () => {
      const request = { caller: CALLER, params: { uuid: ASSET_UUID }, query: {} };
      const { body } = (await handler(request as unknown as Parameters<typeof handler>[0])) as { body: object };
      return await runInSlices('', encodeJsonInSteps(body));
    },
    close: async () => {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const isShort = ({ longestMs }: { longestMs: number }): boolean => longestMs <= HELD_MS_MAX;

/** Several checks: the compiler and the garbage collector hold the event loop in some of them, the code in each. */
const measureChecks = async (policies: readonly PolicyContent[], runInSlices: RunInSlices) => {
  const { check, close } = await openChecks(policies, runInSlices);
  const held: Awaited<ReturnType<typeof measureHeld>>[] = [];
  for (let requested = 0; requested < CHECKS; requested += 1) held.push(await measureHeld(check));
  await close();
  return held;
};

const createRun = () => createRunInSlices({ nowMs: () => performance.now(), pause: setImmediate, sliceMs: SLICE_MS });

describe('a check', () => {
  for (const [name, policies] of Object.entries(COSTLY_POLICIES)) {
    it(`by ${name} never holds the event loop for long`, async () => {
      const held = await measureChecks(policies, createRun());
      expect(held.filter(isShort), JSON.stringify(held)).to.have.length.at.least(CHECKS / 2);
    });
  }

  it('with a long step would fail this test', async () => {
    const runInSlices = createRun();
    const held = await measureChecks(toUsualPolicies(1), (party, steps) =>
      runInSlices(
        party,
        (function* () {
          const endMs = readCpuMs() + 2 * HELD_MS_MAX;
          while (readCpuMs() < endMs);
          return yield* steps;
        })(),
      ),
    );
    expect(held.filter(isShort)).to.deep.equal([]);
  });
});
