// Evaluates a policy that a client may create on an asset, as it was at a time. Nothing is recorded.
import { isAbout } from '../../../ledger/compliance/filterMatch.ts';
import { assertPolicy, assertRequiredFields } from '../../../ledger/compliance/policyRules.ts';
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { evaluatePolicies, readEvaluationInput, toEvaluatedMs, toEvidenceJson } from '../../records/evaluation.ts';
import { toPolicyContent } from '../../records/newPolicy.ts';

export const tryPolicy =
  (deps: ServerDeps): Handler<'tryPolicy'> =>
  async ({ caller: { tenantIdentity }, params: { uuid: assetUuid }, query, body }) => {
    const { clock, runInSlices, writer } = deps;
    assertRequiredFields(body.compliance_type, body);
    const policy = toPolicyContent(body);
    assertPolicy(policy);
    const atMs = toEvaluatedMs(query.compliant_at, clock.evaluate());
    await writer.flush();
    const judging = { tenantIdentity, assetUuid, atMs, atBlock: undefined };
    const { events } = await readEvaluationInput(deps, judging, async () => ({ all: [policy] }));
    const [verdict] = await runInSlices(tenantIdentity, evaluatePolicies(events, [policy], atMs));
    const { compliant, reason, evidence } = verdict!;
    return {
      status: 200,
      isLarge: true,
      body: {
        applies: await runInSlices(tenantIdentity, isAbout(policy, events.asset.state.attributes)),
        compliant,
        reason,
        evidence: toEvidenceJson(events, evidence),
        compliant_at: toTimestamp(atMs),
      },
    };
  };
