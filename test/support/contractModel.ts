// The contract's logs as it would write them, with its digests, heads and roots: computed naively from all records.
import type { AttestedLog, ContractLogs, RecordLog } from '../../chain/port.ts';
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { CONTRACT } from './fakeChain.ts';
import { naiveRoot } from './merkleTrees.ts';
import { toLeaf, toRecordLog, type WrittenRecord } from './recordLogs.ts';

/** The domain separator of the modelled contract. */
export const DOMAIN = toDomainSeparator({ chainId: 1, contract: fromHex(CONTRACT) });

/** The contract of a test. */
export interface ContractModel {
  /** Logs so far. */
  readonly logs: ContractLogs;
  /** Begins the next block. */
  nextBlock(): void;
  /** Sets the size of all logs of the transactions that attest from now on. */
  setReceiptBytes(bytes: number): void;
  blockNumber(): number;
  append(written: WrittenRecord): RecordLog;
  attestTree(tenantKey: Hex): AttestedLog;
  attestStream(tenantKey: Hex, streamKey: Hex): AttestedLog;
  attestRecord(tenantKey: Hex, recordKey: Hex): AttestedLog;
  /** Data of the tenant's leaves. */
  leavesOf(tenantKey: Hex): Uint8Array[];
  /** Records of a stream. */
  streamOf(tenantKey: Hex, streamKey: Hex): RecordLog[];
}

/** Creates a contract without records, at block 1. */
export const createContractModel = (): ContractModel => {
  const logs: ContractLogs = { records: [], attestations: [] };
  let [blockNumber, logIndex, receiptBytes] = [1, 0, 200];
  const of = (tenantKey: Hex): RecordLog[] => logs.records.filter((log) => log.tenantKey === tenantKey);
  const streamOf = (tenantKey: Hex, streamKey: Hex): RecordLog[] =>
    of(tenantKey).filter((log) => log.streamKey === streamKey);
  const leavesOf = (tenantKey: Hex): Uint8Array[] => of(tenantKey).map(toLeaf);
  const attest = (log: object): AttestedLog => {
    const attested = { ...log, blockNumber, transactionIndex: 0, logIndex: logIndex++, receiptBytes } as AttestedLog;
    logs.attestations.push(attested);
    return attested;
  };
  const attestName = (
    event: 'StreamAttested' | 'RecordAttested',
    [tenantKey, key]: readonly [Hex, Hex],
    [hash, count]: readonly [Hex | undefined, number],
  ): AttestedLog =>
    attest({
      event,
      tenantKey: fromHex(tenantKey),
      key: fromHex(key),
      hash: hash === undefined ? EMPTY_HEAD : fromHex(hash).subarray(0, 28),
      count,
    });
  return {
    logs,
    nextBlock: () => {
      [blockNumber, logIndex] = [blockNumber + 1, 0];
    },
    setReceiptBytes: (bytes) => {
      receiptBytes = bytes;
    },
    blockNumber: () => blockNumber,
    append: (written) => {
      const log = toRecordLog(written, blockNumber, logIndex++);
      const { tenantKey, streamKey, recordKey, author, payload } = log;
      const last = streamOf(tenantKey, streamKey).at(-1);
      const content = { tenantKey, streamKey, recordKey, author };
      const [tenant, stream, record, account] = Object.values(content).map((text) => fromHex(text));
      const digest = toRecordDigest(DOMAIN, {
        tenantKey: tenant!,
        streamKey: stream!,
        recordKey: record!,
        author: account!,
        payload,
      });
      const head = advanceHead(last === undefined ? EMPTY_HEAD : fromHex(last.head), digest);
      const sequence = (last?.sequence ?? 0) + 1;
      const appended = { ...log, sequence, digest: toHex(digest), head: toHex(head) };
      logs.records.push(appended);
      return appended;
    },
    attestTree: (tenantKey) => {
      const leaves = leavesOf(tenantKey);
      const root = naiveRoot(leaves);
      return attest({ event: 'TenantAttested', tenantKey: fromHex(tenantKey), size: leaves.length, root });
    },
    attestStream: (tenantKey, streamKey) => {
      const last = streamOf(tenantKey, streamKey).at(-1);
      return attestName('StreamAttested', [tenantKey, streamKey], [last?.head, last?.sequence ?? 0]);
    },
    attestRecord: (tenantKey, recordKey) => {
      const found = of(tenantKey).find((log) => log.recordKey === recordKey);
      return attestName('RecordAttested', [tenantKey, recordKey], [found?.digest, found?.sequence ?? 0]);
    },
    leavesOf,
    streamOf,
  };
};
