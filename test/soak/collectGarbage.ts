// A complete garbage collection in another process of Node, by its inspector: what is then in memory is in use.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of Node that was started with `toInspectorArguments`. */
export interface InspectableProcess {
  readonly pid: number;
  readonly inspectorPort: number;
}

/** Arguments of Node, with which a signal opens the inspector on this port of the loopback address. */
export const toInspectorArguments = (port: number): string[] => [
  `--inspect-port=127.0.0.1:${port}`,
  '--inspect-publish-uid=http',
];

const OPEN_MS_MAX = 10_000;
const POLL_MS = 50;

// The signal is handled on a thread of its own, some time after it was sent.
const awaitInspector = async (port: number): Promise<string> => {
  const endMs = performance.now() + OPEN_MS_MAX;
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      return target!.webSocketDebuggerUrl;
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await sleep(POLL_MS);
    }
  }
};

/**
 * Runs a complete garbage collection in a process, and resolves after it. The inspector stays open. Rejects when the
 * inspector doesn't open within 10 s, or refuses the collection.
 */
export const collectGarbage = async ({ pid, inspectorPort }: InspectableProcess): Promise<void> => {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await awaitInspector(inspectorPort));
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
  const closed = once(socket, 'close');
  socket.close();
  await closed;
  if ((JSON.parse(data) as { error?: unknown }).error !== undefined) throw new Error(`no collection: ${data}`);
};
