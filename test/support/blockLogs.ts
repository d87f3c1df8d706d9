// A block log over a chain of numbers: the hash of a block follows from its number.
import { type BlockLogOptions, openBlockLog } from '../../chain/blockLog/blockLog.ts';
import { createCheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { hashLeaf, toRoot } from '../../ledger/evidence/merkleTree.ts';
import { sha256 } from '../../ledger/evidence/sha256.ts';

export const ORIGIN = 'ledger.example/1/0xc0';
export const SIGNER = createCheckpointSigner(ORIGIN, Buffer.alloc(32, 7));

/** The blocks 0 to `head`; the hashes of different forks differ from block `forkedAt` on. */
export interface NumberedChain {
  head: number;
  fork: string;
  forkedAt: number;
}

export const hashOfBlock = ({ fork, forkedAt }: NumberedChain, number: number): Uint8Array =>
  sha256(Buffer.from(`${number < forkedAt ? '' : fork}${number}`));

/** A chain without forks. */
export const createNumberedChain = (head = 0): NumberedChain => ({
  head,
  fork: '',
  forkedAt: Number.POSITIVE_INFINITY,
});

/** Opens the log of a directory over this chain. */
export const openNumberedLog = (
  directory: string,
  chain: NumberedChain,
  options: Partial<Pick<BlockLogOptions, 'firstBlock' | 'signer' | 'now'>> = {},
) =>
  openBlockLog({
    directory,
    firstBlock: 0,
    signer: SIGNER,
    now: () => 1_000_000,
    ...options,
    chain: {
      fetchFinalHead: async () => ({ number: chain.head, hash: toHex(hashOfBlock(chain, chain.head)) }),
      fetchBlockHash: async (number) => (number > chain.head ? undefined : toHex(hashOfBlock(chain, number))),
    },
  });

/** Root of the tree over the blocks `first` to `last`. */
export const toNaiveRoot = (chain: NumberedChain, first: number, last: number): Uint8Array =>
  toRoot(Array.from({ length: last - first + 1 }, (_, at) => hashLeaf(hashOfBlock(chain, first + at))));
