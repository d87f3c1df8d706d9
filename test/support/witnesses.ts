// A witness of the numbered block log in this process, and the requests that a log sends.
import { createWitness, type Witness } from '../../host/witness/witness.ts';
import { openWitnessKey } from '../../host/witness/witnessKey.ts';
import { openWitnessState, type WitnessState } from '../../host/witness/witnessState.ts';
import { encodeAddCheckpoint } from '../../ledger/evidence/addCheckpoint.ts';
import { planConsistency, toProof } from '../../ledger/evidence/merkleProof.ts';
import { hashLeaf, type NodePosition, toRoot } from '../../ledger/evidence/merkleTree.ts';
import type { VerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { hashOfBlock, type NumberedChain, SIGNER, toNaiveRoot } from './blockLogs.ts';

export const WITNESS_NAME = 'witness.example/w';

/** A witness, and what it has cosigned. */
export interface TestWitness extends Witness {
  readonly state: WitnessState;
  readonly verifier: VerifierKey;
}

/** Opens the witness of a directory, which follows the numbered log. */
export const openTestWitness = async (
  directory: string,
  {
    logs = [SIGNER.logKey],
    nowSeconds = () => 1_000,
  }: { logs?: readonly VerifierKey[]; nowSeconds?: () => number } = {},
): Promise<TestWitness> => {
  const key = await openWitnessKey(directory, WITNESS_NAME);
  const state = await openWitnessState(directory, key.verifier);
  const witness = createWitness({ key, logs, state, now: () => nowSeconds() * 1_000 });
  return { ...witness, state, verifier: key.verifier };
};

const leafHash = (chain: NumberedChain, at: number): Uint8Array => hashLeaf(hashOfBlock(chain, at));

/** The proof that the first `to` blocks of a chain begin with the first `from`. */
export const proveBlocks = (chain: NumberedChain, from: number, to: number): Uint8Array[] =>
  toProof(planConsistency(from, to), ({ level, index }: NodePosition) =>
    toRoot(Array.from({ length: 2 ** level }, (_, at) => leafHash(chain, index * 2 ** level + at))),
  );

/** The note of the first `size` blocks of a chain. */
export const signBlocks = (chain: NumberedChain, size: number, signer = SIGNER): string =>
  signer.sign({ size, root: toNaiveRoot(chain, 0, size - 1) }, 1_000);

/** The request of an honest log. */
export const toAddCheckpoint = (chain: NumberedChain, oldSize: number, size: number): string =>
  encodeAddCheckpoint({ oldSize, proof: proveBlocks(chain, oldSize, size), checkpoint: signBlocks(chain, size) });
