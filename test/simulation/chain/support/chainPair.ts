// The real engine and the simulated one with the same configuration and requests: the tests compare their answers.
import { expect } from 'chai';
import { createEdr, type Edr } from '../../../../chain/embedded/edr.ts';
import { createGenesisConfig } from '../../../../chain/embedded/genesis.ts';
import { RpcError } from '../../../../chain/jsonRpc/rpcError.ts';
import { createWallet, type Wallet } from '../../../../chain/wallet.ts';
import { signTransaction, type TransactionFields } from '../../../../chain/writing/signTransaction.ts';
import { readLedgerBytecode } from '../../../../host/files/ledgerArtifact.ts';
import { fromHex, type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { createEdr as createSimulatedEdr } from '../edr.ts';

export const CHAIN_ID = 7_331;
export const START_SECONDS = 1_760_000_000;
const EMPTY = new Uint8Array(0);
const FREE = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

const bytecode = await readLedgerBytecode();

/** A wallet whose key is this byte, 32 times. */
export const walletOf = (byte: number): Wallet => createWallet(new Uint8Array(32).fill(byte));

/** Data that creates the ledger contract for an administrator. */
export const toCreation = (administrator: Wallet): Uint8Array =>
  Buffer.concat([fromHex(bytecode), new Uint8Array(12), administrator.addressBytes]);

/** A signed transaction that pays nothing, with a gas limit that suffices for anything. */
export const signFree = (wallet: Wallet, nonce: number, fields: Partial<TransactionFields>): Hex => {
  const defaults = { chainId: CHAIN_ID, gasLimit: 30_000_000, fees: FREE, to: undefined, data: EMPTY };
  return toHex(signTransaction({ ...defaults, nonce, ...fields }, wallet));
};

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly data: unknown } };

const answerOf = async (asked: Promise<unknown>): Promise<Answer> => {
  try {
    return { result: await asked };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { error: { code: error.code, data: error.data } };
  }
};

/** Both engines. */
export interface ChainPair {
  readonly real: Edr;
  readonly simulated: Edr;
  /** Asks both and returns the answers: of the real one, of the simulated one. */
  ask(method: string, params: readonly unknown[]): Promise<readonly [Answer, Answer]>;
  /** Asks both and expects the same result, or an error of the same code and data. */
  askSame(method: string, params: readonly unknown[]): Promise<Answer>;
}

/** Both engines at their genesis. */
export const createChainPair = async (): Promise<ChainPair> => {
  const config = createGenesisConfig(CHAIN_ID, START_SECONDS);
  const [real, simulated] = await Promise.all([createEdr(config), createSimulatedEdr(config)]);
  const ask: ChainPair['ask'] = (method, params) =>
    Promise.all([answerOf(real.request(method, params)), answerOf(simulated.request(method, params))]);
  return {
    real,
    simulated,
    ask,
    askSame: async (method, params) => {
      const [expected, actual] = await ask(method, params);
      expect(actual, `${method} ${JSON.stringify(params).slice(0, 500)}`).to.deep.equal(expected);
      return actual;
    },
  };
};
