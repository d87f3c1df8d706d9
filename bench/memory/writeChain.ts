// The writing process of bench:memory: the ledger contract on an in-memory chain, and nothing else of the server.
import { toLedgerAddress } from '../../chain/administration.ts';
import { createTraceCollector } from '../../chain/embedded/collectAnswers.ts';
import { createEdr, type Edr } from '../../chain/embedded/edr.ts';
import { createGenesisConfig } from '../../chain/embedded/genesis.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { createWallet } from '../../chain/wallet.ts';
import { encodeAppendCall } from '../../chain/writing/appendCalls.ts';
import { signTransaction } from '../../chain/writing/signTransaction.ts';
import { limitCachedStates } from '../../host/cachedStates.ts';
import { readLedgerBytecode } from '../../host/files/ledgerArtifact.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { ChainOrder, MemoryReading } from './chainOrder.ts';

const CHAIN_ID = 31_337;
const GENESIS_SECONDS = 1_790_000_000;
const GAS_LIMIT = 60_000_000;
const STREAMS = 50;
/** As many blocks a second as a loaded server has. */
const BLOCKS_PER_SECOND = 30;
const READINGS = 40;
const FREE = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
// Any key: the administrator, the author of all records, and the sender of all transactions.
const WALLET = createWallet(new Uint8Array(32).fill(0x11));
const TENANT = toKey('tenant/bench');

// The requests are those of the server for each block (chain/embedded/blockProducer.ts).
const createMiner = (edr: Edr) => {
  const traces = createTraceCollector();
  let nonce = 0;
  return async (data: Uint8Array, to?: Uint8Array): Promise<void> => {
    const fields = { chainId: CHAIN_ID, nonce, gasLimit: GAS_LIMIT, fees: FREE, to, data };
    nonce += 1;
    const [, , block] = await edr.requestAll([
      { method: 'evm_setNextBlockTimestamp', params: [GENESIS_SECONDS + Math.ceil(nonce / BLOCKS_PER_SECOND)] },
      { method: 'eth_sendRawTransaction', params: [toHex(signTransaction(fields, WALLET))] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getLogs', params: [{ fromBlock: 'latest', toBlock: 'latest' }] },
    ]);
    await traces.add(Number((block as { gasUsed: string }).gasUsed));
  };
};

const openChain = async () => {
  const mine = createMiner(await createEdr(createGenesisConfig(CHAIN_ID, GENESIS_SECONDS)));
  await mine(Buffer.concat([fromHex(await readLedgerBytecode()), new Uint8Array(12), WALLET.addressBytes]));
  const contract = fromHex(toLedgerAddress(WALLET));
  for (const name of ['admitTenant', 'addWriter'])
    await mine(fromHex(ledgerInterface.encodeFunctionData(name, [toHex(TENANT), WALLET.address])), contract);
  return (call: Uint8Array): Promise<void> => mine(call, contract);
};

const toRecord = (number: number, payloadBytes: number) => ({
  tenantKey: TENANT,
  author: WALLET.addressBytes,
  streamKey: toKey(`assets/${number % STREAMS}`),
  recordKey: toKey(`events/${number}`),
  payload: Buffer.alloc(payloadBytes, `${number},`),
});

const write = async ({
  records,
  recordsPerBlock,
  payloadBytes,
  cachedStates,
}: ChainOrder): Promise<MemoryReading[]> => {
  limitCachedStates(cachedStates);
  const append = await openChain();
  const readings: MemoryReading[] = [];
  let written = 0;
  while (written < records) {
    const batch = Array.from({ length: recordsPerBlock }, (_, at) => toRecord(written + at, payloadBytes));
    await append(encodeAppendCall({ tenantKey: TENANT, author: WALLET.addressBytes, records: batch }));
    written += recordsPerBlock;
    if (written >= ((readings.length + 1) * records) / READINGS)
      readings.push({ records: written, residentBytes: process.memoryUsage.rss() });
  }
  return readings;
};

process.once('message', (order: ChainOrder) => {
  write(order).then(
    (readings) => process.send!(readings, () => process.disconnect()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
