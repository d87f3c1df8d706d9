// Verdicts over records of a forger's choice, in a block that the caller notes: nothing but the judge decides.
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, toFrontierRoot } from '../../ledger/evidence/merkleTree.ts';
import { encodeReceipt, type ReceiptLog } from '../../ledger/evidence/receipt.ts';
import { encodeRecordLeaf } from '../../ledger/evidence/recordLeaf.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { withReceipt } from './encodingChanges.ts';
import type { Original } from './originals.ts';
import { toPath } from './treePaths.ts';

const AUTHOR: Hex = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

/** Payloads of a forger's ledger with what the verdict says of them. */
export interface OwnRecords {
  readonly policies: readonly Uint8Array[];
  readonly events: readonly Uint8Array[];
  /** Members of the claim that are other ones. */
  readonly claim?: EvidenceFile;
  /** Whether the file has the only event as a leaf of the tenant's tree. */
  readonly isAlone?: boolean;
  /** What shows the tenant's own record; undefined: nothing does. */
  readonly own?: OwnPart;
}

/** Records of the tenant's own stream, which come after some of the others. */
export interface OwnPart {
  readonly payloads: readonly Uint8Array[];
  /** How many records of the policy, and of the asset, are before the last of them. */
  readonly early: readonly [ofPolicy: number, ofAsset: number];
  /** Positions that the claim names. */
  readonly firsts: readonly [ofPolicy: number, ofAsset: number];
}

/** A leaf with its number in the tree. */
interface PlacedLeaf {
  readonly index: number;
  readonly bytes: Uint8Array;
  readonly sequence: number;
  readonly head: Uint8Array;
}

// Of each stream, whose records are early as far as they are before the tenant's own.
const toTree = (streams: readonly { readonly digests: readonly Uint8Array[]; readonly early: number }[]) => {
  const ofStreams = streams.map(({ digests, early }, stream) => {
    let head = EMPTY_HEAD;
    return digests.map((digest, at) => {
      head = advanceHead(head, digest);
      const sequence = at + 1;
      const bytes = encodeRecordLeaf({ digest, head, sequence, blockNumber: 1, blockTimeSeconds: 1 });
      return { stream, isEarly: at < early, bytes, sequence, head };
    });
  });
  const all = ofStreams.flat();
  const inOrder = [...all.filter(({ isEarly }) => isEarly), ...all.filter(({ isEarly }) => !isEarly)];
  const leaves = ofStreams.map((leaves) =>
    leaves.map((leaf): PlacedLeaf => ({ ...leaf, index: inOrder.indexOf(leaf) })),
  );
  return { leaves, hashes: inOrder.map(({ bytes }) => hashLeaf(bytes)) };
};

const listEdges = (leaves: readonly PlacedLeaf[], from: number): PlacedLeaf[] =>
  [leaves[from - 2], leaves[from - 1]].filter((leaf) => leaf !== undefined);

const identityOf = (payload: Uint8Array): string | undefined => {
  try {
    const { identity } = JSON.parse(Buffer.from(payload.subarray(1)).toString()) as { identity: unknown };
    return typeof identity === 'string' && [1, 3].includes(payload[0]!) ? identity : undefined;
  } catch {
    return undefined;
  }
};

/** A payload as a record of a file, under the key of its identity, or of its bytes where it states none. */
export const toKeyedRecord = (payload: Uint8Array): EvidenceFile & { id: Hex } => {
  const identity = identityOf(payload);
  const id = toHex(identity === undefined ? keccak256(payload) : toKey(identity));
  return { author: AUTHOR, payload: toBase64(payload), id };
};

/** A log of a contract. */
export const toLog = (contract: string, name: string, values: readonly unknown[]): ReceiptLog => {
  const { topics, data } = ledgerInterface.encodeEventLog(name, values as unknown[]);
  return { address: fromHex(contract as Hex), topics: (topics as Hex[]).map(fromHex), data: fromHex(data as Hex) };
};

/** The receipt of a successful transaction with these logs. */
export const toReceipt = (logs: readonly ReceiptLog[]): Uint8Array =>
  encodeReceipt({ type: 2, isSuccessful: true, cumulativeGasUsed: 1, bloom: new Uint8Array(256), logs });

/** The file and the roots of a verdict over other records, as if the ledger of an original had them. */
export const toOwnVerdict = ({ file }: Original, own: OwnRecords): Pick<Original, 'file' | 'trust'> => {
  const { chain_id, contract } = file.ledger as { chain_id: number; contract: string };
  const count = own.events.length;
  const claim: EvidenceFile = {
    ...(file.claim as EvidenceFile),
    policy_count: own.policies.length,
    count,
    ...own.claim,
  };
  const keyOf = (name: string): Uint8Array => toKey(String(claim[name]));
  const domain = toDomainSeparator({ chainId: chain_id, contract: fromHex(contract as Hex) });
  const tenantKey = keyOf('tenant_identity');
  const digestsOf = (payloads: readonly Uint8Array[], streamKey: Uint8Array): Uint8Array[] =>
    payloads.map((payload) => {
      const recordKey = fromHex(toKeyedRecord(payload).id);
      return toRecordDigest(domain, { tenantKey, streamKey, recordKey, author: fromHex(AUTHOR), payload });
    });
  const headOf = (digests: readonly Uint8Array[]): Uint8Array => digests.reduce(advanceHead, EMPTY_HEAD);
  const attested = (name: string, payloads: readonly Uint8Array[]): ReceiptLog => {
    const head = headOf(digestsOf(payloads, keyOf(name)));
    return toLog(contract, 'StreamAttested', [tenantKey, keyOf(name), head, payloads.length]);
  };
  const { payloads = [], early = [0, 0], firsts = [1, 1] } = own.own ?? {};
  // The tenant's own stream comes after what is early, and before the rest.
  const { leaves, hashes } = toTree([
    { digests: digestsOf(own.policies, keyOf('policy_identity')), early: early[0] },
    { digests: digestsOf(own.events, keyOf('asset_identity')), early: early[1] },
    { digests: digestsOf(payloads, tenantKey), early: payloads.length },
  ]);
  const [ofPolicy, ofAsset, ofTenant] = leaves as [PlacedLeaf[], PlacedLeaf[], PlacedLeaf[]];
  const isAlone = own.isAlone === true;
  const edges = [...listEdges(ofPolicy, firsts[0]), ...(isAlone ? [] : listEdges(ofAsset, firsts[1]))];
  const shown = [...(isAlone ? ofAsset : []), ...(own.own === undefined ? [] : [...ofTenant.slice(-1), ...edges])];
  const root = toFrontierRoot(extendFrontier(EMPTY_FRONTIER, hashes));
  const logs = [
    attested('policy_identity', own.policies),
    ...(isAlone ? [] : [attested('asset_identity', own.events)]),
    ...(shown.length === 0 ? [] : [toLog(contract, 'TenantAttested', [tenantKey, hashes.length, root])]),
  ];
  const { leaves: _, ...others } = file;
  const named = { own_count: payloads.length, policy_from: firsts[0], from: firsts[1] };
  const made: EvidenceFile = {
    ...others,
    claim: { ...claim, ...(own.own === undefined ? {} : named) },
    records: [...own.policies, ...own.events, ...payloads].map(toKeyedRecord),
    proofs: [
      ...logs.map((__, log): Json => ({ kind: 'log', block: 0, transaction: 0, nodes: [], log })),
      ...shown.map(({ index, sequence, head }): Json => {
        const place = { sequence, head: toHex(head) };
        return { kind: 'leaf', root: logs.length - 1, index, path: toPath(hashes, index), ...place };
      }),
    ],
    ...(shown.length === 0 ? {} : { leaves: toBase64(concatBytes(shown.map(({ bytes }) => bytes))) }),
  };
  return withReceipt(made, toReceipt(logs))!;
};
