// The compliance judge: whether an asset complied with a policy at one moment. It is a pure function of the policy, the
// asset's events and its attributes, so that a third party who evaluates it again gets the same verdict with the same
// evidence.
import type { Attributes } from '../records/attributes.ts';
import type { ComplianceType, PolicyContent } from '../records/policy.ts';
import { createEvaluatedAsset, type EvaluatedAsset } from './evaluatedAsset.ts';
import { type PolicyHistory, toDeclaredHistory } from './policyEvent.ts';
import { evaluateCurrentOutstanding } from './rules/currentOutstanding.ts';
import { evaluateDynamicTolerance } from './rules/dynamicTolerance.ts';
import { evaluatePeriodOutstanding } from './rules/periodOutstanding.ts';
import { evaluateRichness } from './rules/richness.ts';
import { evaluateSince } from './rules/since.ts';
import { finish, type Steps } from './steps.ts';
import type { Verdict } from './verdict.ts';

type Judge = <Ref>(policy: PolicyContent, asset: EvaluatedAsset<Ref>) => Steps<Verdict<Ref>>;

const JUDGES: Readonly<Record<ComplianceType, Judge>> = {
  COMPLIANCE_SINCE: evaluateSince,
  COMPLIANCE_CURRENT_OUTSTANDING: evaluateCurrentOutstanding,
  COMPLIANCE_PERIOD_OUTSTANDING: evaluatePeriodOutstanding,
  COMPLIANCE_DYNAMIC_TOLERANCE: evaluateDynamicTolerance,
  COMPLIANCE_RICHNESS: evaluateRichness,
};

/**
 * A judge of one asset at one time, for any number of policies: policies about the same events share the work of
 * ordering and pairing them. The work is in steps of bounded size, so that a server can serve other requests in
 * between.
 * @param history the asset's events in ledger order; events accepted after `atMs` don't count. It must not change while
 * the judge is used.
 * @param attributes the asset's attributes at `atMs`.
 * @param atMs milliseconds since the epoch.
 */
export const createSteppedJudge = <Ref>(
  history: PolicyHistory<Ref>,
  attributes: Attributes,
  atMs: number,
): ((policy: PolicyContent) => Steps<Verdict<Ref>>) => {
  const byAcceptance = createEvaluatedAsset(history, attributes, atMs);
  const byDeclaration = createEvaluatedAsset(toDeclaredHistory(history, atMs), attributes, atMs);
  return (policy) =>
    JUDGES[policy.compliance_type](policy, policy.judged_by === 'declared' ? byDeclaration : byAcceptance);
};

/** The same judge, which returns each verdict at once; see `createSteppedJudge`. */
export const createJudge = <Ref>(
  history: PolicyHistory<Ref>,
  attributes: Attributes,
  atMs: number,
): ((policy: PolicyContent) => Verdict<Ref>) => {
  const evaluateInSteps = createSteppedJudge(history, attributes, atMs);
  return (policy) => finish(evaluateInSteps(policy));
};

/** The verdict on one policy; see `createSteppedJudge`. */
export const evaluate = <Ref>(
  policy: PolicyContent,
  history: PolicyHistory<Ref>,
  attributes: Attributes,
  atMs: number,
): Verdict<Ref> => createJudge(history, attributes, atMs)(policy);
