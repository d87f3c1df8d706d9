// Third parties of the embedded chain: they send transactions to the server's JSON-RPC port, and again after its next
// start, until one was mined.
import type { Wallet } from '../../../chain/wallet.ts';
import { signTransaction } from '../../../chain/writing/signTransaction.ts';
import type { Ledger } from '../../../host/openLedger.ts';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import type { Machine } from '../server/machine.ts';
import { theWorld } from '../world/world.ts';
import type { ThirdPartyCall } from './thirdPartyCalls.ts';

const RETRY_MS = 500;
const FREE = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

const transact = async ({ chain }: Ledger, wallet: Wallet, call: ThirdPartyCall): Promise<void> => {
  const nonce = Number(await chain.request('eth_getTransactionCount', [wallet.address, 'latest']));
  const fields = { chainId: chain.chainId, nonce, gasLimit: call.gasLimit, fees: FREE, to: fromHex(call.to) };
  await chain.request('eth_sendRawTransaction', [toHex(signTransaction({ ...fields, data: call.data }, wallet))]);
};

/** Transactions that third parties have begun and not finished. */
export interface ThirdParties {
  /** Sends a transaction of a wallet to the server of a machine until it was mined. */
  send(machine: Machine, transaction: ThirdPartyTransaction): void;
  /** What was begun and is not mined. */
  unfinished(): string[];
}

/** A transaction of a third party; `onMined` is called once. */
export interface ThirdPartyTransaction {
  /** Its name in stories. */
  readonly what: string;
  readonly wallet: Wallet;
  readonly call: ThirdPartyCall;
  readonly onMined?: () => void;
}

/** Third parties of one run. */
export const createThirdParties = (): ThirdParties => {
  const unfinished = new Set<string>();
  const send: ThirdParties['send'] = (machine, transaction) => {
    const { what, wallet, call, onMined } = transaction;
    unfinished.add(what);
    // A second attempt would repeat a transaction that others have changed the ledger after.
    let isOver = false;
    const end = (then: () => void): void => {
      if (!isOver) then();
      isOver = true;
      forget();
    };
    const again = (): void => void theWorld().schedule(RETRY_MS, () => send(machine, transaction));
    const onDone = (): void => {
      theWorld().note('third party', () => what);
      unfinished.delete(what);
      onMined?.();
    };
    const server = machine.server();
    const forget = machine.onEnd(() => end(again));
    if (server === undefined) return end(again);
    const attempt = (): Promise<void> =>
      transact(server.ledger, wallet, call).then(
        () => end(onDone),
        (error: unknown) => {
          theWorld().note('third party', () => `${what}: ${String(error)}`);
          end(again);
        },
      );
    void server.process.run(attempt);
  };
  return { send, unfinished: () => [...unfinished] };
};
