// The view of the trees of an index, for evidence files.
import type { NodePosition } from '../../ledger/evidence/merkleTree.ts';
import { parseContributionIdentity, toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import { assetKey, conflictKey, counterKey, memberKey, namedKey } from '../keys.ts';
import { readLeafCount, readLeafRow } from '../projection/projectLeaf.ts';
import { findAttestation, type KeptAttestation } from '../rows/attestationRow.ts';
import { decodeLeafIndex, lastLeafOf, leafDataOf, nodeOf } from '../rows/leafRow.ts';
import { type AssetRow, decodeMember, type NamedRow } from '../rows/rows.ts';
import { contributedKey } from '../sharingKeys.ts';
import type { Snapshot } from '../snapshots.ts';
import type { IndexStore } from '../store.ts';
import { type AttestedKind, attestedNameKey, attestedTreeKey, leafRange, streamLeafRange } from '../treeKeys.ts';
import type { LogPlace, TreeView } from '../treeView.ts';
import { guardReads } from './guardReads.ts';
import { findOwnRecord } from './streamRecords.ts';
import { findLeafIndex, readTreeRecords } from './treeReads.ts';

/** Leaves, and records of a stream, of one read. */
const PAGE_LEAVES = 1_000;
const HEAD_BYTES = 28;

type GuardedReads = Omit<TreeView, 'readLeaves'> & {
  readLeafPage(tenantKey: Uint8Array, from: number, to: number): Promise<readonly Uint8Array[]>;
};

const toPlace = ({ blockNumber, transactionIndex, logIndex }: KeptAttestation): LogPlace => ({
  blockNumber,
  transactionIndex,
  logIndex,
});

const readNode = ({ read }: IndexStore, tenantKey: Uint8Array, position: NodePosition): Uint8Array => {
  const last = lastLeafOf(position);
  if (!(last < readLeafCount(read, tenantKey)))
    throw new RangeError(`the tree has no complete subtree of level ${position.level} at ${position.index}`);
  return nodeOf(readLeafRow(read, tenantKey, last), position.level);
};

const readPolicyIdentity = ({ read }: IndexStore, tenantKey: Uint8Array, number: number): string => {
  const streamKey = decodeMember(read(memberKey(tenantKey, 'accessPolicies', number))!);
  return toStreamIdentityOf((read(namedKey(tenantKey, 'accessPolicies', streamKey)) as NamedRow).record);
};

const createReads = (store: IndexStore): GuardedReads => {
  const withSnapshot = async <T>(act: (snapshot: Snapshot) => Promise<T>): Promise<T> => {
    const snapshot = await store.snapshot();
    try {
      return await act(snapshot);
    } finally {
      await snapshot.close();
    }
  };
  const findName = (
    tenantKey: Uint8Array,
    kind: AttestedKind,
    key: Uint8Array,
    untilBlock: number,
  ): KeptAttestation | undefined =>
    findAttestation(store.read(attestedNameKey(tenantKey, kind, key)) as Uint8Array | undefined, untilBlock);
  return {
    readAttestedTree: async (tenantKey, untilBlock) => {
      const row = store.read(attestedTreeKey(tenantKey)) as Uint8Array | undefined;
      const found = findAttestation(row, untilBlock);
      return found && { ...toPlace(found), size: found.count, root: found.hash };
    },
    readAttestedStream: async (tenantKey, streamKey, untilBlock) => {
      const found = findName(tenantKey, 'stream', streamKey, untilBlock);
      return found && { ...toPlace(found), count: found.count, head: found.hash.subarray(0, HEAD_BYTES) };
    },
    readAttestedRecord: async (tenantKey, recordKey, untilBlock) => {
      const found = findName(tenantKey, 'record', recordKey, untilBlock);
      return found && { ...toPlace(found), sequence: found.count, hash: found.hash.subarray(0, HEAD_BYTES) };
    },
    readContributors: async (tenantKey, streamKey) =>
      (store.read(assetKey(tenantKey, streamKey)) as AssetRow | undefined)?.contributors ?? [],
    hasEffect: async (tenantKey, identity) => {
      const { eventIdentity } = parseContributionIdentity(identity)!;
      const isProjected = store.read(contributedKey(tenantKey, toKey(eventIdentity))) !== undefined;
      return isProjected && store.read(conflictKey(tenantKey, toKey(identity))) === undefined;
    },
    listAccessPolicies: async (tenantKey) => {
      const count = (store.read(counterKey(tenantKey, 'accessPolicies')) as number | undefined) ?? 0;
      return Array.from({ length: count }, (_, number) => readPolicyIdentity(store, tenantKey, number));
    },
    findOwnRecord: (tenantKey) => withSnapshot((snapshot) => findOwnRecord(snapshot, tenantKey)),
    readTreeSize: async (tenantKey) => readLeafCount(store.read, tenantKey),
    readTreeRecord: async (tenantKey, recordKey) => {
      const index = await findLeafIndex(store.read, tenantKey, recordKey);
      if (index === undefined) return undefined;
      const [record] = await readTreeRecords(async (names) => names.map(store.read), tenantKey, [index]);
      return record;
    },
    readStreamRecords: (tenantKey, streamKey, from, to) =>
      withSnapshot(async (snapshot) => {
        const range = streamLeafRange(tenantKey, streamKey, from, to);
        const entries = await snapshot.readFirst(range, Math.max(to - from + 1, 0));
        const indexes = entries.map(([, row]) => decodeLeafIndex(row as Uint8Array));
        return readTreeRecords(snapshot.readMany, tenantKey, indexes);
      }),
    readLeafPage: (tenantKey, from, to) =>
      withSnapshot(async (snapshot) => {
        const entries = await snapshot.readFirst(leafRange(tenantKey, from, to), to - from);
        return entries.map(([, row]) => leafDataOf(row as Uint8Array));
      }),
    readNodes: async (tenantKey, positions) => positions.map((position) => readNode(store, tenantKey, position)),
  };
};

/** Creates the view of the trees of an index. Its reads are refused when `assertReadable` throws. */
export const createTreeView = (store: IndexStore, assertReadable?: () => void): TreeView => {
  const { readLeafPage, ...reads } = guardReads(createReads(store), store, assertReadable);
  return {
    ...reads,
    readLeaves: async function* (tenantKey, from, to) {
      for (let at = from; at < to; at += PAGE_LEAVES) {
        const page = await readLeafPage(tenantKey, at, Math.min(at + PAGE_LEAVES, to));
        yield* page;
        if (page.length < Math.min(PAGE_LEAVES, to - at)) return;
      }
    },
  };
};
