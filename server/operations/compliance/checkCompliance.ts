// Judges an asset, as it was at a time, by the tenant's policies that apply to it. The verdict is that of all of them;
// the answer shows one page of them.
import type { PageQuery, PolicyEvents } from '../../../indexer/ledgerView.ts';
import { toEventRanges } from '../../../ledger/compliance/eventRange.ts';
import { isAbout } from '../../../ledger/compliance/filterMatch.ts';
import { createSteppedJudge } from '../../../ledger/compliance/judge.ts';
import type { Steps } from '../../../ledger/compliance/steps.ts';
import type { Evidence, Verdict } from '../../../ledger/compliance/verdict.ts';
import { normalizeTimestamp, toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { LedgerError, refuseField } from '../../../ledger/errors.ts';
import type { PolicyResource } from '../../../ledger/records/policy.ts';
import type { ServerDeps } from '../../deps.ts';
import { type MatchingPolicies, readMatchingPolicies } from '../../lists/matchingPolicies.ts';
import type { PageFilters } from '../../lists/pageTokens.ts';
import { openPage } from '../../lists/paging.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { isRefusedAs, repeatMissing } from '../../records/missing.ts';

// Not parameters of the request: they store the time and the block of the first page in the page token, so that later
// pages are evaluated at the same time and of the same records.
const REQUESTED_AT = 'asked_at';
const JUDGED_BLOCK = 'judged_block';
const JUDGED_HASH = 'judged_hash';

const toEvaluationMs = (filters: PageFilters): number => {
  const requestedMs = Date.parse(filters[REQUESTED_AT]!);
  const given = filters.compliant_at;
  return given === undefined
    ? requestedMs
    : Math.min(requestedMs, Date.parse(normalizeTimestamp(given, 'compliant_at')));
};

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

// Evidence as the client sees it: with the identities of events.
const toEvidence = ({ identityOf }: PolicyEvents, evidence: Evidence<number>) => ({
  ...evidence,
  events: evidence.events.map(({ event, acceptedMs, answers }) => ({
    identity: identityOf(event),
    timestamp_accepted: toTimestamp(acceptedMs),
    ...(answers === undefined ? {} : { answers: identityOf(answers) }),
  })),
});

const toStatement = (
  events: PolicyEvents,
  policy: PolicyResource,
  { compliant, reason, evidence }: Verdict<number>,
) => ({
  compliance_policy_identity: policy.identity,
  compliant,
  reason,
  evidence: toEvidence(events, evidence),
});

interface EvaluationInput extends MatchingPolicies<PolicyResource> {
  readonly events: PolicyEvents;
}

interface Judging {
  readonly tenantIdentity: string;
  readonly assetUuid: string;
  readonly atMs: number;
  readonly atBlock: number | undefined;
}

// The asset decides which policies apply to it, and these decide which of its events are read, all from one snapshot of
// the index.
const readEvaluationInput = async (
  { view, writer, runInSlices, catchUp }: ServerDeps,
  { tenantIdentity, assetUuid, atMs, atBlock }: Judging,
  query: Omit<PageQuery, 'isCounted'>,
): Promise<EvaluationInput> => {
  await writer.flush();
  const found: MatchingPolicies<PolicyResource>[] = [];
  const choose: Parameters<typeof view.readPolicyEvents>[3] = async ({ state }, listPolicies) => {
    const isMatching = (policy: PolicyResource) => isAbout(policy, state.attributes);
    const source = { listPolicies, runInSlices, isMatching };
    const matching = await readMatchingPolicies(source, query);
    found.push(matching);
    return toEventRanges(matching.all, atMs);
  };
  const read = () => view.readPolicyEvents(tenantIdentity, assetUuid, atMs, choose, atBlock);
  // Another server of the tenant may know a later block.
  const events = await repeatMissing(read, catchUp, isRefusedAs('REQUEST_INVALID'));
  const matching = found.at(-1);
  if (events === undefined || matching === undefined) throw new LedgerError('ASSET_NOT_FOUND');
  return { ...matching, events };
};

interface Verdicts {
  readonly compliant: boolean;
  readonly compliance: readonly ReturnType<typeof toStatement>[];
}

function* evaluateAll({ events, all, page }: EvaluationInput, atMs: number): Steps<Verdicts> {
  const judge = createSteppedJudge(events, events.asset.state.attributes, atMs);
  const verdicts = new Map<string, Verdict<number>>();
  for (const policy of all) {
    verdicts.set(policy.identity, yield* judge(policy));
    yield;
  }
  const compliance: ReturnType<typeof toStatement>[] = [];
  for (const policy of page.items) {
    compliance.push(toStatement(events, policy, verdicts.get(policy.identity)!));
    yield;
  }
  return { compliant: [...verdicts.values()].every(({ compliant }) => compliant), compliance };
}

export const checkCompliance = (deps: ServerDeps): Handler<'checkCompliance'> => {
  return async ({ caller: { tenantIdentity }, params: { uuid }, query }) => {
    const defaults = { order_by: 'DEFAULT', [REQUESTED_AT]: toTimestamp(deps.clock.evaluate()) };
    const list = `compliance/assets/${uuid}`;
    const opened = openPage(deps, { tenantIdentity, list, query, defaults, isTotalRequested: true });
    const atMs = toEvaluationMs(opened.filters);
    const atBlock = toBlock(opened.filters, deps.deploymentBlock);
    const input = await readEvaluationInput(deps, { tenantIdentity, assetUuid: uuid, atMs, atBlock }, opened.page);
    const verdict = await deps.runInSlices(evaluateAll(input, atMs));
    const { all, page, events } = input;
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
