// Executes third parties' calls: in the sandbox, unless they run the ledger's code only.
import type { createSerialQueue } from '../../writing/serialQueue.ts';
import type { CallParam } from './boundPayment.ts';
import { runsLedgerOnly } from './executionGas.ts';
import type { Execution } from './intrinsicGas.ts';
import { boundState, type PublicChain } from './publicChain.ts';
import { boundCall, toExecution } from './publicParams.ts';
import type { RunWork } from './rpcWork.ts';

type RunSerially = ReturnType<typeof createSerialQueue>;

/** Members of a call that the engine is given to execute it; any other is an addition that a call can do without. */
const PLAIN: ReadonlySet<string> = new Set(['to', 'from', 'data', 'gas']);
const NOTHING: ReadonlySet<unknown> = new Set([undefined, null, '0x0']);

const isNothing = (value: unknown): boolean => NOTHING.has(value) || (Array.isArray(value) && value.length === 0);
const isPlain = (call: CallParam): boolean =>
  Object.entries(call).every(([name, value]) => PLAIN.has(name) || isNothing(value));

// Whether a bounded call runs the ledger's code only, with nothing in it but the data.
const isLedgerCall = async ({ executionReads }: PublicChain, call: CallParam): Promise<boolean> =>
  isPlain(call) && runsLedgerOnly(toExecution(call), executionReads);

/** Executes a bounded `eth_call` on the newest state while a transaction is admitted; `tryCall` as the sandbox's. */
export const executeCall = async (
  chain: PublicChain,
  call: CallParam,
  tryCall: PublicChain['sandbox']['tryCall'],
): Promise<string> => {
  if (await isLedgerCall(chain, call)) return chain.request('eth_call', [call, 'latest']);
  return tryCall(call);
};

/** The answer, or the call that the sandbox has to answer. */
type Begun = { readonly text: string } | { readonly callSandbox: () => Promise<string> };

// Doesn't wait for the sandbox, which so keeps neither blocks nor calls of the ledger waiting.
const begin = async (chain: PublicChain, method: string, params: readonly unknown[]): Promise<Begun> => {
  const fetchGasMax = (execution: Execution) => chain.executionGas.fetchGasMax(execution, chain.executionReads);
  const [call, block] = await boundState(chain, await boundCall(params, fetchGasMax), 1);
  if (await isLedgerCall(chain, call as CallParam)) return { text: await chain.request(method, [call, block]) };
  const { number: head } = await chain.fetchFinalHead();
  const number = block === 'latest' || block === 'pending' ? head : Number(block);
  return { callSandbox: () => chain.sandbox.call(method, call, { number, isPending: block === 'pending' }) };
};

/**
 * Answers the methods that execute a call: one at a time in this process, so that together they use the memory of one;
 * the sandbox executes one at a time as well.
 */
export const createExecute = (chain: PublicChain, runSerially: RunSerially) => {
  const execute = async (method: string, params: readonly unknown[], run: RunWork): Promise<string> => {
    try {
      const begun = await run('executions', () => runSerially(() => chain.read(() => begin(chain, method, params))));
      return 'text' in begun ? begun.text : await run('sandbox', begun.callSandbox);
    } finally {
      await chain.collectAnswers();
    }
  };
  return (method: string) =>
    (params: readonly unknown[], run: RunWork): Promise<string> =>
      execute(method, params, run);
};
