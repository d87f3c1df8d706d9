// The contract of another commit and this one's, on one chain of the server's own configuration, and transactions to
// them.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Interface, type InterfaceAbi, keccak256, Transaction, toUtf8Bytes, Wallet } from 'ethers';
import { createEdr, type Edr } from '../../chain/embedded/edr.ts';
import { createGenesisConfig } from '../../chain/embedded/genesis.ts';
import { LEDGER_ARTIFACT } from '../../host/files/ledgerArtifact.ts';
import { type BenchRecord, payloadOfBytes } from '../gas/gasLedger.ts';
import { APPEND } from '../gas/typedDataTypes.ts';

/** A function that appends. */
export type AppendFunction = 'append' | 'appendSigned';

/** What the embedded chain needed for one transaction. */
export interface TransactionCost {
  readonly gas: number;
  /** CPU time of all threads but the main thread. EDR has its own. */
  readonly edrCpuMs: number;
}

/** One of the two contracts. */
export interface DeployedContract {
  /** Encodes and signs a transaction of records that no earlier one had, with one author. */
  prepare(name: AppendFunction, count: number): Promise<string>;
  /** Sends it. Rejects when it reverts. */
  send(transaction: string): Promise<TransactionCost & { hash: string }>;
  /** Number of EVM steps of a transaction that was sent. */
  countSteps(hash: string): Promise<number>;
}

interface Artifact {
  readonly abi: InterfaceAbi;
  readonly bytecode: string;
}

const CHAIN_ID = 31_337;
const PAYLOAD_BYTES = 600;
const STREAMS = 50;
const GAS_LIMIT = 60_000_000;
// Any key: the author of all records, and the sender of all transactions.
const WALLET = new Wallet(`0x${'11'.repeat(32)}`);
const TENANT = keccak256(toUtf8Bytes('tenant/bench'));

const readOwnArtifact = async (): Promise<Artifact> => JSON.parse(await readFile(LEDGER_ARTIFACT, 'utf8')) as Artifact;

const readArtifactOf = (commit: string): Artifact => {
  const name = `${commit}:contracts/artifact/ProvenanceLedger.json`;
  const cwd = new URL('../..', import.meta.url);
  return JSON.parse(execFileSync('git', ['show', name], { cwd, encoding: 'utf8' })) as Artifact;
};

const sign = (nonce: number, data: string, to?: string): string => {
  const fields = { chainId: CHAIN_ID, nonce, gasLimit: GAS_LIMIT, maxFeePerGas: 0, maxPriorityFeePerGas: 0, data };
  const transaction = Transaction.from({ type: 2, ...fields, ...(to === undefined ? {} : { to }) });
  transaction.signature = WALLET.signingKey.sign(transaction.unsignedHash);
  return transaction.serialized;
};

const readOtherThreadsMs = (): number => {
  const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
  return (all.user + all.system - main.user - main.system) / 1_000;
};

const createSender = (edr: Edr) => {
  let nonce = 0;
  const send = async (transaction: string) => {
    const before = readOtherThreadsMs();
    const hash = (await edr.request('eth_sendRawTransaction', [transaction])) as string;
    const edrCpuMs = readOtherThreadsMs() - before;
    const receipt = (await edr.request('eth_getTransactionReceipt', [hash])) as Record<string, string>;
    if (receipt.status !== '0x1') throw new Error(`the transaction ${hash} reverts`);
    return { hash, gas: Number(receipt.gasUsed), edrCpuMs, contractAddress: receipt.contractAddress! };
  };
  const prepare = (data: string, to?: string): string => {
    const transaction = sign(nonce, data, to);
    nonce += 1;
    return transaction;
  };
  return { send, prepare };
};

// Records of 600 bytes over 50 streams, numbered from 0 on.
const createRecords = () => {
  let next = 0;
  return (count: number): BenchRecord[] =>
    Array.from({ length: count }, () => {
      const number = next;
      next += 1;
      const [stream, id] = [`assets/${number % STREAMS}`, `events/${number}`].map((text) =>
        keccak256(toUtf8Bytes(text)),
      );
      return { stream, id, payload: payloadOfBytes(PAYLOAD_BYTES) } as BenchRecord;
    });
};

const signRecords = async (contract: string, records: readonly BenchRecord[]) => {
  const author = WALLET.address;
  const domain = { name: 'ProvenanceLedger', version: '1', chainId: CHAIN_ID, verifyingContract: contract };
  const message = { records: records.map((record) => ({ tenant: TENANT, author, ...record })) };
  return { tenant: TENANT, author, records, signature: await WALLET.signTypedData(domain, APPEND, message) };
};

const deploy = async (
  edr: Edr,
  { send, prepare }: ReturnType<typeof createSender>,
  { abi, bytecode }: Artifact,
): Promise<DeployedContract> => {
  const contract = new Interface(abi);
  const { contractAddress } = await send(prepare(`${bytecode}${contract.encodeDeploy([WALLET.address]).slice(2)}`));
  for (const call of ['admitTenant', 'addWriter'])
    await send(prepare(contract.encodeFunctionData(call, [TENANT, WALLET.address]), contractAddress));
  const takeRecords = createRecords();
  return {
    prepare: async (call, count) => {
      const records = takeRecords(count);
      const values = call === 'append' ? [TENANT, records] : [[await signRecords(contractAddress, records)]];
      return prepare(contract.encodeFunctionData(call, values), contractAddress);
    },
    send,
    countSteps: async (hash) => {
      const without = { disableMemory: true, disableStack: true, disableStorage: true };
      const trace = (await edr.request('debug_traceTransaction', [hash, without])) as { structLogs: unknown[] };
      return trace.structLogs.length;
    },
  };
};

/** Starts a chain and deploys the contract of a commit, and this one's, each with one tenant and one writer. */
export const deployBoth = async (commit: string): Promise<readonly [DeployedContract, DeployedContract]> => {
  const edr = await createEdr(createGenesisConfig(CHAIN_ID, Math.floor(Date.now() / 1_000)));
  const sender = createSender(edr);
  return [await deploy(edr, sender, readArtifactOf(commit)), await deploy(edr, sender, await readOwnArtifact())];
};
