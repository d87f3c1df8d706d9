// How many events a server shows with a status.
import { setTimeout as sleep } from 'node:timers/promises';

/** A server's API and a token of its tenant. */
export interface Api {
  readonly url: string;
  readonly token: string;
}

const POLL_MS = 500;

/** Counts the events of the tenant that have a status. */
export const countEvents = async ({ url, token }: Api, status: 'PENDING' | 'FAILED'): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, 'x-request-total-count': 'true' };
  const response = await fetch(`${url}/v2/assets/-/events?page_size=1&confirmation_status=${status}`, { headers });
  if (!response.ok) throw new Error(`a list of events is answered ${response.status}: ${await response.text()}`);
  await response.body?.cancel();
  return Number(response.headers.get('x-total-count'));
};

/**
 * Resolves when no event is PENDING.
 * @throws Error when the number of those that are doesn't fall for `silenceMs`
 */
export const awaitNonePending = async (api: Api, silenceMs: number): Promise<void> => {
  let least = Number.POSITIVE_INFINITY;
  for (let changedMs = Date.now(); ; await sleep(POLL_MS)) {
    const pending = await countEvents(api, 'PENDING');
    if (pending === 0) return;
    if (pending < least) [least, changedMs] = [pending, Date.now()];
    if (Date.now() - changedMs > silenceMs) throw new Error(`${pending} events stay PENDING`);
  }
};
