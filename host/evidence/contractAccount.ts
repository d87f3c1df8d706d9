// The proof of the contract's account, which shows its code: made soon after the deployment and kept in the file
// `account.json` of the log, because nodes, and the embedded chain too, keep the states of their newest blocks alone.
import { join } from 'node:path';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { ACCOUNT_FILE, readText } from '../../chain/blockLog/logFiles.ts';
import { isProvenAccount } from '../../chain/evidence/accountProof.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import type { LedgerChain } from '../indexedChain.ts';
import { fetchNumberedBlock } from './logProofs.ts';

/** The contract's account in the state after a block. */
export interface KnownAccount {
  readonly blockNumber: number;
  /** Nodes of the trie from the state root to the account. */
  readonly nodes: readonly Uint8Array[];
}

/** Keeps the proof of the contract's account. */
export interface ContractAccount {
  /** The proof; undefined while there is none. */
  find(): KnownAccount | undefined;
  /**
   * Makes the proof unless there is one, or the last attempt failed a short time ago. Resolves after the attempt. A
   * failure is reported once, and changes nothing.
   */
  prove(): Promise<void>;
  /** Nothing is written or reported from now on. */
  stop(): void;
}

/** Options of `createContractAccount`. */
export interface ContractAccountOptions {
  /** Of the log. */
  readonly directory: string;
  readonly chain: Pick<LedgerChain, 'fetchAccountNodes' | 'fetchBlockHash' | 'fetchEvidenceBlock' | 'fetchFinalHead'>;
  readonly contract: Hex;
  readonly deploymentBlock: number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsedMs: () => number;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

/** A node that doesn't answer this request answers no other one meanwhile. */
const PAUSE_MS = 600_000;

const parse = (text: string): KnownAccount => {
  const { block_number: blockNumber, nodes } = JSON.parse(text) as { block_number: number; nodes: string[] };
  if (!Number.isSafeInteger(blockNumber)) throw new Error('no number of a block');
  return { blockNumber, nodes: nodes.map(fromBase64) };
};

const writeProof = async (directory: string, { blockNumber, nodes }: KnownAccount): Promise<void> => {
  const files = createDurableFiles(directory);
  await files.write(ACCOUNT_FILE, `${JSON.stringify({ block_number: blockNumber, nodes: nodes.map(toBase64) })}\n`);
  await files.syncNames();
};

// The file's proof counts when it leads to the state of its block.
const readProof = async (options: ContractAccountOptions): Promise<KnownAccount | undefined> => {
  const { directory, chain, contract, onProblem } = options;
  const text = await readText(join(directory, ACCOUNT_FILE));
  if (text === undefined) return undefined;
  try {
    const known = parse(text);
    const block = await fetchNumberedBlock(chain, known.blockNumber);
    if (isProvenAccount(block, contract, known.nodes)) return known;
  } catch (cause) {
    if (cause instanceof LedgerError) throw cause;
  }
  onProblem(`log/${ACCOUNT_FILE} is damaged, and is made again`);
  return undefined;
};

// The state of the deployment is small, so its proof is; nodes that don't keep it may have the newest one.
const fetchProof = async ({ chain, contract, deploymentBlock }: ContractAccountOptions): Promise<KnownAccount> => {
  const prove = async (number: number): Promise<KnownAccount> => {
    const { hash } = await fetchNumberedBlock(chain, number);
    return { blockNumber: number, nodes: await chain.fetchAccountNodes(contract, { number, hash }) };
  };
  return prove(deploymentBlock).catch(async () => prove((await chain.fetchFinalHead()).number));
};

/** The proof of a contract's account, which isn't read or made yet. */
export const createContractAccount = (options: ContractAccountOptions): ContractAccount => {
  const { directory, elapsedMs, onProblem } = options;
  let known: KnownAccount | undefined;
  let isReported = false;
  let isStopped = false;
  let attempt: Promise<void> | undefined;
  let nextMs = Number.NEGATIVE_INFINITY;

  const report: ContractAccountOptions['onProblem'] = (message, cause) => {
    if (!isStopped) onProblem(message, cause);
  };

  const run = async (): Promise<void> => {
    try {
      known = await readProof({ ...options, onProblem: report });
      if (known !== undefined) return;
      const proof = await fetchProof(options);
      if (isStopped) return;
      await writeProof(directory, proof);
      known = proof;
    } catch (cause) {
      if (!isReported) report("no node proves the contract's code, so evidence can't show it", cause);
      isReported = true;
      nextMs = elapsedMs() + PAUSE_MS;
    }
  };

  return {
    find: () => known,
    prove: async () => {
      if (known !== undefined || isStopped || (attempt === undefined && elapsedMs() < nextMs)) return;
      attempt ??= run().finally(() => {
        attempt = undefined;
      });
      await attempt;
    },
    stop: () => {
      isStopped = true;
    },
  };
};
