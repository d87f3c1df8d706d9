// Files of tests that may break a rule, and why.
import type { Rule } from './testRules.ts';

type Allowances = Readonly<Record<string, string>>;

/** The reasons by the path of a file, or of a folder that ends with a slash. */
const ALLOWANCES: Readonly<Record<Rule, Allowances>> = {
  clock: {
    'test/support/until.ts': 'the one wait of the tests, which is bounded, and the one delay',
    'test/support/faultRun.ts': 'mines blocks in the rhythm of a network',
    'test/engines/geth.ts': 'says how far a build is',
    'test/explorer/api/evidence.test.ts': 'replaces the timer of the page, so that no time passes',
    'test/runner/display.ts': 'shows how far a run is',
    'test/server/http/connectionLimits.test.ts': 'sends byte by byte until the server ends that',
    'test/server/http/slowRequests.test.ts': 'sends byte by byte until the server ends that',
    'test/simulation/edges/': 'replaces the timers of the simulated process',
    'test/simulation/server/machine.ts': 'runs in a simulated process, where time is virtual',
    'test/simulation/network/support/ledgerClient.ts': 'runs in a simulated process, where time is virtual',
    'test/simulation/command/workers.ts': 'kills a simulated process that hangs',
    'test/mutations/runTestFile.ts': 'kills a test that does not end',
    'test/runner/fixtures/': 'are files of tests with faults, for the tests of the runner',
    'test/runner/leftovers.ts': 'gives what a file of tests leaves open a moment to close',
    'test/runner/testProcess.ts': 'ends a process of tests that hangs',
    'test/soak/': 'loads a server for minutes of real time, and measures it',
  },
  elapsed: {},
  environment: {
    'test/runner/fixtures/': 'are files of tests with faults, for the tests of the runner',
  },
  port: {},
  directory: {
    'test/host/demo/demoText.test.ts': 'prints paths that no process opens',
    'test/setup/container.long.test.ts': 'replaces the path that the script of the container has',
  },
  timeout: {
    'test/runner/fixtures/': 'are files of tests with faults, for the tests of the runner',
  },
  characters: {},
  runs: {},
  retries: {},
  mocks: {},
  skip: {
    'test/support/missing.ts': 'says what is missing',
  },
};

const applies = (path: string, allowed: string): boolean =>
  allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed;

/** The file or folder that a path is allowed to break a rule with; undefined when it isn't allowed to. */
export const findAllowance = (path: string, rule: Rule): string | undefined =>
  Object.keys(ALLOWANCES[rule]).find((allowed) => applies(path, allowed));
