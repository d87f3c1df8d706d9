// The program of `npm run witness`.
import { resolve } from 'node:path';
import { encodeVerifierKey, type VerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { console } from '../commandProcess.ts';
import { createDataDirectory } from '../files/dataDirectory.ts';
import { lockDirectory } from '../files/directoryLock.ts';
import { openPort } from '../lifecycle/openPort.ts';
import { onStopSignal } from '../lifecycle/stopSignals.ts';
import { closeOnUncaught } from '../lifecycle/uncaughtErrors.ts';
import { asPort } from '../settings/settingReaders.ts';
import { readFollowedLogs } from './followedLogs.ts';
import { createWitness } from './witness.ts';
import { openWitnessKey } from './witnessKey.ts';
import { listenForCheckpoints } from './witnessServer.ts';
import { openWitnessState, type WitnessState } from './witnessState.ts';

const BURST_SECONDS = 10;

/** Options of the command. */
export interface WitnessCommand {
  readonly directory: string;
  /** Needed at the first start. */
  readonly name?: string;
  /** Verifier keys of logs. */
  readonly log?: readonly string[];
  /** Path of a file with verifier keys of logs. */
  readonly logs?: string;
  readonly host: string;
  readonly port: string;
  /** Requests of one address in each second, and ten times as many beyond these in a minute; 0: no limit. */
  readonly requestsPerSecond: number;
}

const printLogs = (logs: readonly VerifierKey[], { find }: WitnessState): void => {
  for (const origin of new Set(logs.map(({ name }) => name)))
    console.log(`follows ${origin}, which had ${find(origin)?.size ?? 0} entries`);
  if (logs.length === 0) console.log('follows no log yet: name one with --log or --logs');
};

/**
 * Runs a witness until SIGINT or SIGTERM. Resolves when it answers.
 * @throws Error and LedgerError when directory, key, state, logs or port can't be used.
 */
export const runWitness = async (command: WitnessCommand): Promise<void> => {
  const { directory, name, log = [], logs, host, port, requestsPerSecond: perSecond } = command;
  const rate = { perSecond, burst: perSecond * BURST_SECONDS };
  await using opened = new AsyncDisposableStack();
  const followed = await readFollowedLogs(log, logs);
  const path = resolve(directory);
  await createDataDirectory(path, '--directory');
  opened.defer(await lockDirectory(path));
  const key = await openWitnessKey(path, name);
  const state = await openWitnessState(path, key.verifier);
  const witness = createWitness({ key, logs: followed, state, now: Date.now });
  const verifierKey = encodeVerifierKey(key.verifier);
  const listener = await openPort(
    '--port',
    asPort(port),
    (free) => listenForCheckpoints({ witness, state, verifierKey }, { host, port: free, rate }),
    { setting: '--host', host },
  );
  opened.defer(listener.close);
  const all = opened.move();
  onStopSignal(() => void all.disposeAsync());
  closeOnUncaught(() => all.disposeAsync());
  console.log(`witness ${verifierKey}`);
  printLogs(followed, state);
  console.log(`listening on ${listener.url}`);
};
