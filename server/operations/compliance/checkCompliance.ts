// Judges an asset, as it was at a time, by the tenant's policies that apply to it. The verdict is that of all of them;
// the answer shows one page of them.
import type { PageQuery, PolicyEvents } from '../../../indexer/ledgerView.ts';
import { isAbout } from '../../../ledger/compliance/filterMatch.ts';
import type { Steps } from '../../../ledger/compliance/steps.ts';
import type { Verdict } from '../../../ledger/compliance/verdict.ts';
import { toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { refuseField } from '../../../ledger/errors.ts';
import type { PolicyResource } from '../../../ledger/records/policy.ts';
import type { ServerDeps } from '../../deps.ts';
import { type MatchingPolicies, readMatchingPolicies } from '../../lists/matchingPolicies.ts';
import type { PageFilters } from '../../lists/pageTokens.ts';
import { openDatedPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import {
  type EvaluationInput,
  evaluatePolicies,
  type Judging,
  readEvaluationInput,
  toEvaluatedMs,
  toEvidenceJson,
} from '../../records/evaluation.ts';

// Not parameters of the request: they store the block of the first page in the page token, so that later pages are
// evaluated of the same records.
const JUDGED_BLOCK = 'judged_block';
const JUDGED_HASH = 'judged_hash';
const DEFAULTS = { order_by: 'DEFAULT' };

const toBlock = ({ at_block: given, [JUDGED_BLOCK]: judged }: PageFilters, deploymentBlock = 0): number | undefined => {
  if (given === undefined) return judged === undefined ? undefined : Number(judged);
  const block = Number(given);
  if (block >= deploymentBlock) return block;
  throw refuseField('REQUEST_INVALID', 'at_block', `is before the ledger, which begins with block ${deploymentBlock}`);
};

const toBlockFields = async (
  { findBlockHash }: ServerDeps,
  { block }: Pick<PolicyEvents, 'block'>,
  { [JUDGED_HASH]: known }: PageFilters,
) => ({
  block_number: block?.number ?? null,
  block_hash: known ?? block?.hash ?? (block && (await findBlockHash?.(block.number))) ?? null,
});

// What the first page adds to the page token. One that counts records which no block has yet has no block: then each
// page counts what the server has.
const toKept = (block: Awaited<ReturnType<typeof toBlockFields>>, { position }: PageQuery): PageFilters => {
  if (position !== undefined || block.block_number === null) return {};
  const kept = { [JUDGED_BLOCK]: String(block.block_number) };
  return block.block_hash === null ? kept : { ...kept, [JUDGED_HASH]: block.block_hash };
};

const toStatement = (
  events: PolicyEvents,
  policy: PolicyResource,
  { compliant, reason, evidence }: Verdict<number>,
) => ({
  compliance_policy_identity: policy.identity,
  compliant,
  reason,
  evidence: toEvidenceJson(events, evidence),
});

type Input = EvaluationInput<MatchingPolicies<PolicyResource>>;

const readMatching = async (
  deps: ServerDeps,
  judging: Judging,
  query: Omit<PageQuery, 'isCounted'>,
): Promise<Input> => {
  const { writer, runInSlices } = deps;
  await writer.flush();
  return readEvaluationInput(deps, judging, ({ state }, listPolicies) => {
    const isMatching = (policy: PolicyResource) => isAbout(policy, state.attributes);
    return readMatchingPolicies({ party: judging.tenantIdentity, listPolicies, runInSlices, isMatching }, query);
  });
};

interface Verdicts {
  readonly compliant: boolean;
  readonly compliance: readonly ReturnType<typeof toStatement>[];
}

function* evaluateAll({ events, chosen: { all, page } }: Input, atMs: number): Steps<Verdicts> {
  const verdicts = yield* evaluatePolicies(events, all, atMs);
  const byIdentity = new Map(all.map(({ identity }, at) => [identity, verdicts[at]!]));
  const compliance: ReturnType<typeof toStatement>[] = [];
  for (const policy of page.items) {
    compliance.push(toStatement(events, policy, byIdentity.get(policy.identity)!));
    yield;
  }
  return { compliant: verdicts.every(({ compliant }) => compliant), compliance };
}

export const checkCompliance = (deps: ServerDeps): Handler<'checkCompliance'> => {
  return async ({ caller: { tenantIdentity }, params: { uuid }, query }) => {
    const nowMs = deps.clock.evaluate();
    const list = `compliance/assets/${uuid}`;
    const opened = openDatedPage(deps, {
      tenantIdentity,
      list,
      query,
      defaults: DEFAULTS,
      isTotalRequested: true,
      nowMs,
    });
    const atMs = toEvaluatedMs(opened.filters.compliant_at, opened.requestedMs);
    const atBlock = toBlock(opened.filters, deps.deploymentBlock);
    const input = await readMatching(deps, { tenantIdentity, assetUuid: uuid, atMs, atBlock }, opened.page);
    const verdict = await deps.runInSlices(tenantIdentity, evaluateAll(input, atMs));
    const {
      events,
      chosen: { all, page },
    } = input;
    const block = await toBlockFields(deps, events, opened.filters);
    const { status, headers, nextPageToken } = opened.toListAnswer(
      { ...page, total: all.length },
      toKept(block, opened.page),
    );
    return {
      status,
      headers,
      isLarge: true,
      body: { ...verdict, compliant_at: toTimestamp(atMs), ...block, next_page_token: nextPageToken },
    };
  };
};
