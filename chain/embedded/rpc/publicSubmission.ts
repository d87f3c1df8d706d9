// Admits and submits third parties' transactions.
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import type { ProducedTransaction, TryFirst } from '../blockProducer.ts';
import { classifyTransaction, looksLikeLedgerTransaction } from './classifyTransaction.ts';
import { runsLedgerOnly } from './executionGas.ts';
import type { PublicChain } from './publicChain.ts';
import { executeCall } from './publicExecution.ts';
import type { GasBudget } from './publicGas.ts';
import { assertParamCount, decodeBytesParam } from './publicParams.ts';
import { decodeTransaction, type PublicTransaction } from './publicTransaction.ts';

const assertGasLimit = async (chain: PublicChain, { gasLimit, execution }: PublicTransaction): Promise<void> => {
  const gasMax = await chain.executionGas.fetchGasMax(execution, chain.executionReads);
  if (gasLimit <= gasMax) return;
  throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, `gas limit ${gasLimit} is over this node's limit now: ${gasMax}`);
};

// What the sandbox executes while a transaction has its turn, and whether it has executed anything.
const createTrials = ({ sandbox }: PublicChain) => {
  let hasRun = false;
  const watch =
    <P extends unknown[], T>(run: (...parameters: P) => Promise<T>) =>
    async (...parameters: P): Promise<T> => {
      try {
        const result = await run(...parameters);
        hasRun = true;
        return result;
      } catch (error) {
        hasRun ||= !(error instanceof RpcError && error.code === RPC_CODE.UNAVAILABLE);
        throw error;
      }
    };
  return { hasRun: () => hasRun, tryCall: watch(sandbox.tryCall), tryTransaction: watch(sandbox.tryTransaction) };
};

type Trials = ReturnType<typeof createTrials>;

// Before it is tried, a transaction must fit into one of the budgets.
const admitPublic = async (
  chain: PublicChain,
  transaction: PublicTransaction,
  { tryCall }: Trials,
): Promise<GasBudget> => {
  await assertGasLimit(chain, transaction);
  const { gasLimit } = transaction;
  let budget: GasBudget = 'thirdParty';
  if (looksLikeLedgerTransaction(transaction, await chain.executionReads.fetchLedger())) {
    chain.publicGas.assertAnyLeft(gasLimit);
    budget = await classifyTransaction(transaction, (call) => executeCall(chain, call, tryCall));
  }
  chain.publicGas.assertLeft(budget, gasLimit);
  return budget;
};

const isLedgerTransaction = async (
  { executionReads }: PublicChain,
  { isFree, accessList, execution }: PublicTransaction,
): Promise<boolean> => isFree && accessList.length === 0 && (await runsLedgerOnly(execution, executionReads));

// What may run other code than the ledger's is tried in the sandbox first. While it waits for its turn, an author of
// the ledger may become a contract, so that it is decided again then.
const prepareSandbox = async (chain: PublicChain, transaction: PublicTransaction): Promise<void> => {
  if (!(await chain.read(() => isLedgerTransaction(chain, transaction)))) await chain.sandbox.prepare();
};

// The chain keeps every transaction in memory, and gives none of it back.
const assertMemoryFree = (chain: PublicChain): void => {
  if (!chain.isMemoryReserved()) return;
  const data = { reason: 'MEMORY_RESERVED', retryAfterSeconds: null };
  throw new RpcError(RPC_CODE.LIMIT_EXCEEDED, 'this node has no memory for more transactions; reads go on', data);
};

/** Answers `eth_sendRawTransaction`. */
export const submitPublic = async (chain: PublicChain, params: readonly unknown[]): Promise<string> => {
  assertParamCount(params, 1);
  assertMemoryFree(chain);
  const raw = decodeBytesParam(params[0], 'the transaction');
  const transaction = decodeTransaction(raw, chain.transactionBytesMax);
  const trials = createTrials(chain);
  let budget: GasBudget = 'thirdParty';
  const admit = async (): Promise<TryFirst | undefined> => {
    budget = await admitPublic(chain, transaction, trials);
    if (await isLedgerTransaction(chain, transaction)) return undefined;
    return (timestampSeconds) => trials.tryTransaction(raw, timestampSeconds);
  };
  await prepareSandbox(chain, transaction);
  const submit = async (): Promise<ProducedTransaction> => {
    const produced = await chain.submit(raw, admit).finally(chain.collectAnswers);
    if (produced.isKnown) throw new RpcError(RPC_CODE.REFUSED, 'already known');
    return produced;
  };
  const { hash, gasUsed, outcome } = await submit().catch((error: unknown) => {
    // Its trial kept blocks waiting, though the chain doesn't keep it.
    if (trials.hasRun()) chain.publicGas.spendTrial(transaction.gasLimit);
    throw error;
  });
  // A transaction without logs is a third party's at every replay (chain/embedded/thirdPartyBlocks.ts).
  chain.publicGas.spend(outcome === 'succeeded' ? budget : 'thirdParty', gasUsed);
  return JSON.stringify(hash);
};
