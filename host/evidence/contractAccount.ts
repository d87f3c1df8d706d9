// The proof of the contract's account, which shows its code: made soon after the deployment and kept in the file
// `account.json` of the log, because nodes, and the embedded chain too, keep the states of their newest blocks alone.
import { join } from 'node:path';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { ACCOUNT_FILE, readText, refuseLog } from '../../chain/blockLog/logFiles.ts';
import { fetchAccountNodes } from '../../chain/evidence/accountProof.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
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
  /** Makes the proof unless there is one. A failure is reported once, and changes nothing. */
  prove(): Promise<void>;
}

/** Options of `openContractAccount`. */
export interface ContractAccountOptions {
  /** Of the log. */
  readonly directory: string;
  readonly chain: Pick<LedgerChain, 'fetchBlockHash' | 'fetchEvidenceBlock' | 'fetchFinalHead' | 'request'>;
  readonly contract: Hex;
  readonly deploymentBlock: number;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

const parse = (text: string): KnownAccount => {
  const { block_number: blockNumber, nodes } = JSON.parse(text) as { block_number: number; nodes: string[] };
  if (!Number.isSafeInteger(blockNumber)) throw new Error('no number of a block');
  return { blockNumber, nodes: nodes.map(fromBase64) };
};

const readProof = async (directory: string): Promise<KnownAccount | undefined> => {
  const text = await readText(join(directory, ACCOUNT_FILE));
  try {
    return text === undefined ? undefined : parse(text);
  } catch (cause) {
    throw refuseLog(`log/${ACCOUNT_FILE} is damaged`, undefined, cause);
  }
};

const writeProof = async (directory: string, { blockNumber, nodes }: KnownAccount): Promise<void> => {
  const files = createDurableFiles(directory);
  await files.write(ACCOUNT_FILE, `${JSON.stringify({ block_number: blockNumber, nodes: nodes.map(toBase64) })}\n`);
  await files.syncNames();
};

// The state of the deployment is small, so its proof is; a node that doesn't keep it may have the newest one.
const fetchProof = async ({ chain, contract, deploymentBlock }: ContractAccountOptions): Promise<KnownAccount> => {
  const prove = async (blockNumber: number): Promise<KnownAccount> => {
    const block = await fetchNumberedBlock(chain, blockNumber);
    return { blockNumber, nodes: await fetchAccountNodes(chain.request, contract, block) };
  };
  return prove(deploymentBlock).catch(async () => prove((await chain.fetchFinalHead()).number));
};

/**
 * Opens the proof of a contract's account.
 * @throws LedgerError LOG_CORRUPT when its file is damaged.
 */
export const openContractAccount = async (options: ContractAccountOptions): Promise<ContractAccount> => {
  const { directory, onProblem } = options;
  let known = await readProof(directory);
  let isReported = false;
  return {
    find: () => known,
    prove: async () => {
      if (known !== undefined) return;
      try {
        const proof = await fetchProof(options);
        await writeProof(directory, proof);
        known = proof;
      } catch (cause) {
        if (!isReported) onProblem("no node proves the contract's code, so evidence can't show it", cause);
        isReported = true;
      }
    },
  };
};
