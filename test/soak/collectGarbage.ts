// A complete garbage collection in another process of Node, by its inspector: what is then in memory is in use.
import { once } from 'node:events';
import { until } from '../support/until.ts';

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
const ANSWER_MS_MAX = 60_000;

// The signal is handled on a thread of its own, some time after it was sent.
const awaitInspector = async (port: number): Promise<string> => {
  let [url, failure]: [string?, unknown?] = [];
  const isOpen = async (): Promise<boolean> => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      url = target!.webSocketDebuggerUrl;
    } catch (error) {
      failure = error;
    }
    return url !== undefined;
  };
  await until(isOpen, () => failure, OPEN_MS_MAX);
  return url!;
};

/** What JavaScript has in use directly after a complete garbage collection, in bytes, as `process.memoryUsage()`. */
export interface MemoryInUse {
  /** Objects of JavaScript. */
  readonly heapUsed: number;
  /** Memory of C++ that objects of JavaScript own, with the contents of buffers. */
  readonly external: number;
}

interface Answer {
  readonly error?: unknown;
  readonly result?: { readonly result?: { readonly value?: string } };
}

// Of a process that ends, no answer arrives.
const awaitEvent = (socket: WebSocket, name: string): Promise<unknown[]> =>
  once(socket, name, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });

// One request at a time: without an enabled domain, the inspector sends nothing but answers.
const request = async (socket: WebSocket, method: string, params: object = {}): Promise<Answer> => {
  socket.send(JSON.stringify({ id: 1, method, params }));
  const [{ data }] = (await awaitEvent(socket, 'message')) as [{ data: string }];
  const answer = JSON.parse(data) as Answer;
  if (answer.error !== undefined) throw new Error(`the inspector refuses ${method}: ${data}`);
  return answer;
};

const readMemoryInUse = async (socket: WebSocket): Promise<MemoryInUse> => {
  const expression = 'JSON.stringify(process.memoryUsage())';
  const { result } = await request(socket, 'Runtime.evaluate', { expression });
  return JSON.parse(result!.result!.value!) as MemoryInUse;
};

/**
 * Runs a complete garbage collection in a process, and resolves with what is then in use. The inspector stays open.
 * Rejects when the inspector doesn't open within 10 s, doesn't answer within 60 s, or refuses the collection.
 */
export const collectGarbage = async ({ pid, inspectorPort }: InspectableProcess): Promise<MemoryInUse> => {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await awaitInspector(inspectorPort));
  await awaitEvent(socket, 'open');
  try {
    await request(socket, 'HeapProfiler.collectGarbage');
    return await readMemoryInUse(socket);
  } finally {
    socket.close();
  }
};
