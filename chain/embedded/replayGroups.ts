// Puts blocks of the journal into groups that EDR executes in one request. EDR keeps a trace of each execution until
// the request is answered and its answer collected, so a group is limited by the gas that its transactions may use:
// an append of so much gas leaves up to 130 MiB of traces. Any other transaction may leave more, and is alone.
import type { JournalBlock } from './journal/journalBlock.ts';
import { readCall } from './readRecipient.ts';
import { isAppend } from './rpc/appendCalldata.ts';
import type { LedgerAccounts } from './thirdPartyBlocks.ts';

/** Gas limits of the transactions of one group, unless it has one block. */
const GROUP_GAS_MAX = 12_000_000;

// Gas limit of a transaction that appends records; infinite for any other.
const toAppendGas = ({ transaction }: JournalBlock, accounts: LedgerAccounts | undefined): number => {
  const call = readCall(transaction);
  const isOfLedger = call?.to !== undefined && call.to === accounts?.contract;
  return isOfLedger && isAppend(call.data) ? call.gasLimit : Number.POSITIVE_INFINITY;
};

/** The blocks in order, in groups of at least one. Without `accounts`, each block is alone. */
export async function* groupBlocks(
  blocks: AsyncIterable<JournalBlock>,
  accounts: LedgerAccounts | undefined,
): AsyncIterable<readonly JournalBlock[]> {
  let group: JournalBlock[] = [];
  let groupGas = 0;
  for await (const block of blocks) {
    const gas = toAppendGas(block, accounts);
    if (group.length > 0 && groupGas + gas > GROUP_GAS_MAX) {
      yield group;
      group = [];
      groupGas = 0;
    }
    group.push(block);
    groupGas += gas;
  }
  if (group.length > 0) yield group;
}
