// Judges many assets, as they were at one time, by the policies of the tenant: a summary for each. Each asset is judged
// as `checkCompliance` judges it, one after the other.
import { isAbout } from '../../../ledger/compliance/filterMatch.ts';
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { toUuid } from '../../../ledger/identity.ts';
import type { PolicyResource } from '../../../ledger/records/policy.ts';
import type { ServerDeps } from '../../deps.ts';
import { toProblemAnswer } from '../../http/problems.ts';
import { readMatchingPolicies } from '../../lists/matchingPolicies.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { evaluatePolicies, type Judging, readEvaluationInput, toEvaluatedMs } from '../../records/evaluation.ts';
import { isRefusedAs } from '../../records/missing.ts';

const ALL_POLICIES = { limit: Number.MAX_SAFE_INTEGER, position: undefined };

/** What it costs to judge an asset, in records. */
const ASSET_COST = 250;

const isUnknown = isRefusedAs('ASSET_NOT_FOUND');

const judge = async (deps: ServerDeps, judging: Judging) => {
  const { runInSlices } = deps;
  const { tenantIdentity: party } = judging;
  const { events, chosen } = await readEvaluationInput(deps, judging, ({ state }, listPolicies) => {
    const isMatching = (policy: PolicyResource) => isAbout(policy, state.attributes);
    return readMatchingPolicies({ party, listPolicies, runInSlices, isMatching }, ALL_POLICIES);
  });
  const verdicts = await runInSlices(party, evaluatePolicies(events, chosen.all, judging.atMs));
  const failing = chosen.all.filter((_, at) => !verdicts[at]!.compliant).map(({ identity }) => identity);
  return { compliant: failing.length === 0, policies_total: verdicts.length, failing_policies: failing };
};

const judgeOrRefuse = async (deps: ServerDeps, judging: Judging) => {
  try {
    return { status: 200, ...(await judge(deps, judging)) };
  } catch (error) {
    if (!isUnknown(error)) throw error;
    const { status, problem } = toProblemAnswer(error);
    return { status, error: problem };
  }
};

export const checkAssets =
  (deps: ServerDeps): Handler<'checkAssets'> =>
  async ({ caller: { tenantIdentity }, body, closed }) => {
    const { asset_identities: identities, compliant_at: given } = body;
    const atMs = toEvaluatedMs(given, deps.clock.evaluate());
    await deps.writer.flush();
    const assets: ({ asset_identity: string } & Awaited<ReturnType<typeof judgeOrRefuse>>)[] = [];
    for (const identity of identities) {
      closed.throwIfAborted();
      const assetUuid = toUuid(identity).toLowerCase();
      const judging = { tenantIdentity, assetUuid, atMs, atBlock: undefined };
      const task = { cost: ASSET_COST, signal: closed };
      const verdict = await deps.runRead(tenantIdentity, () => judgeOrRefuse(deps, judging), task);
      assets.push({ asset_identity: `assets/${assetUuid}`, ...verdict });
    }
    return { status: 200, body: { compliant_at: toTimestamp(atMs), assets } };
  };
