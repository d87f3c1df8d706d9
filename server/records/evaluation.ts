// Evaluates compliance policies on an asset as it was at a time.
import type { ListStoredPolicies, PolicyEvents } from '../../indexer/ledgerView.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { toEventRanges } from '../../ledger/compliance/eventRange.ts';
import { createSteppedJudge } from '../../ledger/compliance/judge.ts';
import type { Steps } from '../../ledger/compliance/steps.ts';
import type { Evidence, Verdict } from '../../ledger/compliance/verdict.ts';
import { normalizeTimestamp, toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { PolicyContent } from '../../ledger/records/policy.ts';
import type { ServerDeps } from '../deps.ts';
import { isRefusedAs, repeatMissing } from './missing.ts';

/**
 * The time of an evaluation, in milliseconds since the epoch: now, or an earlier time that was given.
 * @throws LedgerError TIMESTAMP_INVALID that names `compliant_at`.
 */
export const toEvaluatedMs = (given: string | undefined, nowMs: number): number =>
  given === undefined ? nowMs : Math.min(nowMs, Date.parse(normalizeTimestamp(given, 'compliant_at')));

/** The asset that is judged, and the moment. */
export interface Judging {
  readonly tenantIdentity: string;
  readonly assetUuid: string;
  readonly atMs: number;
  /** The block up to which records count; undefined for the newest. */
  readonly atBlock: number | undefined;
}

/** Policies that are evaluated, and the events of the asset that they need. */
export interface EvaluationInput<Chosen> {
  readonly chosen: Chosen;
  readonly events: PolicyEvents;
}

/** Chooses the policies of an asset: all that are evaluated. */
export type ChoosePolicies<Chosen> = (
  asset: Asset,
  listPolicies: ListStoredPolicies,
) => Promise<Chosen & { readonly all: readonly PolicyContent[] }>;

/**
 * Reads what policies need of an asset. The asset decides which policies apply to it, and these decide which of its
 * events are read, all from one snapshot of the index. Rejects with ASSET_NOT_FOUND.
 */
export const readEvaluationInput = async <Chosen>(
  { view, catchUp }: ServerDeps,
  { tenantIdentity, assetUuid, atMs, atBlock }: Judging,
  choosePolicies: ChoosePolicies<Chosen>,
): Promise<EvaluationInput<Chosen>> => {
  const found: Chosen[] = [];
  const choose: Parameters<typeof view.readPolicyEvents>[3] = async (asset, listPolicies) => {
    const chosen = await choosePolicies(asset, listPolicies);
    found.push(chosen);
    return toEventRanges(chosen.all, atMs);
  };
  const read = () => view.readPolicyEvents(tenantIdentity, assetUuid, atMs, choose, atBlock);
  // Another server of the tenant may know a later block.
  const events = await repeatMissing(read, catchUp, isRefusedAs('REQUEST_INVALID'));
  const chosen = found.at(-1);
  if (events === undefined || chosen === undefined) throw new LedgerError('ASSET_NOT_FOUND');
  return { chosen, events };
};

/** Evaluates policies on the events of an asset. Returns the verdicts in the order of the policies. */
export function* evaluatePolicies(
  events: PolicyEvents,
  policies: readonly PolicyContent[],
  atMs: number,
): Steps<readonly Verdict<number>[]> {
  const judge = createSteppedJudge(events, events.asset.state.attributes, atMs);
  const verdicts: Verdict<number>[] = [];
  for (const policy of policies) {
    verdicts.push(yield* judge(policy));
    yield;
  }
  return verdicts;
}

/** Evidence as the client sees it: with the identities of events. */
export const toEvidenceJson = ({ identityOf }: PolicyEvents, evidence: Evidence<number>) => ({
  ...evidence,
  events: evidence.events.map(({ event, acceptedMs, declaredMs, answers }) => ({
    identity: identityOf(event),
    timestamp_accepted: toTimestamp(acceptedMs),
    ...(declaredMs === undefined ? {} : { timestamp_declared: toTimestamp(declaredMs) }),
    ...(answers === undefined ? {} : { answers: identityOf(answers) }),
  })),
});
