// Merged histories over random records of a forger's choice, in trees and a block that the caller notes: nothing but
// the rules of contributions decides. Both verifiers must decide alike.
import fc from 'fast-check';
import { advanceHead, EMPTY_HEAD, toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import { encodeBlockHeader } from '../../ledger/evidence/blockHeader.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, toFrontierRoot } from '../../ledger/evidence/merkleTree.ts';
import type { ReceiptLog } from '../../ledger/evidence/receipt.ts';
import { encodeRecordLeaf, type RecordLeaf } from '../../ledger/evidence/recordLeaf.ts';
import { toKey, toStreamIdentityOf, toVersionIdentity } from '../../ledger/identity.ts';
import { decodeKeyedPayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { mergeHistory, type PlacedRecord } from '../../ledger/sharing/mergedHistory.ts';
import { isOwnRecord } from '../../ledger/tenancy/ownRecord.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import { words } from '../support/histories.ts';
import type { Json } from '../support/mutations.ts';
import type { WrittenRecord } from '../support/recordLogs.ts';
import { ALPHA, assetOf, uuidOf } from '../support/records.ts';
import { sharedHistoriesOf } from '../support/sharedHistories.ts';
import { below, type Change, type Random, toCase } from './change.ts';
import { withReceipt } from './encodingChanges.ts';
import { toPayload } from './judgeChanges.ts';
import { headerOf, withBlock } from './originals.ts';
import { toKeyedRecord, toLog, toReceipt } from './ownVerdicts.ts';
import { toPath } from './treePaths.ts';

const ASSET = assetOf(1);
const CONTRIBUTIONS = `${ALPHA}/${ASSET}`;
/** Later than all records. */
const BLOCK_NUMBER = Uint8Array.of(0x7f, 0xff);
const TIME_SECONDS = 1_795_176_000;

/** A record of the file with its place. */
interface Own {
  readonly tenant: string;
  readonly stream: string;
  /** Position in the history. */
  readonly at: number;
  readonly author: Hex;
  readonly payload: Uint8Array;
  readonly id: Hex;
  readonly digest: Uint8Array;
}

const isMeant = ({ tenant, stream }: Pick<Own, 'tenant' | 'stream'>): boolean =>
  tenant === ALPHA ? stream === ASSET || /^(access_policies|subjects|blobs)\//.test(stream) : stream === CONTRIBUTIONS;

const toName = ({ tenant, stream }: Pick<Own, 'tenant' | 'stream'>): string => `${tenant} ${stream}`;

type Ledger = Parameters<typeof toDomainSeparator>[0];

const toOwn =
  (ledger: Ledger, random: Random) =>
  ({ tenantIdentity: tenant = ALPHA, record, changed }: WrittenRecord, at: number): Own => {
    const stream = toStreamIdentityOf(record);
    const author = changed!.author!;
    const payload = toPayload(record as unknown as EvidenceFile, random);
    const { id } = toKeyedRecord(payload);
    const keys = { tenantKey: toKey(tenant), streamKey: toKey(stream), recordKey: fromHex(id) };
    const digest = toRecordDigest(toDomainSeparator(ledger), { ...keys, author: fromHex(author), payload });
    return { tenant, stream, at, author, payload, id, digest };
  };

/** The leaves of all records in the order of the chain. */
const toLeaves = (all: readonly Own[]): Map<Own, RecordLeaf> => {
  const ends = new Map<string, { readonly head: Uint8Array; readonly sequence: number }>();
  return new Map(
    all.map((own) => {
      const { head, sequence } = ends.get(toName(own)) ?? { head: EMPTY_HEAD, sequence: 0 };
      const end = { head: advanceHead(head, own.digest), sequence: sequence + 1 };
      ends.set(toName(own), end);
      const leaf = { digest: own.digest, ...end, blockNumber: own.at + 1, blockTimeSeconds: TIME_SECONDS + own.at };
      return [own, leaf] as const;
    }),
  );
};

const decode = (own: Own): LedgerRecord | undefined =>
  decodeKeyedPayload(own.payload, { streamKey: toHex(toKey(own.stream)), recordKey: own.id });

const toPlaced = (own: Own, isOfPart: boolean, begin: number): PlacedRecord & { own: Own } => {
  return {
    own,
    tenantIdentity: own.tenant,
    author: own.author,
    blockTimeSeconds: TIME_SECONDS + own.at,
    record: isOfPart ? decode(own) : undefined,
    isEarly: own.at < begin,
  };
};

const isOwn = (own: Own): boolean => {
  const record = decode(own);
  return record !== undefined && isOwnRecord(record);
};

// Of some tenants the records of its own stream up to its own one; now and then fewer or more.
const toOwnRecords = (all: readonly Own[], parts: readonly (readonly Own[])[], random: Random): Own[][] => {
  const tenants = new Set(parts.map(([first]) => first!.tenant));
  return [...tenants].flatMap((tenant) => {
    const stream = all.filter((own) => own.tenant === tenant && own.stream === tenant);
    const count = 1 + stream.findIndex((own) => isOwn(own));
    const shown = stream.slice(0, Math.max(0, count - (below(random, 20) === 0 ? 1 : 0)));
    return shown.length === 0 || below(random, 3) === 0 ? [] : [shown];
  });
};

/** The streams of the file with their records, the asset's first; and further records, which show their authors. */
const toParts = (all: readonly Own[], random: Random) => {
  const streams = Map.groupBy(all.filter(isMeant), toName);
  const own = streams.get(toName({ tenant: ALPHA, stream: ASSET }));
  const others = [...streams.values()].filter((part) => part !== own);
  const authors = all.filter((each) => !isMeant(each) && below(random, 6) === 0);
  const parts = own === undefined ? [] : [own, ...others];
  return { parts, authors, owns: toOwnRecords(all, parts, random) };
};

const change = (events: number[], random: Random): number[] => {
  if (below(random, 4) > 0 || events.length === 0) return events;
  return below(random, 2) === 0 ? events.toSpliced(below(random, events.length), 1) : [...events, 0];
};

const nameStream = ({ tenant, stream }: Own): EvidenceFile => ({ tenant_identity: tenant, identity: stream });

interface OwnFile {
  readonly claim: EvidenceFile;
  readonly records: Json[];
  readonly leaves: string;
  readonly proofs: Json[];
  readonly logs: readonly ReceiptLog[];
}

const toFile = (contract: string, all: readonly Own[], random: Random): OwnFile | undefined => {
  const { parts, authors, owns } = toParts(all, random);
  if (!parts.some(([first]) => first!.tenant !== ALPHA)) return undefined;
  const leaves = toLeaves(all);
  const ofParts = parts.flat();
  const rows = [...ofParts, ...authors, ...owns.flat()];
  const begins = new Map(owns.map((own) => [own[0]!.tenant, own.at(-1)!.at] as const));
  const tenants = [...new Set(rows.map(({ tenant }) => tenant))];
  const trees = tenants.map((tenant) => all.filter((own) => own.tenant === tenant));
  const hashes = trees.map((tree) => tree.map((own) => hashLeaf(encodeRecordLeaf(leaves.get(own)!))));
  const placed = rows.map((own, at) => toPlaced(own, at < ofParts.length, begins.get(own.tenant) ?? 0));
  const inOrder = placed.toSorted((one, other) => one.own.at - other.own.at);
  const merged = mergeHistory({ tenantIdentity: ALPHA, assetIdentity: ASSET }, inOrder);
  const events = merged.map((event) => rows.indexOf(event.placed.own));
  const logs = [
    ...parts.map((part) => {
      const { head, sequence } = leaves.get(part.at(-1)!)!;
      return toLog(contract, 'StreamAttested', [toKey(part[0]!.tenant), toKey(part[0]!.stream), head, sequence]);
    }),
    ...tenants.map((tenant, at) => {
      const root = toFrontierRoot(extendFrontier(EMPTY_FRONTIER, hashes[at]!));
      return toLog(contract, 'TenantAttested', [toKey(tenant), hashes[at]!.length, root]);
    }),
  ];
  const proofs = rows.map((own) => {
    const tree = tenants.indexOf(own.tenant);
    const index = trees[tree]!.indexOf(own);
    const { sequence, head } = leaves.get(own)!;
    const path = toPath(hashes[tree]!, index);
    return { kind: 'leaf', root: parts.length + tree, index, path, sequence, head: toHex(head) };
  });
  return {
    claim: {
      kind: 'merged_history',
      tenant_identity: ALPHA,
      asset_identity: ASSET,
      parts: parts.map((part) => ({ ...nameStream(part[0]!), count: part.length })),
      authors: authors.map(nameStream),
      own_records: owns.map((own) => ({ tenant_identity: own[0]!.tenant, count: own.length })),
      events: change(events, random),
    },
    records: rows.map(({ author, payload, id }) => ({ author, payload: toBase64(payload), id })),
    leaves: toBase64(concatBytes(rows.map((own) => encodeRecordLeaf(leaves.get(own)!)))),
    proofs: [
      ...logs.map((_, log): Json => ({ kind: 'log', block: 0, transaction: 0, nodes: [], log })),
      ...(proofs as unknown as Json[]),
    ],
    logs,
  };
};

// Some tenants begin with other records than their own, or with one that follows what isn't there.
const moveTenants = (history: readonly WrittenRecord[], random: Random): WrittenRecord[] => {
  const isTenants = ({ record }: WrittenRecord): boolean => record.type === 'tenant';
  return history.filter(isTenants).reduce<WrittenRecord[]>(
    (moved, { tenantIdentity = ALPHA, record, changed }) => {
      const identity = toVersionIdentity(tenantIdentity, uuidOf(0xe00));
      const other = { ...record, identity, follows: toVersionIdentity(tenantIdentity, uuidOf(1)) } as LedgerRecord;
      const at = below(random, 2) * below(random, 12);
      const each: WrittenRecord = { tenantIdentity, record, changed: changed! };
      return moved.toSpliced(at, 0, ...(below(random, 3) === 0 ? [{ ...each, record: other }, each] : [each]));
    },
    history.filter((each) => !isTenants(each)),
  );
};

/** A merged history over a forger's own records. */
export const mergeOwnRecords: Change = ({ file }, random) => {
  if ((file.claim as EvidenceFile).events === undefined) return undefined;
  const { chain_id, contract } = file.ledger as { chain_id: number; contract: string };
  const [history] = fc.sample(words.chain(sharedHistoriesOf), { numRuns: 1, seed: below(random, 2 ** 31) });
  const all = moveTenants(history!, random).map(
    toOwn({ chainId: chain_id, contract: fromHex(contract as Hex) }, random),
  );
  const own = toFile(contract, all, random);
  if (own === undefined) return undefined;
  const { logs, ...parts } = own;
  const header = encodeBlockHeader({ ...headerOf(file), number: BLOCK_NUMBER });
  const made = withBlock({ ...file, ...parts }, { header: toBase64(header), anchors: [] });
  return { ...toCase(withReceipt(made, toReceipt(logs))!), isOwnBlock: true };
};
