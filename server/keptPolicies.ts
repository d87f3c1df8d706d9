// Policies that were read before, so that one is parsed once and not at every check. What is kept is bounded by weight, and believed only where the
// policy that was read just now says the same.
import { toPolicyTexts, weighPolicy } from '../ledger/compliance/policyWeight.ts';
import type { PolicyContent } from '../ledger/policyRecord.ts';
import type { PolicyResource } from '../ledger/resources.ts';

/** A policy of a tenant with the lists of texts that it had before, where they are the same. */
export type KeepPolicy = (tenantIdentity: string, policy: PolicyResource) => PolicyResource;

/** Weight of the policies that are kept, of all tenants together; one takes some 10 bytes of memory for each unit of it. */
export const KEPT_WEIGHT_MAX = 8_000_000;

type Lists = Pick<PolicyContent, 'asset_filter' | 'richness_assertions'>;

interface Kept extends Lists {
  readonly weight: number;
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);

const haveSameShape = (one: Lists['asset_filter'], other: Lists['asset_filter']): boolean =>
  isSame(
    one.map(({ or }) => or.length),
    other.map(({ or }) => or.length),
  );

const saySame = (one: Lists, other: Lists): boolean =>
  haveSameShape(one.asset_filter, other.asset_filter) &&
  haveSameShape(one.richness_assertions, other.richness_assertions) &&
  isSame(toPolicyTexts(one), toPolicyTexts(other));

/** Keeps the policies that were read last, up to this weight. */
export const createKeepPolicy = (weightMax: number): KeepPolicy => {
  const kept = new Map<string, Kept>();
  let weight = 0;
  const forget = (name: string): void => {
    weight -= kept.get(name)?.weight ?? 0;
    kept.delete(name);
  };
  const keep = (name: string, policy: Kept): void => {
    kept.set(name, policy);
    weight += policy.weight;
    while (weight > weightMax) forget(kept.keys().next().value!);
  };
  return (tenantIdentity, policy) => {
    const name = `${tenantIdentity} ${policy.identity}`;
    const before = kept.get(name);
    const { asset_filter, richness_assertions } = before !== undefined && saySame(before, policy) ? before : policy;
    forget(name);
    keep(name, { asset_filter, richness_assertions, weight: weighPolicy(policy) });
    return { ...policy, asset_filter, richness_assertions };
  };
};
