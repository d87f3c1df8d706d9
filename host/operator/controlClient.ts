// Sends operator commands, and requests to the API, to the running server of a data directory through its sockets: that
// way needs no certificate that this machine trusts, and no address that it can reach.
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { toReason } from '../connectionFailure.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { createSocketFetch, type Fetch } from '../ownServer/socketFetch.ts';
import { toSocketAddress } from './controlServer.ts';

/** The addresses of a running server. */
export interface ServerInfo {
  /** Base URL of the API, without a slash at the end. */
  readonly url: string;
  /** URL of a JSON-RPC endpoint of the chain. */
  readonly rpcUrl: string;
  /** Address of the ledger contract. */
  readonly contract: string;
  readonly chainId: number;
  /** Whether a socket of the data directory has the API. Servers of earlier versions have none. */
  readonly hasApiSocket?: boolean;
}

/** A running server, and how this process reaches its API. */
export interface RunningServer extends ServerInfo {
  /** Requests to URLs that begin with `url`. */
  readonly fetch: Fetch;
}

const NOT_RUNNING = ['ENOENT', 'ECONNREFUSED'];

const send = (
  socketPath: string,
  command: string,
  { input, onWaiting }: { input: object; onWaiting: () => void },
): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    // A connection of its own: the server may have ended one that was idle while this process was busy.
    const sent = request({ socketPath, path: `/${command}`, method: 'POST', agent: false }, (response) => {
      json(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.once('information', onWaiting);
    sent.on('error', reject).end(JSON.stringify(input));
  });

/**
 * Sends a command to the running server and returns its answer; undefined when no server is running on this data
 * directory. `onWaiting` is called when the command begins to wait for the chain.
 * @throws Error with the server's message when it refuses.
 */
export const sendCommand = async <T>(
  dataDir: string,
  command: string,
  input: object,
  onWaiting: () => void = () => undefined,
): Promise<T | undefined> => {
  try {
    const socketPath = toSocketAddress(dataPaths(dataDir).controlSocket);
    const { status, body } = await send(socketPath, command, { input, onWaiting });
    if (status === 200) return body as T;
    throw new Error((body as { message: string }).message);
  } catch (error) {
    if (NOT_RUNNING.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
};

/**
 * Sends a command to the running server of a data directory, which must not be run on the directory itself.
 * @throws Error that names the command that starts a server, or with the server's message when it refuses.
 */
export const commandServer = async <T>(dataDir: string, command: string, input: object): Promise<T> => {
  const answer = await sendCommand<T>(dataDir, command, input);
  if (answer !== undefined) return answer;
  throw new Error(`no server is running on ${dataDir}; start one with: DATA_DIR=${dataDir} npm start`);
};

const UPGRADED = 'the server is of an earlier version: restart it, and commands reach it without its certificate';

// The certificate of an earlier version's server is seldom one for the address that it listens on.
const fetchFromEarlier: Fetch = (url, init) =>
  fetch(url, init).catch((error: Error) => {
    if (!url.startsWith('https:')) throw error;
    throw new TypeError(error.message, { cause: new Error(`${toReason(error)}; ${UPGRADED}`, { cause: error }) });
  });

const toRunning = (info: ServerInfo, dataDir: string): RunningServer => {
  const fetchOwn = info.hasApiSocket ? createSocketFetch(dataPaths(dataDir).apiSocket) : fetchFromEarlier;
  return { ...info, fetch: fetchOwn };
};

/** The running server of a data directory; undefined when there is none. */
export const findRunningServer = async (dataDir: string): Promise<RunningServer | undefined> => {
  const info = await sendCommand<ServerInfo>(dataDir, 'info', {});
  return info && toRunning(info, dataDir);
};

/** The running server of a data directory. @throws Error that names the command that starts one. */
export const findServer = async (dataDir: string): Promise<RunningServer> =>
  toRunning(await commandServer<ServerInfo>(dataDir, 'info', {}), dataDir);
