// Files of tests that may break a rule, and why.
import type { Rule } from './testRules.ts';

type Allowances = Readonly<Record<string, string>>;

/** The reasons by the path of a file, or of a folder that ends with a slash. */
const ALLOWANCES: Readonly<Record<Rule, Allowances>> = {
  clock: {
    'test/support/until.ts': 'the one wait of the tests, which is bounded, and the one delay',
    'test/simulation/edges/': 'replaces the timers of the simulated process',
    'test/simulation/server/machine.ts': 'runs in a simulated process, where time is virtual',
    'test/simulation/network/support/ledgerClient.ts': 'runs in a simulated process, where time is virtual',
    'test/simulation/command/workers.ts': 'kills a simulated process that hangs',
    'test/mutations/runTestFile.ts': 'kills a test that does not end',
    'test/soak/': 'loads a server for minutes of real time, and measures it',
  },
  elapsed: {},
  environment: {},
  port: {},
  directory: {
    'test/host/demo/demoText.test.ts': 'prints paths that no process opens',
    'test/setup/container.long.test.ts': 'replaces the path that the script of the container has',
  },
  timeout: {},
  characters: {},
  runs: {},
};

// Files from before the rules.
const OLDER: Partial<Readonly<Record<Rule, readonly string[]>>> = {
  clock: [
    'test/bench/runLoad.test.ts',
    'test/host/headCatchUp.test.ts',
    'test/host/indexing/readThreads.test.ts',
    'test/host/operator/progress.test.ts',
    'test/runner/leftovers.ts',
    'test/runner/testProcess.ts',
    'test/server/blobs/stalledUploads.test.ts',
    'test/server/http/connectionLimits.test.ts',
    'test/server/http/slowRequests.test.ts',
    'test/server/lines/bulkClients.test.ts',
    'test/system/killedContributions.long.test.ts',
    'test/system/repair.long.test.ts',
    'test/system/replay.test.ts',
    'test/system/startAfterKill.long.test.ts',
    'test/system/unavailableNodes.long.test.ts',
  ],
  runs: [
    'test/host/witness/witness.test.ts',
    'test/server/acceptanceClock.test.ts',
    'test/server/blobs/textTypes.test.ts',
    'test/server/http/pathTable.test.ts',
    'test/server/records/newPolicy.test.ts',
    'test/simulation/chain/contractModel.test.ts',
    'test/simulation/chain/layeredMap.test.ts',
    'test/simulation/chain/transactions.test.ts',
    'test/simulation/disk/level.test.ts',
  ],
  elapsed: [
    'test/host/evidence/cosigning.test.ts',
    'test/host/headCatchUp.test.ts',
    'test/system/hungNode.long.test.ts',
    'test/system/otherServer.test.ts',
    'test/system/witness.test.ts',
  ],
  timeout: [
    'test/contracts/invariants.test.ts',
    'test/explorer/adminApplications.long.test.ts',
    'test/explorer/adminPolicies.long.test.ts',
    'test/explorer/adminRoots.long.test.ts',
    'test/explorer/adminSubjects.long.test.ts',
    'test/explorer/badInput.long.test.ts',
    'test/explorer/check.long.test.ts',
    'test/explorer/declaredTimes.long.test.ts',
    'test/explorer/events.long.test.ts',
    'test/explorer/locations.long.test.ts',
    'test/explorer/newAsset.long.test.ts',
    'test/explorer/newEvent.long.test.ts',
    'test/explorer/pages.long.test.ts',
    'test/explorer/policies.long.test.ts',
    'test/explorer/session.long.test.ts',
    'test/explorer/signIn.long.test.ts',
    'test/explorer/timeline.long.test.ts',
    'test/explorer/verify.long.test.ts',
    'test/runner/fixtures/takesLong.ts',
    'test/setup/container.long.test.ts',
  ],
  environment: ['test/runner/fixtures/changesEnvironment.ts'],
  directory: ['test/runner/load.test.ts'],
};

const applies = (path: string, allowed: string): boolean =>
  allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed;

/** The file or folder that a path is allowed to break a rule with; undefined when it isn't allowed to. */
export const findAllowance = (path: string, rule: Rule): string | undefined =>
  [...Object.keys(ALLOWANCES[rule]), ...(OLDER[rule] ?? [])].find((allowed) => applies(path, allowed));
