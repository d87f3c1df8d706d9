// What is known of a file of tests when it has ended, however it ended.
import type { Ended, FileCost, FileEnd } from './events.ts';

/** A failure of a test, or of a file as a whole. */
export interface Failure {
  readonly file: string;
  /** The test's full title; undefined: the file as a whole. */
  readonly title: string | undefined;
  readonly isTest: boolean;
  readonly text: string;
}

/** The result of one file. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** Undefined where the process ended before the file did. */
  readonly cost: FileCost | undefined;
  readonly missing: readonly string[];
  readonly output: string;
}

/** Collects the events of one file. */
export interface FileProgress {
  readonly file: string;
  /** When it began, in milliseconds of `performance.now()`. */
  readonly beganMs: number;
  add(event: Ended): void;
  /** What runs now, for a person. */
  current: string;
  /** Whether tests that have ended may still be running. */
  goesOn(): boolean;
  /** How many tests have ended. */
  count(): number;
  /** The result of a file that ended. */
  end(end: FileEnd, output: string): FileResult;
  /** The result of a file whose process ended before it. */
  breakOff(reason: string, output: string): FileResult;
}

/** What to do about a full disk. */
export const FULL_DISK = 'The disk of the temporary directory is full: free space, or name another one by TMPDIR.';

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/\bENOSPC\b|No space left on device/, FULL_DISK],
  [/\bEMFILE\b/, 'Too many files are open: raise the limit (ulimit -n), or use fewer --jobs.'],
  [/\bERR_MOCHA_TIMEOUT\b|Timeout of \d+ms exceeded/, 'Run it alone; if it passes there, look for waits by the clock.'],
];

/** Adds what to do about a failure, where the text shows it. */
export const withRemedy = (text: string): string =>
  [text, ...REMEDIES.filter(([pattern]) => pattern.test(text)).map(([, remedy]) => `     ${remedy}`)].join('\n');

/** Adds a line to a failure, unless it is there. */
export const withLine = (failure: Failure, line: string): Failure =>
  failure.text.includes(line) ? failure : { ...failure, text: `${failure.text}\n     ${line}` };

const LEFT_BEHIND = 'An after hook must end what the tests start, wait for its end, and restore what they change.';
const NOT_LOADED = 'Correct what the stack names; none of its tests has run.';
const UNCAUGHT = 'The tests must wait for all that they start, also where it fails.';
const BROKEN_OFF = 'The results of its tests until then count. Run the file alone to see more.';

const toFileFailure = (file: string, text: string): Failure => ({ file, title: undefined, isTest: false, text });

/** The failures of a file as a whole. */
const toFileFailures = (file: string, { loadError, isEmpty, uncaught, leftovers }: FileEnd): Failure[] =>
  [
    ...(loadError === undefined ? [] : [`${file} could not be loaded:\n${withRemedy(loadError)}\n${NOT_LOADED}`]),
    ...(isEmpty === true ? [`${file} has no tests: write one, or remove the file.`] : []),
    ...uncaught.map(
      (error) => `${file}: nothing caught this, outside of its tests:\n${withRemedy(error)}\n${UNCAUGHT}`,
    ),
    ...(leftovers.length === 0 ? [] : [`${file} left ${leftovers.join(', ')}. ${LEFT_BEHIND}`]),
  ].map((text) => toFileFailure(file, text));

/** Begins to collect the events of a file. `onFailure` gets each failure at once. */
export const startFile = (file: string, onFailure: (failure: Failure) => void): FileProgress => {
  let passed = 0;
  let skipped = 0;
  let isGoingOn = false;
  const failures: Failure[] = [];
  const missing = new Set<string>();
  const fail = (failure: Failure): void => {
    failures.push(failure);
    onFailure(failure);
  };
  const toResult = (rest: Pick<FileResult, 'cost' | 'output'>): FileResult => ({
    file,
    passed,
    skipped,
    failures,
    missing: [...missing],
    ...rest,
  });
  const self: FileProgress = {
    file,
    beganMs: performance.now(),
    current: 'loading',
    goesOn: () => isGoingOn,
    count: () => passed + skipped + failures.length,
    add: ({ state, title, text, isTest, goesOn, missing: lacking, file: own }) => {
      if (state === 'passed') passed += 1;
      if (state === 'skipped') skipped += 1;
      for (const what of lacking ?? []) missing.add(what);
      if (state === 'failed') fail({ file: own ?? file, title, isTest, text: withRemedy(text ?? '') });
      isGoingOn ||= goesOn ?? false;
    },
    end: (end, output) => {
      for (const failure of toFileFailures(file, end)) fail(failure);
      return toResult({ cost: end.cost, output });
    },
    breakOff: (reason, output) => {
      const text = `${file}: ${reason}, in "${self.current}". ${BROKEN_OFF}\n${output}`;
      fail(toFileFailure(file, withRemedy(text)));
      return toResult({ cost: undefined, output });
    },
  };
  return self;
};
