// Judges an asset, as it was at a time, by the policies of the tenant that are about it. All of them make the verdict; a page of them is shown.
import type { PageQuery, PolicyEvents } from '../../indexer/ledgerView.ts';
import { toEventRanges } from '../../ledger/compliance/eventRange.ts';
import { createJudge } from '../../ledger/compliance/judge.ts';
import type { Evidence, Verdict } from '../../ledger/compliance/verdict.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { PolicyResource } from '../../ledger/resources.ts';
import { normalizeTimestamp, toTimestamp } from '../../ledger/timestamp.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';
import { type MatchingPolicies, readMatchingPolicies } from '../matchingPolicies.ts';
import type { PageFilters } from '../pageTokens.ts';
import { openPage } from '../paging.ts';

type JudgePolicy = (policy: PolicyResource) => Verdict<number>;

// No parameter of a client: with it a page token carries the time of the first page, which the later ones are judged at too.
const ASKED_AT = 'asked_at';

const toJudgedMs = (filters: PageFilters): number => {
  const askedMs = Date.parse(filters[ASKED_AT]!);
  const given = filters.compliant_at;
  return given === undefined ? askedMs : Math.min(askedMs, Date.parse(normalizeTimestamp(given, 'compliant_at')));
};

const createJudgeOnce = (judge: JudgePolicy): JudgePolicy => {
  const verdicts = new Map<string, Verdict<number>>();
  return (policy) => {
    const verdict = verdicts.get(policy.identity) ?? judge(policy);
    verdicts.set(policy.identity, verdict);
    return verdict;
  };
};

// Evidence as the client knows it: events by their identities.
const toEvidence = ({ identityOf }: PolicyEvents, evidence: Evidence<number>) => ({
  ...evidence,
  events: evidence.events.map(({ event, acceptedMs, answers }) => ({
    identity: identityOf(event),
    timestamp_accepted: toTimestamp(acceptedMs),
    ...(answers === undefined ? {} : { answers: identityOf(answers) }),
  })),
});

const toStatement = (events: PolicyEvents, policy: PolicyResource, judge: JudgePolicy) => {
  const { compliant, reason, evidence } = judge(policy);
  return { compliance_policy_identity: policy.identity, compliant, reason, evidence: toEvidence(events, evidence) };
};

interface Judged extends MatchingPolicies {
  readonly events: PolicyEvents;
}

// The asset says which policies are about it, and these which of its events are read: all of one moment.
const readJudged = async (
  { view, writer }: ServerDeps,
  { tenantIdentity, assetUuid }: { tenantIdentity: string; assetUuid: string },
  atMs: number,
  query: Omit<PageQuery, 'isCounted'>,
): Promise<Judged> => {
  await writer.flush();
  const found: MatchingPolicies[] = [];
  const events = await view.readPolicyEvents(tenantIdentity, assetUuid, atMs, async ({ state: { attributes } }) => {
    const matching = await readMatchingPolicies({ view, tenantIdentity, attributes }, query);
    found.push(matching);
    return toEventRanges([...matching.all, ...matching.page.items], atMs);
  });
  const [matching] = found;
  if (events === undefined || matching === undefined) throw new LedgerError('ASSET_NOT_FOUND');
  return { ...matching, events };
};

export const checkCompliance =
  (deps: ServerDeps): Handler<'checkCompliance'> =>
  async ({ caller: { tenantIdentity }, params: { uuid }, query }) => {
    const defaults = { order_by: 'DEFAULT', [ASKED_AT]: toTimestamp(deps.clock.judge()) };
    const list = `compliance/assets/${uuid}`;
    const opened = openPage(deps, { tenantIdentity, list, query, defaults, isTotalAsked: true });
    const atMs = toJudgedMs(opened.filters);
    const { events, all, page } = await readJudged(deps, { tenantIdentity, assetUuid: uuid }, atMs, opened.page);
    const judge = createJudgeOnce(createJudge(events, events.asset.state.attributes, atMs));
    const { status, headers, nextPageToken } = opened.toListAnswer({ next: page.next, total: all.length });
    return {
      status,
      headers,
      body: {
        // What was created between the two reads may be on the page alone.
        compliant: [...all, ...page.items].every((policy) => judge(policy).compliant),
        compliance: page.items.map((policy) => toStatement(events, policy, judge)),
        compliant_at: toTimestamp(atMs),
        next_page_token: nextPageToken,
      },
    };
  };
