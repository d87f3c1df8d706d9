// A false chain: all its hashes are right, and it has what no author signed.
import type { RpcChain } from '../../../../chain/network/rpcChain.ts';
import { type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { toKey } from '../../../../ledger/identity.ts';
import type { EmittedLog } from '../../chain/ledgerCall.ts';
import { toBlockLogs } from '../../chain/rpcJson.ts';
import { appendRecord, deployLedger } from './ledgerClient.ts';
import { createSimulatedClient, type SimulatedClient, walletOf } from './simulatedClient.ts';

/** Hexadecimal digits of a word. */
const WORD_DIGITS = 64;

// The log of a record with another key and digest, of the same author.
const toUnsigned = ({ network }: SimulatedClient, contract: Hex, blockNumber: number): EmittedLog => {
  const logs = toBlockLogs(network.tree.canonical.blocks[blockNumber]!);
  const { topics, data } = logs.find(({ address }) => address === contract)!;
  const key = toHex(toKey('unsigned'));
  const digestAt = '0x'.length + 2 * WORD_DIGITS;
  const changed = `${data.slice(0, digestAt)}${key.slice(2)}${data.slice(digestAt + WORD_DIGITS)}` as Hex;
  return { address: contract, topics: (topics as Hex[]).with(3, key), data: changed };
};

/** All nodes are on a chain with a record that its author never signed. */
export const unsigned = async () => {
  const client = createSimulatedClient(13, { nodes: 3 });
  const { network, wallet } = client;
  const transfer = { to: walletOf('recipient').address, data: new Uint8Array(0), gasLimit: 21_000 };
  const { chain, sender } = await client.connect();
  const contract = await client.run(() => deployLedger(client, sender));
  const { blockNumber } = await client.run(() => appendRecord(sender, contract, 'signed'));
  network.miner.conditions.inventedLogs = [toUnsigned(client, contract, blockNumber)];
  const mined = await client.run(async () => sender.awaitFinal(await sender.send(transfer)));
  const read = ({ fetchContractLogs }: RpcChain, toBlock: number, provenAuthors?: ReadonlySet<Hex>) =>
    client.run(() =>
      fetchContractLogs({ address: contract, fromBlock: 1, toBlock, provenAuthors }).then(
        ({ records }) => records.length,
        ({ code }: { code: string }) => code,
      ),
    );
  const own = new Set([wallet.address]);
  const following = await read(chain, mined.blockNumber, own);
  const restarted = await client.connect();
  return {
    unchecked: await read(chain, mined.blockNumber),
    before: await read(chain, mined.blockNumber - 1, own),
    following,
    restarted: await read(restarted.chain, mined.blockNumber, own),
    nodesUsed: chain.readNodes().filter(({ isLeft }) => !isLeft).length,
  };
};
