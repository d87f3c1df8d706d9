// The requests of bench:lists: those of bench:reads that are first pages and counts, as clients send them. Each request
// draws its own values from a seeded generator.
import { createRandom } from '../random.ts';
import {
  type BenchTenant,
  COUNTS,
  correlationOf,
  emailOf,
  serialOf,
  severityOf,
  siteOf,
  statusOf,
  technicianOf,
  typeNameOf,
  vendorOf,
} from '../reads/readsLedger.ts';

/** One kind of request. */
export interface ListQuery {
  readonly title: string;
  /** A count is the header of a page with one record. */
  readonly kind: 'page' | 'count';
  /** The path and query of one request, without `page_size`. */
  toPath(): string;
}

const DAY_MS = 24 * 3_600_000;
const SEED = 7;

type Parameters = Readonly<Record<string, string>>;

const toUrl = (path: string, parameters: Parameters): string => `${path}?${new URLSearchParams(parameters)}`;

const createPicks = (tenant: BenchTenant) => {
  const random = createRandom(SEED);
  const pick = (count: number): number => Math.floor(random() * count);
  const aDay = (): Parameters => {
    const from = pick(tenant.events);
    const at = (ms: number): string => new Date(tenant.toCommittedMs(from) + ms).toISOString();
    return { timestamp_accepted_since: at(0), timestamp_accepted_before: at(DAY_MS) };
  };
  return {
    aDay,
    correlation: () => correlationOf(pick(tenant.events)),
    serial: () => serialOf(pick(tenant.assets)),
    technician: () => technicianOf(pick(COUNTS.technicians)),
    vendor: () => vendorOf(pick(COUNTS.vendors)),
    half: () => String(pick(2)),
    email: () => emailOf(pick(COUNTS.people)),
  };
};

const ALL_EVENTS = '/v2/assets/-/events';
const ofEvent = (name: string, value: string): Parameters => ({ [`event_attributes.${name}`]: value });
const ofAsset = (name: string, value: string): Parameters => ({ [`asset.attributes.${name}`]: value });
const DENSE = ofEvent('arc_display_type', typeNameOf(0));
const OLDEST = { order_by: 'SIMPLEHASHV1' };

const page = (title: string, toParameters: () => Parameters, path = ALL_EVENTS): ListQuery => ({
  title,
  kind: 'page',
  toPath: () => toUrl(path, toParameters()),
});

const count = (title: string, toParameters: () => Parameters, path = ALL_EVENTS): ListQuery => ({
  ...page(title, toParameters, path),
  kind: 'count',
});

/** The kinds of requests of a tenant. */
export const createListQueries = (tenant: BenchTenant): ListQuery[] => {
  const { aDay, correlation, serial, technician, vendor, half, email } = createPicks(tenant);
  const ofBig = `/v2/assets/${tenant.assetUuidOf(0)}/events`;
  return [
    page('events', () => ({})),
    page('events, oldest accepted first', () => OLDEST),
    page('events, 1 filter that 29 % meet', () => DENSE),
    page('events, 1 filter that 2 events meet', () => ofEvent('arc_correlation_value', correlation())),
    page('events, 1 filter that 29 % meet, oldest accepted first', () => ({ ...DENSE, ...OLDEST })),
    page('events of the big asset', () => ({}), ofBig),
    page('events of the big asset, 1 filter', () => DENSE, ofBig),
    page('events, 1 filter of 200 values', () => ofEvent('technician', technician())),
    page('events, 3 filters', () => ({
      ...DENSE,
      ...ofEvent('severity', severityOf(0)),
      ...ofEvent('technician', technician()),
    })),
    page('events, 3 filters that hardly any meets', () => ({
      ...ofEvent('arc_display_type', typeNameOf(COUNTS.types - 1)),
      ...ofEvent('site', siteOf(COUNTS.sites - 1)),
      ...ofEvent('technician', technicianOf(COUNTS.technicians - 1)),
    })),
    page('events, 3 filters, one `*`, one `!`', () => ({
      ...ofEvent('technician', technician()),
      'asset_attributes.status': '*',
      ...ofEvent('severity!', severityOf(0)),
    })),
    page('events, 1 filter on the asset that 1 asset meets', () => ofAsset('serial', serial())),
    page('events, 1 filter on the asset that 5 % of assets meet', () => ofAsset('vendor', vendor())),
    page('events, 1 filter on the asset that half of them meet', () => ofAsset('half', half())),
    page('events, principal of 200', () => ({ 'principal_declared.email': email() })),
    page('events of a day, 1 filter', () => ({ ...DENSE, ...aDay() })),
    page('assets', () => ({}), '/v2/assets'),
    page('assets, 1 filter', () => ({ 'attributes.vendor': vendor() }), '/v2/assets'),
    page(
      'assets, 3 filters',
      () => ({ 'attributes.half': '0', 'attributes.site': siteOf(0), 'attributes.status!': statusOf(0) }),
      '/v2/assets',
    ),
    count('count of events, 1 filter that 29 % meet', () => DENSE),
    count('count of events, 1 filter of 200 values', () => ofEvent('technician', technician())),
    count("count of the big asset's events, 1 filter", () => DENSE, ofBig),
    count('count of events, 1 filter on the asset that 5 % of assets meet', () => ofAsset('vendor', vendor())),
  ];
};
