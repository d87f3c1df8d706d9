// What a third party can verify about one asset with an RPC endpoint alone.
import type { RpcRequest } from '../../chain/jsonRpc/rpcRequest.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';

interface CheckedLog {
  readonly id: Hex;
  readonly digest: Hex;
  readonly sequence: bigint;
}

/** The logs of an asset's stream, in order, and the contract's answer about their completeness. */
export interface StreamCheck {
  readonly recordKeys: Hex[];
  /** Answer of `verifyHistory` to the digests of those logs. */
  readonly isComplete: boolean;
}

/** Reads the logs of one asset and verifies with the contract that they are its complete history. */
export const checkStream = async (
  request: RpcRequest,
  contract: Hex,
  tenantIdentity: string,
  assetIdentity: string,
): Promise<StreamCheck> => {
  const [tenant, stream] = [toHex(toKey(tenantIdentity)), toHex(toKey(assetIdentity))];
  const topics = [ledgerInterface.getEvent('RecordAppended')!.topicHash, tenant, stream];
  const logs = (await request('eth_getLogs', [{ address: contract, fromBlock: '0x0', toBlock: 'latest', topics }])) as {
    topics: string[];
    data: string;
  }[];
  const appended = logs.map((log) => ledgerInterface.parseLog(log)!.args as unknown as CheckedLog);
  const data = ledgerInterface.encodeFunctionData('verifyHistory', [
    tenant,
    stream,
    appended.map(({ digest }) => digest),
  ]);
  const result = (await request('eth_call', [{ to: contract, data }, 'latest'])) as Hex;
  return {
    recordKeys: appended.map(({ id }) => id),
    isComplete: ledgerInterface.decodeFunctionResult('verifyHistory', result)[0] as boolean,
  };
};
