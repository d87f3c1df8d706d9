// Runs an operator command where the databases are: in the running server, which has them open, else in this process.
import { readConfig } from '../settings/config.ts';
import { sendCommand } from './controlClient.ts';
import { assertLedger, openLedgerForOperator } from './ledgerForOperator.ts';
import { createOperatorCommands } from './operatorCommands.ts';

interface RunOptions {
  readonly mayJoin?: boolean;
  readonly mayLackFunds?: boolean;
  readonly onWaiting?: () => void;
}

/**
 * Runs one operator command, in the server of a data directory or, when none is running, on the directory itself.
 * With `mayJoin`, a directory without a ledger joins the one that the settings name. With `mayLackFunds`, the relayer
 * needs a balance only when the command sends a transaction. `onWaiting` is called when it begins to wait for one.
 * @throws Error with the server's message when it refuses, or when there is no ledger in the directory.
 */
export const runOperatorCommand = async <T>(
  dataDir: string,
  name: string,
  input: Record<string, unknown>,
  { mayJoin = false, mayLackFunds = false, onWaiting = () => undefined }: RunOptions = {},
): Promise<T> => {
  const answer = await sendCommand<T>(dataDir, name, input, onWaiting);
  if (answer !== undefined) return answer;
  if (!mayJoin || readConfig().ledgerContract === undefined) assertLedger(dataDir);
  const ledger = await openLedgerForOperator(dataDir, { mayLackFunds });
  try {
    return (await createOperatorCommands(ledger)[name]!(input, onWaiting)) as T;
  } finally {
    await ledger.close();
  }
};
