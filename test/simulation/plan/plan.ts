// What happens in one run: its faults and its clients' requests, all drawn from the seed before the run begins, so that
// a failing run can be repeated with fewer of them.

/** A fault at a virtual time. Its kind decides its parameters. */
export interface Fault {
  readonly kind: string;
  /** Virtual milliseconds since the beginning. */
  readonly atMs: number;
  readonly [parameter: string]: number | string | boolean;
}

/** Something that a client asks of the server. Its kind decides its parameters. */
export interface PlannedRequest {
  readonly kind: string;
  readonly atMs: number;
  readonly [parameter: string]: number | string | boolean;
}

/** Everything that the seed decides before a run, besides latencies and the order of equal times. */
export interface Plan {
  readonly seed: number;
  readonly chain: 'embedded' | 'network';
  /** Settings of the run: limits of the write path, times of the network. */
  readonly settings: Readonly<Record<string, number>>;
  readonly requests: readonly PlannedRequest[];
  readonly faults: readonly Fault[];
}

/** A check that failed. */
export interface Violation {
  /** Name of the check: the same for the same kind of failure. */
  readonly check: string;
  readonly text: string;
}

/** The result of one run. */
export interface Outcome {
  readonly plan: Plan;
  /** Empty: the run was clean. */
  readonly violations: readonly Violation[];
  /** How often each kind of fault, kill point and answer occurred. */
  readonly counts: Readonly<Record<string, number>>;
  readonly virtualMs: number;
  readonly tasks: number;
}
