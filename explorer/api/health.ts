// Whether the server is ready, and what it reports about itself.
import { UNREACHABLE } from './client.ts';

/** One condition that the server reports. */
export interface Condition {
  readonly name: string;
  readonly reason: string;
}

/** The answer of /readyz. */
export interface HealthReport {
  readonly status: 'ready' | 'stalled' | 'not ready';
  readonly troubles: readonly Condition[];
}

/** Reads the server's report; one that isn't ready answers as well. */
export const fetchHealth = async (signal: AbortSignal): Promise<HealthReport> => {
  try {
    return (await (await fetch('/readyz', { signal })).json()) as HealthReport;
  } catch (cause) {
    throw (cause as Error).name === 'AbortError' ? cause : UNREACHABLE;
  }
};
