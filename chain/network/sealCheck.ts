// The seals of final blocks on QBFT and IBFT 2.0: two thirds of the validators must have sealed a block, so no node can
// name another one as final. Who validates is a setting. A header names the validators itself, but who seals it with
// keys of his own would name himself; where a contract chooses them, it names none.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toBftQuorum } from '../../ledger/evidence/bftSeals.ts';
import { readHeaderSeals } from '../../ledger/evidence/blockHash.ts';
import { findSealers } from '../../ledger/evidence/sealers.ts';
import { refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { assertHolds, FalseAnswer } from '../jsonRpc/falseAnswer.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import { recoverPublicKey } from '../nodeReport/consensus/publicKey.ts';
import type { BlockRef } from '../port.ts';
import { decodeHashedHeader } from './decodeHeader.ts';

/** @throws FalseAnswer unless the validators sealed the block, which the node names as final. */
export type AssertSealed = (client: JsonRpcClient, block: BlockRef) => Promise<void>;

const isSame = (one: BlockRef, other: BlockRef): boolean => one.number === other.number && one.hash === other.hash;

/** A check by these validators, lower-case addresses. Block 0 has no seals and must have the chain's hash. */
export const createSealCheck = (validators: readonly Hex[], genesisHash: Hex): AssertSealed => {
  const needed = toBftQuorum(validators.length);
  const genesis: BlockRef = { number: 0, hash: genesisHash };
  let sealed = genesis;
  return async (client, named) => {
    if (isSame(named, sealed) || isSame(named, genesis)) return;
    const { number, hash } = named;
    const answer = await client.request('eth_getBlockByNumber', [toQuantity(number), false]);
    if (answer === null) throw refuseAnswer(client, `no block ${number}`);
    const block = decodeHashedHeader(client, answer, number, undefined);
    if (block.hash !== hash) throw refuseAnswer(client, `another block ${number} than before`);
    const seals = readHeaderSeals(block.header, block.rule);
    if (seals === undefined)
      throw new FalseAnswer(client, `block ${number} is none of QBFT or IBFT 2.0, as CHAIN_VALIDATORS requires`);
    const { length } = findSealers(seals, validators, recoverPublicKey);
    const problem = `block ${number} has seals of ${length} validators of CHAIN_VALIDATORS, ${needed} of ${validators.length} are needed`;
    assertHolds(client, length >= needed, problem);
    sealed = { number, hash };
  };
};
