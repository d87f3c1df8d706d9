// The list of all records of a tenant: its leaves are a file of their own, which may be too large for memory.
import { toKey } from '../../identity.ts';
import { isSameBytes } from '../bytes.ts';
import { EMPTY_FRONTIER, extendFrontier, type Frontier, hashLeaf, toFrontierRoot } from '../merkleTree.ts';
import { LEAF_BYTES } from '../recordLeaf.ts';
import { createSha256 } from '../sha256.ts';
import type { ClaimOf } from './claim.ts';
import { describeBlock, type ProvenBundle, requireLog } from './claimChecks.ts';
import { assertProved, type EvidenceFinding, toProved } from './findings.ts';

/** What the bytes of a file with leaves lead to. */
interface LeavesRead {
  readonly tree: Frontier;
  readonly sha256: Uint8Array;
  /** Whether the bytes are `count` leaves and nothing else. */
  readonly isWhole: boolean;
}

const join = (head: Uint8Array, tail: Uint8Array): Uint8Array => {
  const joined = new Uint8Array(head.length + tail.length);
  joined.set(head);
  joined.set(tail, head.length);
  return joined;
};

function* hashLeaves(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at + LEAF_BYTES <= bytes.length; at += LEAF_BYTES) {
    yield hashLeaf(bytes.subarray(at, at + LEAF_BYTES));
  }
}

// Reads no further than a byte beyond the leaves.
const readLeaves = async (parts: AsyncIterable<Uint8Array>, count: number): Promise<LeavesRead> => {
  const hasher = await createSha256();
  let tree = EMPTY_FRONTIER;
  let rest = new Uint8Array(0);
  for await (const part of parts) {
    hasher.update(part);
    const bytes = join(rest, part);
    tree = extendFrontier(tree, hashLeaves(bytes));
    rest = bytes.slice(bytes.length - (bytes.length % LEAF_BYTES));
    if (tree.size > count) break;
  }
  return { tree, sha256: hasher.digest(), isWhole: tree.size === count && rest.length === 0 };
};

/**
 * The list has all records of the tenant.
 * @param leaves bytes of the file with the leaves.
 * @throws Refuted when the leaves are not those that the contract logged.
 */
export const checkTenant = async (
  { logs }: ProvenBundle,
  { tenantIdentity, count, leavesSha256 }: ClaimOf<'tenant'>,
  leaves: AsyncIterable<Uint8Array>,
): Promise<EvidenceFinding[]> => {
  const { log, block } = requireLog(logs[0], 'TenantAttested', { tenant: toKey(tenantIdentity) }, 'completeness');
  assertProved(log.size === count, 'completeness', `the tenant has ${log.size} records at block ${block.number}`);
  const { tree, sha256, isWhole } = await readLeaves(leaves, count);
  assertProved(isWhole, 'completeness', `the file with the leaves has not ${count} of them`);
  assertProved(isSameBytes(sha256, leavesSha256), 'completeness', 'the claim names another file with leaves');
  assertProved(isSameBytes(toFrontierRoot(tree), log.root), 'completeness', 'the leaves are not those of the tenant');
  return [toProved('completeness', `${count} records are all of ${tenantIdentity} at ${describeBlock(block)}`)];
};
