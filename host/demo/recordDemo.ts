// Records a plan through the API. Every create has an idempotency key that follows from the name of the demo, so a
// second run records nothing.
import type { OnStep } from '../ledgerOptions.ts';
import type { DemoApis } from './demoApplications.ts';
import { toEventRequests } from './eventTurns.ts';
import { createPdf } from './pdf.ts';
import type { DemoAuthor, PlannedAsset, PlannedEvent, PlannedFile } from './plan.ts';
import { PORTS, type SeaPort } from './ports.ts';

/** A file that was uploaded. */
export interface RecordedFile {
  readonly plan: PlannedFile;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly blob: BlobAnswer;
}

/** An event that was recorded. */
export interface RecordedEvent {
  readonly plan: PlannedEvent;
  readonly identity: string;
}

/** An asset that was recorded, with its events. */
export interface RecordedAsset {
  readonly plan: PlannedAsset;
  readonly identity: string;
  readonly events: readonly RecordedEvent[];
}

/** All that a run of the demo has recorded, now or in an earlier run. */
export interface RecordedDemo {
  /** Name of the demo. */
  readonly name: string;
  /** When the first asset was created: the times of the plan are relative to it. */
  readonly createdAtMs: number;
  readonly assets: readonly RecordedAsset[];
  readonly files: readonly RecordedFile[];
  /** Records the events that a plan leaves for the end. */
  readonly recordLate: () => Promise<void>;
}

interface BlobAnswer {
  readonly identity: string;
  readonly hash: { readonly alg: string; readonly value: string };
}

interface CreatedAsset {
  readonly plan: PlannedAsset;
  readonly identity: string;
  readonly atTimeMs: number;
}

interface AuthoredEvent {
  readonly author: DemoAuthor;
  readonly plan: PlannedEvent;
  readonly asset: CreatedAsset;
  readonly body: object;
}

/** What events name: where ports are in the ledger, and the files. */
interface Named {
  readonly name: string;
  readonly createdAtMs: number;
  readonly locations: ReadonlyMap<SeaPort, string>;
  readonly files: ReadonlyMap<PlannedFile, RecordedFile>;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const REQUESTS_AT_ONCE = 8;

const mapSome = async <T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += REQUESTS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + REQUESTS_AT_ONCE).map(run))));
  return results;
};

const toTime = (createdAtMs: number, hoursAgo: number): string =>
  new Date(createdAtMs - Math.round(hoursAgo * HOUR_MS)).toISOString();

const createLocations = async ({ port: api }: DemoApis): Promise<Map<SeaPort, string>> => {
  const created = await mapSome(PORTS, async (port): Promise<[SeaPort, string]> => {
    const body = {
      display_name: `Port of ${port.name}`,
      latitude: String(port.latitude),
      longitude: String(port.longitude),
      attributes: { un_locode: port.code },
    };
    return [port, (await api.post<{ identity: string }>('/v2/locations', body, `demo-location-${port.code}`)).identity];
  });
  return new Map(created);
};

const createAssets = async (
  apis: DemoApis,
  { name, plans, locations }: { name: string; plans: readonly PlannedAsset[]; locations: ReadonlyMap<SeaPort, string> },
): Promise<CreatedAsset[]> => {
  const create = async (plan: PlannedAsset): Promise<CreatedAsset> => {
    const arc_home_location_identity = locations.get(plan.home)!;
    const attributes = { ...plan.attributes, demo: name, arc_home_location_identity };
    const body = { behaviours: plan.behaviours, public: plan.isPublic, attributes };
    const key = `demo-${name}-${plan.name}`;
    const asset = await apis[plan.author].post<{ identity: string; at_time: string }>('/v2/assets', body, key);
    return { plan, identity: asset.identity, atTimeMs: Date.parse(asset.at_time) };
  };
  // The first one, before the others: the times of the demo are relative to its creation.
  return [await create(plans[0]!), ...(await mapSome(plans.slice(1), create))];
};

const uploadFiles = async (
  apis: DemoApis,
  { name, createdAtMs, plans }: { name: string; createdAtMs: number; plans: readonly PlannedAsset[] },
): Promise<Map<PlannedFile, RecordedFile>> => {
  const events = plans.flatMap(({ events }) => events).filter(({ file }) => file !== undefined);
  const files = await mapSome(events, async ({ file, author }): Promise<[PlannedFile, RecordedFile]> => {
    const plan = file!;
    const issued = `Issued on ${toTime(createdAtMs, plan.issuedHoursAgo).slice(0, 10)}`;
    const bytes = Uint8Array.from(createPdf([plan.title, issued, ...plan.lines]));
    return [plan, { plan, bytes, blob: await apis[author].upload<BlobAnswer>(bytes, `demo-${name}-${plan.name}`) }];
  });
  return new Map(files);
};

const toAttachment = ({ plan, blob }: RecordedFile) => ({
  arc_attachment_identity: blob.identity,
  arc_display_name: `${plan.title}.pdf`,
  arc_hash_value: blob.hash.value,
  arc_hash_alg: blob.hash.alg,
});

const toBehaviour = ({ file, home }: PlannedEvent): { behaviour: string; operation: string } => {
  if (file !== undefined) return { behaviour: 'Attachments', operation: 'Attach' };
  if (home !== undefined) return { behaviour: 'LocationUpdate', operation: 'SetHomeLocation' };
  return { behaviour: 'RecordEvidence', operation: 'Record' };
};

/** The request for an event, without its asset and its key. `locations` and `files` have those that it names. */
export const toDemoEventBody = (event: PlannedEvent, named: Omit<Named, 'name'>): object => {
  const attached = event.file && named.files.get(event.file)!;
  const home = event.home && named.locations.get(event.home)!;
  return {
    ...toBehaviour(event),
    timestamp_declared: toTime(named.createdAtMs, event.hoursAgo),
    principal_declared: event.actor,
    event_attributes: {
      arc_display_type: event.type,
      arc_description: event.description,
      ...event.eventAttributes,
      ...(attached && { arc_append_attachments: [toAttachment(attached)] }),
    },
    asset_attributes: { ...event.assetAttributes, ...(home && { arc_home_location_identity: home }) },
  };
};

const toAuthored = (asset: CreatedAsset, named: Named): AuthoredEvent[] =>
  asset.plan.events.map((plan, position) => ({
    author: plan.author,
    plan,
    asset,
    body: {
      asset_identity: asset.identity,
      idempotency_key: `demo-${named.name}-${asset.plan.name}-${position}`,
      ...toDemoEventBody(plan, named),
    },
  }));

const recordEvents = async (
  apis: DemoApis,
  events: readonly (readonly AuthoredEvent[])[],
  onStep: OnStep,
): Promise<Map<PlannedEvent, RecordedEvent>> => {
  const recorded = new Map<PlannedEvent, RecordedEvent>();
  const total = events.flat().length;
  for (const request of toEventRequests(events)) {
    const identities = await apis[request.author].postEvents(request.events.map(({ body }) => body));
    for (const [index, { plan }] of request.events.entries())
      recorded.set(plan, { plan, identity: identities[index]! });
    onStep({ title: 'recording', done: recorded.size, total, unit: 'events' });
  }
  return recorded;
};

/** Records a plan, except what it leaves for the end. Shows its progress by `onStep`. */
export const recordDemo = async (
  apis: DemoApis,
  name: string,
  plans: readonly PlannedAsset[],
  onStep: OnStep,
): Promise<RecordedDemo> => {
  const locations = await createLocations(apis);
  const assets = await createAssets(apis, { name, plans, locations });
  const createdAtMs = Math.floor(assets[0]!.atTimeMs / MINUTE_MS) * MINUTE_MS;
  const files = await uploadFiles(apis, { name, createdAtMs, plans });
  const events = assets.map((asset) => toAuthored(asset, { name, createdAtMs, locations, files }));
  const select = (isLate: boolean) => events.map((own) => own.filter(({ plan }) => (plan.isLate ?? false) === isLate));
  const recorded = await recordEvents(apis, select(false), onStep);
  return {
    name,
    createdAtMs,
    assets: assets.map(({ plan, identity }) => ({
      plan,
      identity,
      events: plan.events.flatMap((event) => recorded.get(event) ?? []),
    })),
    files: [...files.values()],
    recordLate: async () => {
      await recordEvents(apis, select(true), () => undefined);
    },
  };
};
