// What checkpoints cover of the streams of an asset with contributions: the attestations of the streams, and of the
// trees of their tenants.
import { attestTree } from '../../chain/blockLog/attester.ts';
import type { AttestedStream, AttestedTree } from '../../indexer/treeView.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { isContributions, type NamedStream } from '../../ledger/evidence/bundle/mergedClaim.ts';
import { toKey } from '../../ledger/identity.ts';
import type { Asker, Reach } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import type { ProvenPlace } from './logProofs.ts';

/** An asset with contributions, and what its file is about. */
export interface MergedQuery {
  readonly tenantIdentity: string;
  readonly assetIdentity: string;
  /** Of a verdict: the policy. */
  readonly policyIdentity?: string;
  /** Of a verdict: its time, in milliseconds since the epoch. The blocks of the file are later. */
  readonly atMs?: number;
}

/** A part of the file that the contract attested. */
export interface AttestedPart {
  readonly stream: NamedStream;
  readonly attested: AttestedStream;
  readonly place: ProvenPlace;
}

export interface CoveredTree {
  readonly tree: AttestedTree;
  readonly place: ProvenPlace;
}

/** What checkpoints cover. */
export interface Covered {
  readonly parts: readonly AttestedPart[];
  /** Of each tenant, in the order of their first streams. */
  readonly trees: readonly CoveredTree[];
  readonly head: Reach['head'];
}

const isNewest = async (
  { trees }: EvidenceContext,
  { tenantIdentity, streamIdentity }: NamedStream,
  count: number,
): Promise<boolean> =>
  (await trees.readStreamRecords(toKey(tenantIdentity), toKey(streamIdentity), count + 1, count + 1)).length === 0;

const findPart = async (
  context: EvidenceContext,
  stream: NamedStream,
  { head, untilBlock, isRequested }: Reach,
): Promise<AttestedPart | undefined> => {
  const keys = [toKey(stream.tenantIdentity), toKey(stream.streamIdentity)] as const;
  const attested = await context.trees.readAttestedStream(...keys, untilBlock);
  if (attested === undefined || !(isRequested || (await isNewest(context, stream, attested.count)))) return undefined;
  return { stream, attested, place: await context.logProofs.prove(attested, head) };
};

const findTree = async (
  { trees, logProofs }: EvidenceContext,
  tenantIdentity: string,
  { head, untilBlock }: Reach,
): Promise<CoveredTree | undefined> => {
  const tree = await trees.readAttestedTree(toKey(tenantIdentity), untilBlock);
  return tree && { tree, place: await logProofs.prove(tree, head) };
};

// What decided on a contribution must be known up to a later block than its own.
const isDecided = async (
  { trees }: EvidenceContext,
  parts: readonly AttestedPart[],
  { tenantIdentity: owner, atMs = -1 }: MergedQuery,
): Promise<boolean> => {
  const firstBlock = Math.min(...parts.map(({ attested }) => attested.blockNumber));
  for (const { stream, attested, place } of parts) {
    if (1_000 * place.timeSeconds <= atMs) return false;
    if (!isContributions({ tenantIdentity: owner }, stream) || attested.count === 0) continue;
    const keys = [toKey(stream.tenantIdentity), toKey(stream.streamIdentity)] as const;
    const [last] = await trees.readStreamRecords(...keys, attested.count, attested.count);
    if (last!.leaf.blockNumber >= firstBlock) return false;
  }
  return true;
};

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

// The writers' streams first: the owner's are then attested after every contribution in the file.
const toAttestations = (streams: readonly NamedStream[]) => {
  const byTenant = [...Map.groupBy(streams, ({ tenantIdentity }) => tenantIdentity)].toReversed();
  return byTenant.map(([tenantIdentity, named]) => ({
    ...attestTree(toHex(toKey(tenantIdentity))),
    streams: named.map(({ streamIdentity }) => toHex(toKey(streamIdentity))),
  }));
};

/**
 * The attestations of streams, and of the trees of their tenants, if necessary after a checkpoint that covers these.
 * Rejects as `Coverage.cover`.
 */
export const coverParts = (
  context: EvidenceContext,
  asker: Asker,
  query: MergedQuery,
  streams: readonly NamedStream[],
): Promise<Covered> =>
  context.coverage.cover(asker, toAttestations(streams), async (reach) => {
    const parts = await Promise.all(streams.map((stream) => findPart(context, stream, reach)));
    if (!parts.every(isDefined) || !(await isDecided(context, parts, query))) return undefined;
    const tenants = new Set(streams.map(({ tenantIdentity }) => tenantIdentity));
    const trees = await Promise.all([...tenants].map((tenant) => findTree(context, tenant, reach)));
    return trees.every(isDefined) ? { parts, trees, head: reach.head } : undefined;
  });
