// Judges an asset, as it was at a time, by the policies of the tenant that are about it. All of them make the verdict; a page of them is shown.
import type { PolicyEvents } from '../../indexer/ledgerView.ts';
import { createJudge } from '../../ledger/compliance/judge.ts';
import type { Verdict } from '../../ledger/compliance/verdict.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { PolicyResource } from '../../ledger/resources.ts';
import { normalizeTimestamp, toTimestamp } from '../../ledger/timestamp.ts';
import type { components } from '../api.gen.ts';
import type { ServerDeps } from '../deps.ts';
import type { Handler } from '../handlers.ts';
import { readMatchingPolicies } from '../matchingPolicies.ts';
import type { PageFilters } from '../pageTokens.ts';
import { openPage } from '../paging.ts';

type Statement = components['schemas']['ComplianceStatement'];
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

// The events that the verdicts stand on, by the identities that the client knows them by.
const readIdentities = async (
  events: PolicyEvents,
  verdicts: readonly Verdict<number>[],
): Promise<Map<number, string>> => {
  const refs = [...new Set(verdicts.flatMap(({ evidence }) => evidence.events))];
  const found = refs.length === 0 ? [] : await events.readEvents(refs);
  return new Map(refs.map((ref, index) => [ref, found[index]!.identity]));
};

const toStatements = async (
  events: PolicyEvents,
  policies: readonly PolicyResource[],
  judge: JudgePolicy,
): Promise<Statement[]> => {
  const identities = await readIdentities(events, policies.map(judge));
  return policies.map((policy) => {
    const { compliant, reason, evidence } = judge(policy);
    const named = { ...evidence, events: evidence.events.map((ref) => identities.get(ref)!) };
    return { compliance_policy_identity: policy.identity, compliant, reason, evidence: named as Statement['evidence'] };
  });
};

export const checkCompliance =
  (deps: ServerDeps): Handler<'checkCompliance'> =>
  async ({ caller: { tenantIdentity }, params: { uuid }, query }) => {
    const { view, now } = deps;
    const defaults = { order_by: 'DEFAULT', [ASKED_AT]: toTimestamp(now()) };
    const list = `compliance/assets/${uuid}`;
    const opened = openPage(deps, { tenantIdentity, list, query, defaults, isTotalAsked: true });
    const atMs = toJudgedMs(opened.filters);
    const events = await view.readPolicyEvents(tenantIdentity, uuid, atMs);
    if (events === undefined) throw new LedgerError('ASSET_NOT_FOUND');
    const { attributes } = events.asset.state;
    const { all, page } = await readMatchingPolicies({ view, tenantIdentity, attributes }, opened.page);
    const judge = createJudgeOnce(createJudge(events, attributes, atMs));
    const { status, headers, nextPageToken } = opened.toListAnswer({ next: page.next, total: all.length });
    return {
      status,
      headers,
      body: {
        // What was created between the two reads may be on the page alone.
        compliant: [...all, ...page.items].every((policy) => judge(policy).compliant),
        compliance: await toStatements(events, page.items, judge),
        compliant_at: toTimestamp(atMs),
        next_page_token: nextPageToken,
      },
    };
  };
