// Runs the server of this process from its start to the signal that stops it.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerError } from '../../ledger/errors.ts';
import { console } from '../commandProcess.ts';
import { openServer, type Server } from '../openServer.ts';
import { printTenant } from '../operator/printTenant.ts';
import { printStart } from '../operator/startMessages.ts';
import type { DeliveredTenant } from '../operator/tenantCreation.ts';
import { readConfig } from '../settings/config.ts';
import { FIRST_TENANT } from '../tenants.ts';
import { reportLine, reportProblem } from '../watching/reports.ts';
import { endUnread } from './guardProcess.ts';
import { onStopSignal } from './stopSignals.ts';
import { closeOnUncaught } from './uncaughtErrors.ts';

// A ledger that was joined has no first tenant.
const explainNoEffect = (isJoined: boolean): string =>
  isJoined
    ? '--secret-file has no effect: this server joins a ledger; it is an option of npm run tenant -- request'
    : `--secret-file has no effect: tenant ${FIRST_TENANT} exists; for a new secret: ` +
      'POST /archivist/iam/v1/applications/UUID:regenerate-secret';

const closeOn = async (reason: string, close: () => Promise<void>): Promise<void> => {
  console.log(`${reason}: requests in progress are finished; records that wait for the chain stay in the outbox`);
  try {
    await close();
  } catch (error) {
    reportProblem('did not stop cleanly', error);
    process.exitCode = 1;
  }
  endUnread();
};

// A supervisor starts another process, which serves reads again.
const endAfter = (error: LedgerError, close: () => Promise<void>): Promise<void> => {
  reportProblem(error.message, error.cause);
  process.exitCode = 1;
  return closeOn('the server ends', close);
};

/** How long a start that a signal ends may take to close what it has opened. */
const START_CLOSE_MS_MAX = 2_000;

// Steps of a start that don't wait for the chain may go on for longer.
const endStart = async (opening: Promise<Server> | undefined, endAtOnce: () => void): Promise<void> => {
  const closed = opening?.then(({ close }) => close()).catch(() => undefined);
  await Promise.race([closed, sleep(START_CLOSE_MS_MAX)]);
  endAtOnce();
};

/**
 * Runs the server with the settings of this process. Resolves when it answers; it then runs until SIGINT or SIGTERM. A
 * signal during the start ends the start, and then the process by this signal. When the engine of the embedded chain
 * has ended too often, the process ends with exit code 1. `secretFile` is the path of a new file for the secret of the
 * first tenant; without it the secret is printed.
 */
export const runServer = async ({ secretFile }: { secretFile?: string }): Promise<void> => {
  const config = readConfig();
  const onEnd = new DisposableStack();
  const ending = new AbortController();
  let opening: Promise<Server> | undefined;
  let server: Server | undefined;
  let firstTenant: DeliveredTenant | undefined;
  const givenUp = Promise.withResolvers<LedgerError>();
  onStopSignal(
    (signal, endAtOnce) => {
      if (server !== undefined) closeOn(signal, server.close);
      else {
        reportLine(`${signal}: the start ends; npm start continues it`);
        ending.abort();
        void endStart(opening, endAtOnce);
      }
    },
    () => onEnd.dispose(),
  );
  closeOnUncaught(async () => {
    await server?.close();
    onEnd.dispose();
  });
  try {
    opening = openServer({
      config,
      secretFile: secretFile === undefined ? undefined : resolve(secretFile),
      onFirstTenant: (tenant) => {
        firstTenant = tenant;
      },
      onEngineGivenUp: givenUp.resolve,
      isAtTerminal: process.stdout.isTTY === true,
      ending: ending.signal,
      onEnd,
    });
    const opened = await opening;
    if (ending.signal.aborted) return;
    server = opened;
    const { url, hasPages, openSignInLink, close } = server;
    void givenUp.promise.then((cause) => endAfter(cause, close));
    const signInLink = firstTenant && openSignInLink?.(firstTenant.clientId);
    printStart({ url, dataDir: config.dataDir, hasPages, signInLink });
    if (secretFile !== undefined && firstTenant === undefined)
      reportLine(explainNoEffect(config.ledgerContract !== undefined));
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    // Last, so that nothing scrolls it away, and even if the start fails after the tenant was created.
    if (firstTenant !== undefined) printTenant(firstTenant, config.dataDir);
  }
};
