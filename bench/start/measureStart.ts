// One start of a server: when a client gets its first answers, and what they have cost until then.
import { setTimeout } from 'node:timers/promises';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { readProcessUsage } from '../load/processUsage.ts';

/** When something was answered. */
export interface Milestone {
  /** Since the process was started. */
  readonly elapsedMs: number;
  /** CPU time of the process, all threads. */
  readonly cpuMs: number;
  /** CPU time of its main thread. */
  readonly mainThreadCpuMs: number;
}

/** The milestones of one start. */
export interface StartFigures {
  /** The first read of an event that was written before the start. */
  readonly read: Milestone;
  /** The first write, with the status of its record. */
  readonly write: Milestone & { readonly status: string };
  /** A read has the first write as CONFIRMED: the replay has ended. */
  readonly confirmed: Milestone;
}

/** What a start is measured with. */
export interface StartClient {
  readonly token: string;
  /** Identity of an asset. */
  readonly asset: string;
  /** Identity of one of its events. */
  readonly event: string;
}

/** Settings of each server: the load isn't limited, and nothing is printed for each request. */
export const START_SETTINGS = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_SECOND: '100000' };

const POLL_MS = 20;

/** An event for a benchmark's asset. */
export const toEventBody = (number: number): string =>
  JSON.stringify({
    operation: 'Record',
    behaviour: 'RecordEvidence',
    event_attributes: { arc_description: `after the start: ${number}`, arc_display_type: 'inspection' },
  });

/** Sends a request to the API. A body makes it a POST. */
export const send = (url: string, token: string, path: string, body?: string): Promise<Response> =>
  fetch(`${url}/archivist/v2/${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });

const readJson = async (response: Response): Promise<Record<string, string>> => {
  if (!response.ok) throw new Error(`a request is answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
};

/** Writes an event, and resolves when it is CONFIRMED. `onAnswer` is called when the write is answered. */
export const writeConfirmed = async (
  url: string,
  { token, asset }: StartClient,
  onAnswer: (status: string) => Promise<void> = async () => undefined,
): Promise<void> => {
  let event = await readJson(await send(url, token, `${asset}/events`, toEventBody(0)));
  await onAnswer(event.confirmation_status!);
  while (event.confirmation_status !== 'CONFIRMED') {
    await setTimeout(POLL_MS);
    event = await readJson(await send(url, token, event.identity!));
  }
};

/** Starts a server and measures its first answers. The server continues. */
export const measureStart = async (
  dataDir: string,
  client: StartClient,
): Promise<{ server: ServerProcess; figures: StartFigures }> => {
  const beganMs = performance.now();
  const server = await startServerProcess(dataDir, [], START_SETTINGS);
  const note = async (): Promise<Milestone> => {
    const elapsedMs = performance.now() - beganMs;
    const { cpuMs, mainThreadCpuMs } = await readProcessUsage(server.process.pid!);
    return { elapsedMs, cpuMs, mainThreadCpuMs };
  };
  await readJson(await send(server.url, client.token, client.event));
  const read = await note();
  let write: StartFigures['write'] | undefined;
  await writeConfirmed(server.url, client, async (status) => {
    write = { ...(await note()), status };
  });
  return { server, figures: { read, write: write!, confirmed: await note() } };
};
