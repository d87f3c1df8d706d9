// The compliance policies: what each demands of which assets.
import { api, receive } from '../api/client.ts';
import { Badge } from '../components/badges.tsx';
import { Copied } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';

type Policy = Awaited<ReturnType<typeof fetchPolicies>>['compliance_policies'][number];

const PAGE = 100;

const fetchPolicies = async (pageToken: string | null, signal: AbortSignal) => {
  const query = pageToken === null ? { page_size: PAGE } : { page_size: PAGE, page_token: pageToken };
  return (await receive(api.GET('/v1/compliance_policies', { params: { query }, signal }))).body;
};

const SKIPPED = new Set(['identity', 'display_name', 'description', 'compliance_type', 'asset_filter']);
const isStated = (value: unknown): boolean =>
  value !== '' && value !== '0' && value !== 0 && !(Array.isArray(value) && value.length === 0);
const toRule = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const PolicyEntry = ({ policy }: { policy: Policy }) => (
  <li class="policy">
    <h2 dir="auto">{policy.display_name}</h2>
    <p class="facts">
      <Badge tone="plain" text={policy.compliance_type.replace('COMPLIANCE_', '').toLowerCase().replaceAll('_', ' ')} />
      <Copied text={policy.identity} />
    </p>
    <p dir="auto">{policy.description}</p>
    <dl class="facts-list">
      <dt>Applies to</dt>
      <dd dir="auto">
        {policy.asset_filter.length === 0
          ? 'all assets'
          : policy.asset_filter.map((list) => list.or.join(' or ')).join(' and ')}
      </dd>
      {Object.entries(policy)
        .filter(([name, value]) => !SKIPPED.has(name) && isStated(value))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd dir="auto">{toRule(value)}</dd>
          </div>
        ))}
    </dl>
  </li>
);

export const PoliciesPage = () => {
  useTitle('Policies');
  const pageToken = useAddress().parameters.get('page_token');
  const loaded = useLoad(`${pageToken}`, (signal) => fetchPolicies(pageToken, signal));
  return (
    <>
      <h1>Policies</h1>
      <Shown loaded={loaded}>
        {({ compliance_policies, next_page_token }) => (
          <>
            {compliance_policies.length === 0 ? <Empty>No policy is recorded yet.</Empty> : null}
            <ul class="policies">
              {compliance_policies.map((policy) => (
                <PolicyEntry key={policy.identity} policy={policy} />
              ))}
            </ul>
            <Pager next={next_page_token} />
          </>
        )}
      </Shown>
    </>
  );
};
