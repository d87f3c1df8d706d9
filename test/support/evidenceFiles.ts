// Makes evidence files from a running ledger, as slowly as the definition allows: reads all records of a tenant, and
// all receipts of a block.
import { createHash } from 'node:crypto';
import { toQuantity } from '../../chain/jsonRpc/toQuantity.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { decodeHeader } from '../../chain/nodeReport/consensus/reportedHeader.ts';
import type { RecordLog } from '../../chain/port.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import { decodeBlockHeader, encodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { buildListTrie } from '../../ledger/evidence/listTrie.ts';
import { planInclusion, toProof } from '../../ledger/evidence/merkleProof.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, type NodePosition } from '../../ledger/evidence/merkleTree.ts';
import { encodeReceipt } from '../../ledger/evidence/receipt.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { Json } from './mutations.ts';
import { toLeaf } from './recordLogs.ts';

interface RpcReceipt {
  readonly type: Hex;
  readonly status: Hex;
  readonly cumulativeGasUsed: Hex;
  readonly logsBloom: Hex;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

/** An evidence file as JSON. */
export type EvidenceFile = { [name: string]: Json };

/** What a verdict says, besides the number of its records. */
export interface VerdictClaim {
  readonly tenant_identity: string;
  readonly policy_identity: string;
  readonly asset_identity: string;
  readonly at: string;
  readonly compliant: boolean;
}

/** Asks for evidence of a ledger. */
export interface EvidenceMaker {
  /** Sends `attest` for one tenant; resolves with the hash of its transaction. */
  attest(
    tenantIdentity: string,
    streams?: readonly string[],
    ids?: readonly string[],
    accounts?: readonly Hex[],
  ): Promise<Hex>;
  event(event: EventResource, attested?: Hex): Promise<EvidenceFile>;
  history(tenantIdentity: string, assetIdentity: string, attested: Hex): Promise<EvidenceFile>;
  range(tenantIdentity: string, assetIdentity: string, range: [number, number], attested: Hex): Promise<EvidenceFile>;
  absence(tenantIdentity: string, identity: string, attested: Hex): Promise<EvidenceFile>;
  /** The list of all records of a tenant, and the file with its leaves. */
  tenant(tenantIdentity: string, attested: Hex): Promise<{ file: EvidenceFile; leaves: Uint8Array }>;
  /**
   * A verdict. `attested`: the transaction that attested the policy's stream, then the asset's. With `alone`, the
   * identity of an event, the file has only that event of the asset.
   */
  verdict(claim: VerdictClaim, attested: Hex, alone?: string): Promise<EvidenceFile>;
  /** The same file with a proof of the contract's account, and the hash of the contract's code. */
  withAccount(file: EvidenceFile): Promise<{ file: EvidenceFile; codeHash: string }>;
  /** A `trust.json` with these roots besides the ledger's name. */
  trust(roots?: EvidenceFile): EvidenceFile;
}

const encodeRpcReceipt = ({ type, status, cumulativeGasUsed, logsBloom, logs }: RpcReceipt): Uint8Array =>
  encodeReceipt({
    type: Number(type),
    isSuccessful: status === '0x1',
    cumulativeGasUsed: Number(cumulativeGasUsed),
    bloom: fromHex(logsBloom),
    logs: logs.map(({ address, topics, data }) => ({
      address: fromHex(address),
      topics: topics.map(fromHex),
      data: fromHex(data),
    })),
  });

const toRecordKey = ({ identity, contribution }: EventResource): Hex =>
  toHex(toKey(contribution === undefined ? identity : `${contribution.owner}/${identity}`));

const toName = ({ level, index }: NodePosition): string => `${level}/${index}`;

const toPath = (leaves: readonly Uint8Array[], index: number): string[] => {
  const nodes = new Map<string, Uint8Array>();
  extendFrontier(
    EMPTY_FRONTIER,
    leaves.map((leaf) => hashLeaf(leaf)),
    (at, hash) => nodes.set(toName(at), hash),
  );
  return toProof(planInclusion(index, leaves.length), (at) => nodes.get(toName(at))!).map(toBase64);
};

/** Makes evidence files of a ledger. */
export const createEvidenceMaker = ({ chain, contract, relayer }: Ledger): EvidenceMaker => {
  const { request } = chain;
  const ledger = { chain_id: chain.chainId, contract };

  const fetchReceipt = async (hash: Hex) =>
    (await request('eth_getTransactionReceipt', [hash])) as RpcReceipt & { blockNumber: Hex; transactionIndex: Hex };

  const readBlock = async (number: number) => {
    const block = (await request('eth_getBlockByNumber', [toQuantity(number), false])) as { transactions: Hex[] };
    const receipts = [];
    for (const hash of block.transactions) receipts.push(encodeRpcReceipt(await fetchReceipt(hash)));
    const header = toBase64(encodeBlockHeader(decodeHeader(block)!.header));
    return { trie: buildListTrie(receipts), block: { rule: 'ethereum', header, anchors: [] } };
  };

  const proveLog = async (hash: Hex, log: number) => {
    const receipt = await fetchReceipt(hash);
    const { trie, block } = await readBlock(Number(receipt.blockNumber));
    const transaction = Number(receipt.transactionIndex);
    const nodes = trie.prove(transaction).map(toBase64);
    return { block, proof: { kind: 'log', block: 0, transaction, nodes, log } };
  };

  const readLogs = async (tenantIdentity: string, toBlock: number): Promise<RecordLog[]> => {
    const logs = await chain.fetchRecordLogs({ address: contract, fromBlock: 0, toBlock });
    return logs.filter(({ tenantKey }) => tenantKey === toHex(toKey(tenantIdentity)));
  };

  const proveLeaf = (logs: readonly RecordLog[], index: number) => {
    const { sequence, head } = logs[index]!;
    return { kind: 'leaf', root: 0, index, path: toPath(logs.map(toLeaf), index), sequence, head };
  };

  const toFile = (
    claim: Json,
    parts: { block: Json; proofs: Json[]; digests?: string; records?: Json; leaves?: string },
  ) => {
    const { block, ...rest } = parts;
    return { format: 'provenance-ledger/evidence/1', ledger, claim, blocks: [block], ...rest };
  };

  const readStream = async (tenantIdentity: string, assetIdentity: string, attested: Hex) => {
    const logs = await readLogs(tenantIdentity, Number((await fetchReceipt(attested)).blockNumber));
    return { logs, own: logs.filter(({ streamKey }) => streamKey === toHex(toKey(assetIdentity))) };
  };

  const toDigests = (logs: readonly RecordLog[]): string =>
    toBase64(Buffer.concat(logs.map(({ digest }) => fromHex(digest))));

  const toRecords = (logs: readonly RecordLog[]): Json =>
    logs.map(({ author, payload }) => ({ author, payload: toBase64(payload) }));

  return {
    attest: async (tenantIdentity, streams = [], ids = [], accounts = []) => {
      const keysOf = (identities: readonly string[]): Hex[] => identities.map((identity) => toHex(toKey(identity)));
      const asked = { tenant: toHex(toKey(tenantIdentity)), streams: keysOf(streams), ids: keysOf(ids), accounts };
      const data = fromHex(ledgerInterface.encodeFunctionData('attest', [[asked]]));
      const sent = await relayer.send({ to: contract, data, gasLimit: 5_000_000 });
      return (await relayer.awaitFinal(sent)).hash;
    },
    event: async (event, attested) => {
      const claim = { kind: 'event', event: event as unknown as Json };
      const logs = await readLogs(event.tenant_identity, (await chain.fetchFinalHead()).number);
      const index = logs.findIndex(({ recordKey }) => recordKey === toRecordKey(event));
      const { transactionHash, logIndex, blockNumber, transactionIndex } = logs[index]!;
      if (attested === undefined) {
        const before = logs.filter(
          (log) => log.blockNumber === blockNumber && log.transactionIndex === transactionIndex,
        );
        const { block, proof } = await proveLog(transactionHash, logIndex - before[0]!.logIndex);
        return toFile(claim, { block, proofs: [proof] });
      }
      const { block, proof } = await proveLog(attested, 0);
      const until = Number((await fetchReceipt(attested)).blockNumber);
      const covered = logs.filter((log) => log.blockNumber <= until);
      return toFile(claim, { block, proofs: [proof, proveLeaf(covered, index)] });
    },
    history: async (tenantIdentity, assetIdentity, attested) => {
      const { own } = await readStream(tenantIdentity, assetIdentity, attested);
      const { block, proof } = await proveLog(attested, 1);
      const claim = {
        kind: 'history',
        tenant_identity: tenantIdentity,
        asset_identity: assetIdentity,
        count: own.length,
      };
      return toFile(claim, { block, proofs: [proof], digests: toDigests(own) });
    },
    range: async (tenantIdentity, assetIdentity, [from, to], attested) => {
      const { logs, own } = await readStream(tenantIdentity, assetIdentity, attested);
      const { block, proof } = await proveLog(attested, 0);
      const ends = [...(from > 1 ? [own[from - 2]!] : []), own[to - 1]!];
      const leaves = toBase64(Buffer.concat(ends.map(toLeaf)));
      const proofs = [proof, ...ends.map((log) => proveLeaf(logs, logs.indexOf(log)))];
      const claim = { kind: 'range', tenant_identity: tenantIdentity, asset_identity: assetIdentity, from, to };
      return toFile(claim, { block, proofs, leaves, records: toRecords(own.slice(from - 1, to)) });
    },
    absence: async (tenantIdentity, identity, attested) => {
      const { block, proof } = await proveLog(attested, 1);
      return toFile({ kind: 'absence', tenant_identity: tenantIdentity, identity }, { block, proofs: [proof] });
    },
    tenant: async (tenantIdentity, attested) => {
      const { logs } = await readStream(tenantIdentity, '', attested);
      const { block, proof } = await proveLog(attested, 0);
      const leaves = Buffer.concat(logs.map(toLeaf));
      const leaves_sha256 = `0x${createHash('sha256').update(leaves).digest('hex')}`;
      const claim = { kind: 'tenant', tenant_identity: tenantIdentity, count: logs.length, leaves_sha256 };
      return { file: toFile(claim, { block, proofs: [proof] }), leaves };
    },
    verdict: async (verdict, attested, alone) => {
      const { tenant_identity, policy_identity, asset_identity } = verdict;
      const { own: ofPolicy } = await readStream(tenant_identity, policy_identity, attested);
      const { logs, own } = await readStream(tenant_identity, asset_identity, attested);
      const { block, proof } = await proveLog(attested, 1);
      const isOne = alone !== undefined;
      const ofAsset = isOne ? own.filter(({ recordKey }) => recordKey === toHex(toKey(alone))) : own;
      const second = (await proveLog(attested, isOne ? 0 : 2)).proof;
      const leaf = isOne ? [{ ...proveLeaf(logs, logs.indexOf(ofAsset[0]!)), root: 1 }] : [];
      const claim = { kind: 'verdict', ...verdict, policy_count: ofPolicy.length, count: ofAsset.length };
      return toFile(claim, {
        block,
        proofs: [proof, second, ...leaf],
        records: toRecords([...ofPolicy, ...ofAsset]),
        ...(isOne ? { leaves: toBase64(toLeaf(ofAsset[0]!)) } : {}),
      });
    },
    withAccount: async (file) => {
      const [{ header }] = file.blocks as [{ header: string }];
      const number = toHex(decodeBlockHeader(fromBase64(header)).number);
      const found = (await request('eth_getProof', [contract, [], number.replace(/^0x0/, '0x')])) as {
        accountProof: readonly Hex[];
      };
      const nodes = found.accountProof.map((node) => toBase64(fromHex(node)));
      const proofs = [...(file.proofs as Json[]), { kind: 'account', block: 0, nodes }];
      const code = fromHex((await request('eth_getCode', [contract, 'latest'])) as Hex);
      return { file: { ...file, proofs }, codeHash: toHex(keccak256(code)) };
    },
    trust: (roots = {}) => ({ ...ledger, ...roots }),
  };
};
