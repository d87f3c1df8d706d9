// The port's reads of the embedded chain: until it is replayed, blocks and hashes from the journal, and the logs of the
// newest blocks as they were kept; then all from EDR.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { createContractLogs } from '../contractLogs.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { ChainPort } from '../port.ts';
import type { BlockProducer, DurableBlock } from './blockProducer.ts';
import type { ChainAccess } from './chainAccess.ts';
import type { EngineRuns } from './engine/engineRuns.ts';
import type { Journal } from './journal/journal.ts';
import type { KeptLogsReader } from './keptLogs.ts';
import { pickContractLogs, readEmbeddedLogs } from './readEmbeddedLogs.ts';

type PortReads = Pick<
  ChainPort,
  'fetchFinalHead' | 'fetchBlockHash' | 'fetchContractLogs' | 'fetchRecordLogs' | 'fetchNonce'
>;

/** Reads of a chain that may still be replayed. */
export const createPortReads = (chain: {
  journal: Journal;
  genesis: DurableBlock;
  replay: EngineRuns;
  keptLogs: KeptLogsReader;
  producer: BlockProducer;
  access: ChainAccess;
}): PortReads => {
  const { journal, genesis, replay, keptLogs, producer, access } = chain;
  const { edr } = replay;
  const assertRunning = (): void => {
    replay.assertNotFailed();
    access.assertRunning();
  };
  const fetchReplayedHash = async (number: number): Promise<Hex | undefined> => {
    const block = (await edr.request('eth_getBlockByNumber', [toQuantity(number), false])) as { hash: Hex } | null;
    return block?.hash;
  };
  const readJournalHash = async (number: number): Promise<Hex | undefined> =>
    number === 0 ? genesis.hash : (await journal.readBlock(number))?.hash;
  const fetchContractLogs: ChainPort['fetchContractLogs'] = async ({ address, fromBlock, toBlock }) => {
    assertRunning();
    const { head, headLogs } = producer;
    const isHead = fromBlock === head.number && toBlock === head.number;
    if (isHead && headLogs !== undefined) return pickContractLogs(createContractLogs(), headLogs, address);
    const query = { address, fromBlock, toBlock: Math.min(toBlock, head.number) };
    const kept = replay.isOver() ? undefined : keptLogs.read(query);
    return kept ?? readEmbeddedLogs(edr, query);
  };
  return {
    fetchFinalHead: async () => {
      assertRunning();
      const { number, hash } = producer.head;
      return { number, hash };
    },
    fetchBlockHash: async (number) => {
      assertRunning();
      if (number > producer.head.number) return undefined;
      return replay.isOver() ? fetchReplayedHash(number) : readJournalHash(number);
    },
    fetchContractLogs,
    fetchRecordLogs: async (query) => (await fetchContractLogs(query)).records,
    fetchNonce: async (address) =>
      Number(await access.read(() => edr.request('eth_getTransactionCount', [address, 'latest']))),
  };
};
