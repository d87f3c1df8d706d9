// The filters of the list of events: all that the interface has.
import { useAddress } from '../state/address.ts';
import { type AttributeMaps, type FilterField, FilterForm, type FilterGroup } from './filterForm.tsx';

/** The page's own parameter: the identity of the asset whose events are listed. */
export const ASSET_PARAMETER = 'asset_identity';

const SIMPLE: readonly FilterField[] = [
  { name: 'attributes.arc_display_type', title: 'Type' },
  { name: 'principal_declared.display_name', title: 'Who (name)' },
  { name: 'timestamp_accepted_since', title: 'Since', isTime: true },
  { name: 'timestamp_accepted_before', title: 'Before', isTime: true },
  { name: 'attributes.arc_description', title: 'Description' },
  {
    name: 'order_by',
    title: 'Order',
    values: [
      ['', 'newest first'],
      ['SIMPLEHASHV2', 'oldest first'],
    ],
  },
];

const toPrincipalGroup = (kind: 'declared' | 'accepted', title: string, skipped: readonly string[]): FilterGroup => ({
  title,
  fields: [
    { name: `principal_${kind}.display_name`, title: 'Name' },
    { name: `principal_${kind}.email`, title: 'Email address' },
    { name: `principal_${kind}.subject`, title: 'Subject' },
    { name: `principal_${kind}.issuer`, title: 'Issuer' },
  ].filter(({ name }) => !skipped.includes(name)),
});

const MORE: readonly FilterGroup[] = [
  toPrincipalGroup('declared', 'Declared by', ['principal_declared.display_name']),
  toPrincipalGroup('accepted', 'Accepted from', []),
  {
    title: 'What was done',
    fields: [
      {
        name: 'behaviour',
        title: 'Behaviour',
        suggestions: ['AssetCreator', 'Attachments', 'Builtin', 'Firmware', 'LocationUpdate', 'Maintenance'],
      },
      {
        name: 'operation',
        title: 'Operation',
        suggestions: ['NewAsset', 'Record', 'Attach', 'SetHomeLocation', 'StartTracking', 'StopTracking', 'Update'],
      },
    ],
  },
  {
    title: 'Other times',
    fields: [
      { name: 'timestamp_declared_since', title: 'Declared since', isTime: true },
      { name: 'timestamp_declared_before', title: 'Declared before', isTime: true },
      { name: 'timestamp_committed_since', title: 'Committed since', isTime: true },
      { name: 'timestamp_committed_before', title: 'Committed before', isTime: true },
    ],
  },
  {
    title: 'On the chain',
    fields: [
      {
        name: 'confirmation_status',
        title: 'State',
        values: [
          ['', 'any'],
          ['CONFIRMED', 'on the ledger'],
          ['PENDING', 'pending'],
          ['FAILED', 'failed'],
        ],
      },
      { name: 'transaction_id', title: 'Transaction' },
      { name: 'from', title: 'Author’s key (address)' },
      {
        name: 'proof_mechanism',
        title: 'Proof mechanism',
        values: [
          ['', 'any'],
          ['KHIPU', 'KHIPU'],
          ['SIMPLE_HASH', 'SIMPLE_HASH'],
          ['MERKLE_LOG', 'MERKLE_LOG'],
        ],
      },
    ],
  },
];

const MAPS: AttributeMaps = [
  ['attributes', 'what the event says'],
  ['asset_attributes', 'what it set on the asset'],
  ['asset.attributes', 'the asset, as it is now'],
];

// Midnight, local, some days ago.
const toMidnight = (daysAgo: number): string => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).toISOString();
};

const PERIODS = [
  ['today', 0],
  ['since yesterday', 1],
  ['last 7 days', 6],
] as const;

const Periods = () => {
  const { toLink } = useAddress();
  const toPeriod = (days: number): string =>
    toLink({
      timestamp_accepted_since: toMidnight(days),
      timestamp_accepted_before: undefined,
      page_token: undefined,
    });
  return (
    <ul class="chips" aria-label="Periods">
      {PERIODS.map(([title, days]) => (
        <li key={title}>
          <a href={toPeriod(days)}>{title}</a>
        </li>
      ))}
    </ul>
  );
};

/** The form of the list of events. */
export const EventFilterForm = () => (
  <FilterForm simple={SIMPLE} more={MORE} maps={MAPS} others={[[ASSET_PARAMETER, 'Asset']]}>
    <Periods />
  </FilterForm>
);
