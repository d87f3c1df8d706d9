// What the server says of the demo's assets: which are not compliant and why, and which were not and are again.
import type { EventResource } from '../../ledger/records/event.ts';
import type { DemoApi } from './demoApi.ts';
import type { PlannedEvent } from './plan.ts';
import { TEMPERATURE_MAX } from './readings.ts';
import type { RecordedAsset } from './recordDemo.ts';

/** An asset that is not compliant, with the reasons of its policies. */
export interface RedAsset {
  readonly asset: RecordedAsset;
  readonly reasons: readonly string[];
}

/** An asset that complies, and did not at a time in the past. */
export interface RecoveredAsset {
  readonly asset: RecordedAsset;
  /** ISO 8601, for `compliant_at`. */
  readonly redAt: string;
}

interface Verdict {
  readonly compliant: boolean;
  readonly compliance: readonly {
    readonly compliance_policy_identity: string;
    readonly compliant: boolean;
    readonly reason: string;
  }[];
}

const isTooWarm = ({ assetAttributes }: PlannedEvent): boolean =>
  Number(assetAttributes.temperature ?? TEMPERATURE_MAX) > TEMPERATURE_MAX;

const checkAsset = (api: DemoApi, { identity }: RecordedAsset, at?: string): Promise<Verdict> =>
  api.get(`/v1/compliance/${identity}${at === undefined ? '' : `?compliant_at=${at}`}`);

/** The assets that are not compliant now. `policyNames` has the names of the policies by identity. */
export const readRedAssets = async (
  api: DemoApi,
  assets: readonly RecordedAsset[],
  policyNames: ReadonlyMap<string, string>,
): Promise<RedAsset[]> => {
  const red: RedAsset[] = [];
  for (const asset of assets) {
    const { compliant, compliance } = await checkAsset(api, asset);
    const failed = compliance.filter((statement) => !statement.compliant);
    const reasons = failed.map((one) => `${policyNames.get(one.compliance_policy_identity) ?? ''}: ${one.reason}`);
    if (!compliant) red.push({ asset, reasons });
  }
  return red;
};

/** The first asset that was too warm and complies now; undefined when the server knows none. */
export const findRecoveredAsset = async (
  api: DemoApi,
  assets: readonly RecordedAsset[],
): Promise<RecoveredAsset | undefined> => {
  for (const asset of assets) {
    const excursion = asset.events.find(({ plan }) => isTooWarm(plan));
    if (excursion === undefined) continue;
    const { timestamp_accepted: redAt } = await api.get<EventResource>(`/v2/${excursion.identity}`);
    const [then, now] = [await checkAsset(api, asset, redAt), await checkAsset(api, asset)];
    if (!then.compliant && now.compliant) return { asset, redAt };
  }
  return undefined;
};
