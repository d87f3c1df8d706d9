// Accepts that the newest records have times after those of the clock, because it was ahead when they were accepted.
import { createInterface } from 'node:readline/promises';
import { createOutbox } from '../../chain/writing/outbox.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { readAcceptedMs, writeAcceptance } from '../checks/clockAcceptance.ts';
import { toNewestMs, toUnaccepted } from '../checks/clockCheck.ts';
import { console, thisProcess } from '../commandProcess.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { readWrittenTimes } from '../ledgerClock.ts';
import { readConfig } from '../settings/config.ts';
import { LEDGER_LIMITS } from '../settings/installationLimits.ts';
import { reportProblem } from '../watching/reports.ts';
import { sendCommand } from './controlClient.ts';
import { openUnconfirmedChainForOperator } from './ledgerForOperator.ts';

const QUESTION =
  'From now on records get the times of this clock, so that new ones seem older than the newest. If the clock is wrong, ' +
  'correct it (NTP) instead. Type yes to accept: ';

// The newest written time that nobody has accepted yet; minus infinity when there is none.
const readNewestMs = async (dataDir: string): Promise<number> => {
  await using opened = new AsyncDisposableStack();
  const indexed = opened.adopt(await openUnconfirmedChainForOperator(dataDir), async ({ chain, close }) => {
    chain.stopReplay?.();
    await close();
  });
  const { outbox: directory } = dataPaths(dataDir);
  const entriesMax = LEDGER_LIMITS.outboxEntriesMax;
  const outbox = opened.adopt(await createOutbox({ directory, entriesMax, onProblem: reportProblem }), ({ close }) =>
    close(),
  );
  return toNewestMs(toUnaccepted(readWrittenTimes(outbox, indexed), await readAcceptedMs(dataDir)));
};

// Standard input may be a terminal or a pipe; at its end nothing was answered.
const confirm = async (): Promise<boolean> => {
  const { stdin, stderr } = thisProcess();
  if (stdin === undefined) return false;
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return (await Promise.race([lines.question(QUESTION), ended])).trim().toLowerCase() === 'yes';
  } finally {
    lines.close();
  }
};

/**
 * Prints the clock's time and the newest time that the ledger of the data directory (DATA_DIR) has; asks, unless `yes`;
 * and writes down that the records up to the newest are accepted.
 * @throws Error when a server is running on the directory, when there is no ledger in it, or when nobody accepts.
 */
export const acceptClock = async ({ yes = false }: { yes?: boolean }): Promise<void> => {
  const { dataDir } = readConfig();
  if ((await sendCommand(dataDir, 'info', {})) !== undefined)
    throw new Error(`a server is running on ${dataDir}; stop it first`);
  const newestMs = await readNewestMs(dataDir);
  const nowMs = Date.now();
  if (newestMs <= nowMs) {
    console.log(`the clock shows ${toTimestamp(nowMs)}, and no record or block is later; nothing was changed`);
    return;
  }
  console.log(`the clock shows            ${toTimestamp(nowMs)}`);
  console.log(`the newest record or block ${toTimestamp(newestMs)}`);
  if (!yes && !(await confirm())) throw new Error('nobody typed yes (or use --yes); nothing was changed');
  await writeAcceptance(dataDir, { nowMs, newestMs });
  console.log('accepted; npm start goes on');
};
