// Shared set-up of the embedded chain's tests: chains in temporary directories, an account without a balance, and two
// contracts assembled by hand: one that emits a `RecordAppended` log of its calldata, one that reverts with a custom
// error.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AbiCoder, concat, getCreateAddress, type HDNodeWallet, Wallet, zeroPadValue } from 'ethers';
import {
  createEmbeddedChain,
  type EmbeddedChain,
  type EmbeddedChainOptions,
} from '../../../chain/embedded/embeddedChain.ts';
import { RECORD_APPENDED_TOPIC } from '../../../chain/recordLog.ts';
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';

export const CHAIN_ID = 7_331;
export const START_MS = Date.UTC(2026, 0, 1);

type Options = Partial<EmbeddedChainOptions>;

/** Chains and directories of one test file; `clean` closes and removes all of them. */
export const createChains = () => {
  const directories: string[] = [];
  const chains: EmbeddedChain[] = [];
  return {
    makeDirectory: async (): Promise<string> => {
      const directory = await mkdtemp(path.join(tmpdir(), 'embedded-chain-'));
      directories.push(directory);
      return directory;
    },
    start: async (directory: string, options: Options = {}): Promise<EmbeddedChain> => {
      const chain = await createEmbeddedChain({ directory, chainId: CHAIN_ID, now: () => START_MS, ...options });
      chains.push(chain);
      return chain;
    },
    clean: async (): Promise<void> => {
      await Promise.all(chains.splice(0).map((chain) => chain.close()));
      await Promise.all(directories.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
    },
  };
};

export type Chains = ReturnType<typeof createChains>;

export const createAccount = (): HDNodeWallet => Wallet.createRandom();

/** A signed raw transaction that pays nothing for its gas. */
export const signRaw = async (
  account: HDNodeWallet | Wallet,
  nonce: number,
  fields: { to?: string; data?: string; gasLimit?: number; gasPrice?: number; chainId?: number } = {},
): Promise<Uint8Array> => {
  const signed = await account.signTransaction({
    type: 0,
    chainId: CHAIN_ID,
    gasPrice: 0,
    gasLimit: 1_000_000,
    nonce,
    to: account.address,
    ...fields,
  });
  return fromHex(signed);
};

// PUSH1 n, DUP1, PUSH1 9, PUSH0, CODECOPY, PUSH0, RETURN: returns the n bytes after it.
const toCreationCode = (runtime: string): Hex => {
  const length = (runtime.length / 2).toString(16).padStart(2, '0');
  return `0x60${length}8060095f395ff3${runtime}`;
};

// Topics from the first three words of the calldata, data from the rest.
export const EMITTER_CODE = toCreationCode(
  `6040356020355f357f${RECORD_APPENDED_TOPIC.slice(2)}606036038060605f375fa400`,
);

/** `error Refused()` */
export const REVERTER_CODE = toCreationCode('638ac5ff0b5f526004601cfd');

export const toAddress = (account: { address: string }, nonce: number): Hex =>
  getCreateAddress({ from: account.address, nonce }).toLowerCase() as Hex;

export interface RecordFields {
  readonly tenantKey: string;
  readonly streamKey: string;
  readonly recordKey: string;
  readonly author: string;
  readonly sequence: number;
  readonly digest: string;
  readonly head: string;
  readonly payload: Uint8Array;
}

export const aRecord = (fields: Partial<RecordFields> = {}): RecordFields => ({
  tenantKey: `0x${'11'.repeat(32)}`,
  streamKey: `0x${'22'.repeat(32)}`,
  recordKey: `0x${'33'.repeat(32)}`,
  author: `0x${'44'.repeat(20)}`,
  sequence: 1,
  digest: `0x${'55'.repeat(32)}`,
  head: `0x${'66'.repeat(28)}`,
  payload: Buffer.from('payload'),
  ...fields,
});

/** Data of a `RecordAppended` log as ethers encodes it. */
export const encodeRecordData = (record: RecordFields): string =>
  AbiCoder.defaultAbiCoder().encode(
    ['address', 'uint32', 'bytes32', 'bytes28', 'bytes'],
    [record.author, record.sequence, record.digest, record.head, record.payload],
  );

/** Calldata with which the emitter emits the record. */
export const toEmitterCall = (record: RecordFields): string =>
  concat([
    ...[record.tenantKey, record.streamKey, record.recordKey].map((key) => zeroPadValue(key, 32)),
    encodeRecordData(record),
  ]);
