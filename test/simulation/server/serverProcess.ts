// One run of the server in a simulated process: the real ledger with the real handlers, without HTTP.
import type { LedgerOptions } from '../../../host/ledgerOptions.ts';
import { type Ledger, openLedger } from '../../../host/openLedger.ts';
import { createAcceptanceClock } from '../../../server/acceptanceClock.ts';
import type { ServerDeps } from '../../../server/deps.ts';
import { createRunExclusively } from '../../../server/fairness/exclusive.ts';
import { createServerTurns, type ServerTurns } from '../../../server/fairness/serverTurns.ts';
import { createPageTokens } from '../../../server/lists/pageTokens.ts';
import { createAsset } from '../../../server/operations/assets/createAsset.ts';
import { getAsset } from '../../../server/operations/assets/getAsset.ts';
import { listAssets } from '../../../server/operations/assets/listAssets.ts';
import { createEvent } from '../../../server/operations/events/createEvent.ts';
import { createEvents } from '../../../server/operations/events/createEvents.ts';
import { getEvent } from '../../../server/operations/events/getEvent.ts';
import { listEvents } from '../../../server/operations/events/listEvents.ts';
import { createLocation } from '../../../server/operations/locations/createLocation.ts';
import { getLocation } from '../../../server/operations/locations/getLocation.ts';
import { listLocations } from '../../../server/operations/locations/listLocations.ts';
import { updateLocation } from '../../../server/operations/locations/updateLocation.ts';
import { randomUUID } from '../edges/nodeCrypto.ts';
import { setImmediate } from '../edges/timersPromises.ts';
import { type KillKind, type SimulatedProcess, startProcess } from '../world/processes.ts';
import { theWorld } from '../world/world.ts';
import { SERVER } from './settings.ts';

const toHandlers = (deps: ServerDeps, runKeyedEvents = createRunExclusively()) => ({
  createAsset: createAsset(deps),
  createEvent: createEvent(deps, runKeyedEvents),
  createEvents: createEvents(deps, runKeyedEvents),
  createLocation: createLocation(deps),
  updateLocation: updateLocation(deps, createRunExclusively()),
  getAsset: getAsset(deps),
  getEvent: getEvent(deps),
  getLocation: getLocation(deps),
  listAssets: listAssets(deps),
  listEvents: listEvents(deps),
  listLocations: listLocations(deps),
});

// Every server of an installation has the same secret.
const PAGE_TOKENS = createPageTokens(Buffer.alloc(32, 'page tokens'));
/** Items of a page without `page_size`: few, so that short lists have several pages. */
const LIST_RECORDS_MAX = 10;

type UsedDeps = Pick<
  ServerDeps,
  'view' | 'writer' | 'chainId' | 'clock' | 'now' | 'newUuid' | 'onUnexpectedError' | keyof ServerTurns | 'pageTokens'
> & { readonly limits: Pick<ServerDeps['limits'], 'listRecordsMax'> };

/** The handlers that the simulated clients call. */
export type SimulatedHandlers = ReturnType<typeof toHandlers>;

/** A server that is open. */
export interface OpenServer {
  readonly process: SimulatedProcess;
  readonly ledger: Ledger;
  readonly handlers: SimulatedHandlers;
  /** Requests that the handlers have not ended. */
  inProgress: number;
}

// What these handlers use of the server; the rest belongs to HTTP, files and tokens.
const toDeps = ({ view, writer, chain, now }: Ledger): ServerDeps => {
  const used: UsedDeps = {
    view,
    writer,
    chainId: chain.chainId,
    clock: createAcceptanceClock(now),
    now: Date.now,
    newUuid: randomUUID,
    onUnexpectedError: (error) => theWorld().note(SERVER, () => `reports: ${String(error)}`),
    pageTokens: PAGE_TOKENS,
    limits: { listRecordsMax: LIST_RECORDS_MAX },
    ...createServerTurns({ nowMs: () => theWorld().nowMs(), pause: () => setImmediate() }),
  };
  return used as ServerDeps;
};

/** What a start of the server resolves with: the open server, or the error that ended the start. */
export type StartResult = { readonly server: OpenServer } | { readonly error: unknown };

/** Starts the server as a process of a machine. `onStarted` is called unless the process is killed before. */
export const startServer = (options: {
  name: string;
  machine: string;
  ledger: LedgerOptions;
  onStarted: (result: StartResult) => void;
  onKilled: (kind: KillKind) => void;
}): SimulatedProcess => {
  const { name, machine, onStarted, onKilled } = options;
  const process = startProcess({ name, machine, onKilled });
  const open = async (): Promise<OpenServer> => {
    const ledger = await openLedger(options.ledger);
    return { process, ledger, handlers: toHandlers(toDeps(ledger)), inProgress: 0 };
  };
  const start = (): void => {
    open().then(
      (server) => process.isAlive() && onStarted({ server }),
      (error: unknown) => process.isAlive() && onStarted({ error }),
    );
  };
  // In a task of its own, so that the caller has the process before it can be killed.
  theWorld().schedule(0, () => process.run(start));
  return process;
};
