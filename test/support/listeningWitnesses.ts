// Witnesses that listen in this process, at a fixed time, and servers in their place.
import { createServer, type RequestListener } from 'node:http';
import { listenForCheckpoints } from '../../host/witness/witnessServer.ts';
import { encodeVerifierKey, type VerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { until } from './until.ts';
import { openTestWitness } from './witnesses.ts';

/** The time of the witnesses and of the log. */
export const NOW_SECONDS = 1_790_000_000;

/** The same in milliseconds. */
export const now = (): number => NOW_SECONDS * 1_000;
const nowSeconds = (): number => NOW_SECONDS;

/** A server that a log sends its checkpoints to. */
export interface Running {
  readonly key: VerifierKey;
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the witness of a directory. */
export const startWitness = async (directory: string, port = 0, clock = nowSeconds): Promise<Running> => {
  const witness = await openTestWitness(directory, { nowSeconds: clock });
  const served = { witness, state: witness.state, verifierKey: encodeVerifierKey(witness.verifier) };
  const rate = { perSecond: 100, burst: 0 };
  const { url, close } = await listenForCheckpoints(served, { host: '127.0.0.1', port, rate });
  return { key: witness.verifier, url, close };
};

/** Starts another server with the key of a witness. */
export const startLiar = async (key: VerifierKey, listener: RequestListener): Promise<Running> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await until(() => server.listening);
  const { port } = server.address() as { port: number };
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { key, url: `http://127.0.0.1:${port}`, close };
};
