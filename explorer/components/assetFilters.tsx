// The filters of the list of assets: all that the interface has.
import { type FilterField, FilterForm, type FilterGroup } from './filterForm.tsx';

/** What the name of a parameter that filters by an attribute begins with. */
export const FILTER_PREFIX = 'attributes.';

const SIMPLE: readonly FilterField[] = [
  { name: 'attributes.arc_display_type', title: 'Type' },
  { name: 'attributes.arc_display_name', title: 'Name' },
  {
    name: 'tracked',
    title: 'Tracked',
    values: [
      ['', 'tracked'],
      ['NOT_TRACKED', 'not tracked'],
      ['ANY', 'both'],
    ],
  },
  {
    name: 'privacy',
    title: 'Kind',
    values: [
      ['', 'public and others'],
      ['PUBLIC', 'public'],
      ['RESTRICTED', 'not public'],
    ],
  },
  {
    name: 'order_by',
    title: 'Order',
    values: [
      ['', 'newest first'],
      ['SIMPLEHASHV2', 'oldest first'],
    ],
  },
];

const MORE: readonly FilterGroup[] = [
  {
    title: 'The asset',
    fields: [
      { name: 'attributes.arc_serial_number', title: 'Serial number' },
      { name: 'attributes.arc_home_location_identity', title: 'Home location (identity)' },
      {
        name: 'behaviours',
        title: 'Has the behaviour',
        suggestions: ['RecordEvidence', 'Attachments', 'Firmware', 'Maintenance', 'LocationUpdate'],
      },
    ],
  },
  {
    title: 'The record',
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
      { name: 'owner', title: 'Owner (wallet address)' },
      { name: 'tenant_identity', title: 'Tenant (identity)' },
      { name: 'chain_id', title: 'Chain id' },
    ],
  },
];

/** The form of the list of assets. */
export const AssetFilterForm = () => (
  <FilterForm simple={SIMPLE} more={MORE} maps={[['attributes', 'the asset']]} others={[['public', 'Public']]} />
);
