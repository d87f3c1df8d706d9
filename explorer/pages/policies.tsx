// The compliance policies: what each demands of which assets.
import { api, receive } from '../api/client.ts';
import { fetchPolicyCaps } from '../api/policies.ts';
import type { PolicyAnswer } from '../api/writes.ts';
import { CsvDownload } from '../components/csvDownload.tsx';
import { type FilterField, FilterForm } from '../components/filterForm.tsx';
import { FormLink } from '../components/formLink.tsx';
import { Identity } from '../components/links.tsx';
import { type ListColumn, ListTable } from '../components/listTable.tsx';
import { Pager } from '../components/pager.tsx';
import { PolicyFacts } from '../components/policyFacts.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';
import { POLICY_TYPES, toPolicyName } from '../text/policyTypes.ts';

const PAGE = 100;
const PASSED_ON = ['page_token', 'compliance_type', 'display_name', 'order_by'];

const FIELDS: readonly FilterField[] = [
  {
    name: 'compliance_type',
    title: 'Type',
    values: [['', 'all'], ...Object.entries(POLICY_TYPES).map(([type, { title }]) => [type, title] as const)],
  },
  { name: 'display_name', title: 'Name' },
  {
    name: 'order_by',
    title: 'Order',
    values: [
      ['', 'newest first'],
      ['DISPLAY_NAME', 'by name'],
    ],
  },
];

const fetchPolicies = async (parameters: URLSearchParams, signal: AbortSignal) => {
  const given = Object.fromEntries([...parameters].filter(([name]) => PASSED_ON.includes(name)));
  const params = { query: { ...given, page_size: PAGE } };
  return (await receive(api.GET('/v1/compliance_policies', { params, signal }))).body;
};

const COLUMNS: readonly ListColumn<PolicyAnswer>[] = [
  {
    title: 'Name',
    cell: (policy) => (
      <Identity identity={policy.identity}>
        <span dir="auto">{toPolicyName(policy)}</span>
      </Identity>
    ),
    sortBy: toPolicyName,
  },
  {
    title: 'Type',
    cell: ({ compliance_type }) => POLICY_TYPES[compliance_type].title,
    sortBy: ({ compliance_type }) => POLICY_TYPES[compliance_type].title,
  },
  { title: 'Description', cell: ({ description }) => description, isLong: true },
  { title: 'Demand', cell: (policy) => <PolicyFacts policy={policy} />, isLong: true },
];

// How many more there may be; nothing while it isn't known.
const Quota = ({ shown }: { shown: string }) => {
  const { value } = useLoad(shown, fetchPolicyCaps);
  return value === undefined ? null : <p class="hint">{value} more can be created.</p>;
};

export const PoliciesPage = () => {
  useTitle('Policies');
  const { parameters } = useAddress();
  const loaded = useLoad(parameters.toString(), (signal) => fetchPolicies(parameters, signal));
  return (
    <>
      <header class="heading">
        <h1>Policies</h1>
        <FormLink href="/policies/new" text="New policy" right="policies" />
      </header>
      <Quota shown="caps" />
      <FilterForm simple={FIELDS} more={[]} maps={[]} />
      <Shown loaded={loaded}>
        {({ compliance_policies, next_page_token }) => (
          <>
            {compliance_policies.length === 0 ? (
              <Empty>No policy matches, or none is recorded yet.</Empty>
            ) : (
              <ListTable
                columns={COLUMNS}
                records={compliance_policies}
                keyOf={({ identity }) => identity}
                hasMore={next_page_token !== ''}
              />
            )}
            <Pager next={next_page_token} />
            <CsvDownload
              name="policies"
              fetchPage={async (page_token, signal) => {
                const page = await fetchPolicies(
                  new URLSearchParams({ ...Object.fromEntries(parameters), page_token }),
                  signal,
                );
                return { records: page.compliance_policies, next: page.next_page_token };
              }}
            />
          </>
        )}
      </Shown>
    </>
  );
};
