// Opens the API for the operator's commands on a Unix socket of the data directory: they need no certificate there.
import type { RequestListener } from 'node:http';
import { type Listener, listenOnSocket } from '../../server/listen.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { prepareSocket, removeSocket } from '../operator/controlServer.ts';
import { reportProblem } from '../watching/reports.ts';

interface ApiSocketOptions {
  readonly dataDir: string;
  /** How long `close` waits for requests in progress, in milliseconds. */
  readonly graceMs: number;
  /** Receives the removal of the socket's file, for a process that ends at once. */
  readonly onEnd: DisposableStack;
}

const onAcceptError = (error: Error): void => reportProblem('a command could not be accepted', error);

/** Listens with the application on the socket of a data directory. */
export const openApiSocket = async (
  app: RequestListener,
  { dataDir, graceMs, onEnd }: ApiSocketOptions,
): Promise<Pick<Listener, 'close'>> => {
  const { apiSocket } = dataPaths(dataDir);
  onEnd.defer(() => removeSocket(apiSocket));
  return listenOnSocket(app, { path: await prepareSocket(apiSocket), graceMs, onAcceptError });
};
