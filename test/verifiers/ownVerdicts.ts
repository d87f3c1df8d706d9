// Verdicts over records of a forger's choice, in a block that the caller notes: nothing but the judge decides.
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { hashLeaf } from '../../ledger/evidence/merkleTree.ts';
import { encodeReceipt, type ReceiptLog } from '../../ledger/evidence/receipt.ts';
import { encodeRecordLeaf } from '../../ledger/evidence/recordLeaf.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { withReceipt } from './encodingChanges.ts';
import type { Original } from './originals.ts';

const AUTHOR: Hex = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';

/** Payloads of a forger's ledger with what the verdict says of them. */
export interface OwnRecords {
  readonly policies: readonly Uint8Array[];
  readonly events: readonly Uint8Array[];
  /** Members of the claim that are other ones. */
  readonly claim?: EvidenceFile;
  /** Whether the file has the only event as a leaf of the tenant's tree. */
  readonly isAlone?: boolean;
}

const identityOf = (payload: Uint8Array): string | undefined => {
  try {
    const { identity } = JSON.parse(Buffer.from(payload.subarray(1)).toString()) as { identity: unknown };
    return typeof identity === 'string' && payload[0] === 1 ? identity : undefined;
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
  const digest = digestsOf(own.events, keyOf('asset_identity'))[0] ?? new Uint8Array(32);
  const place = { head: toHex(headOf([digest])), sequence: 1 };
  const leaf = encodeRecordLeaf({ ...place, digest, head: headOf([digest]), blockNumber: 1, blockTimeSeconds: 1 });
  const second = own.isAlone
    ? toLog(contract, 'TenantAttested', [tenantKey, 1, hashLeaf(leaf)])
    : attested('asset_identity', own.events);
  const logs = [attested('policy_identity', own.policies), second];
  const proofs: Json[] = [0, 1].map((at) => ({ kind: 'log', block: 0, transaction: 0, nodes: [], log: at }));
  const { leaves: _, ...others } = file;
  const made = {
    ...others,
    claim,
    records: [...own.policies, ...own.events].map(toKeyedRecord),
    proofs: own.isAlone ? [...proofs, { kind: 'leaf', root: 1, index: 0, path: [], ...place }] : proofs,
    ...(own.isAlone ? { leaves: toBase64(leaf) } : {}),
  };
  return withReceipt(made, toReceipt(logs))!;
};
