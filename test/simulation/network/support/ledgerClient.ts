// A client that appends records to a ledger contract on a simulated network, and reads them back, as the server does:
// with the project's own chain port and sender, and with repetition after every failure.
import { readFileSync } from 'node:fs';
import { getCreateAddress } from 'ethers';
import { ledgerInterface } from '../../../../chain/ledgerAbi.ts';
import type { RpcChain } from '../../../../chain/network/rpcChain.ts';
import type { MinedTransaction } from '../../../../chain/port.ts';
import type { TransactionSender } from '../../../../chain/writing/transactionSender.ts';
import { LEDGER_ARTIFACT } from '../../../../host/files/ledgerArtifact.ts';
import { fromHex, type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../../ledger/errors.ts';
import { toKey } from '../../../../ledger/identity.ts';
import { setTimeout as passTime } from '../../edges/timersPromises.ts';
import type { SimulatedClient } from './simulatedClient.ts';

const TENANT = 'tenant/00000000-0000-4000-8000-00000000000a';
const GAS = 6_000_000;
const RETRY_MS = 250;

/** Repeats a task that fails with an error of the chain, as the committer does. */
export const retry = async <T>(task: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      await passTime(RETRY_MS);
    }
  }
};

const toCalls = (contract: Hex, address: Hex): Call[] => {
  const { bytecode } = JSON.parse(readFileSync(LEDGER_ARTIFACT, 'utf8')) as { bytecode: Hex };
  const tenant = toHex(toKey(TENANT));
  const encode = (name: string): Uint8Array => fromHex(ledgerInterface.encodeFunctionData(name, [tenant, address]));
  return [
    { to: undefined, data: Buffer.concat([fromHex(bytecode), new Uint8Array(12), fromHex(address)]) },
    { to: contract, data: encode('admitTenant') },
    { to: contract, data: encode('addWriter') },
  ];
};

const encodeAppend = (record: string): Uint8Array => {
  const content = [toKey('stream'), toKey(record), Buffer.from(record, 'utf8')];
  return fromHex(ledgerInterface.encodeFunctionData('append', [toKey(TENANT), [content]]));
};

type Call = { readonly to: Hex | undefined; readonly data: Uint8Array };

const transact = (sender: TransactionSender, call: Call): Promise<MinedTransaction> =>
  retry(async () => {
    const mined = await sender.send({ ...call, gasLimit: GAS });
    return retry(() => sender.awaitFinal(mined));
  });

/** Deploys a ledger whose administrator, tenant and author are the client; resolves with its address. */
export const deployLedger = async ({ wallet }: SimulatedClient, sender: TransactionSender): Promise<Hex> => {
  const contract = getCreateAddress({ from: wallet.address, nonce: 0 }).toLowerCase() as Hex;
  for (const call of toCalls(contract, wallet.address)) await transact(sender, call);
  return contract;
};

/** Appends a record in one transaction; resolves when that is final. */
export const appendRecord = (sender: TransactionSender, contract: Hex, record: string): Promise<MinedTransaction> =>
  transact(sender, { to: contract, data: encodeAppend(record) });

/** Keys of the records in a final block, as the chain port reads them. */
export const readKeys = async (chain: RpcChain, contract: Hex, block: number): Promise<string[]> => {
  const logs = await retry(() => chain.fetchRecordLogs({ address: contract, fromBlock: block, toBlock: block }));
  return logs.map(({ recordKey }) => recordKey);
};
