// Asks the running server of a data directory through its control socket.
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { dataPaths } from '../files/dataPaths.ts';
import { toSocketAddress } from './controlServer.ts';

/** Where a running server answers. */
export interface ServerInfo {
  readonly url: string;
  readonly rpcUrl: string;
  readonly contract: string;
  readonly chainId: number;
}

const NOT_RUNNING = ['ENOENT', 'ECONNREFUSED'];

const send = (socketPath: string, command: string, input: object): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: `/${command}`, method: 'POST' }, (response) => {
      json(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.once('error', reject).end(JSON.stringify(input));
  });

/**
 * The answer of the running server; undefined when none is running on this data directory.
 * @throws Error with the server's own words when it refuses.
 */
export const askServer = async <T>(dataDir: string, command: string, input: object): Promise<T | undefined> => {
  try {
    const { status, body } = await send(toSocketAddress(dataPaths(dataDir).controlSocket), command, input);
    if (status === 200) return body as T;
    throw new Error((body as { message: string }).message);
  } catch (error) {
    if (NOT_RUNNING.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
};

/** The running server of a data directory. @throws Error that says how to start one. */
export const findServer = async (dataDir: string): Promise<ServerInfo> => {
  const info = await askServer<ServerInfo>(dataDir, 'info', {});
  if (info !== undefined) return info;
  throw new Error(`no server runs on ${dataDir}; start one with: DATA_DIR=${dataDir} npm start`);
};
