// The demo: records containers, gauges and fire doors through the API of the running server, as three applications,
// and shows where to look.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EventResource } from '../../ledger/records/event.ts';
import { console } from '../commandProcess.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { createTokenCache } from '../import/tokenCache.ts';
import { findServer, type RunningServer } from '../operator/controlClient.ts';
import { createProgress } from '../operator/progress.ts';
import { runOperatorCommand } from '../operator/runOperatorCommand.ts';
import { readConfig } from '../settings/config.ts';
import { FIRST_TENANT } from '../tenants.ts';
import { createDemoApi, type DemoApi, type DemoServer } from './demoApi.ts';
import { type DemoApis, openDemoApplications } from './demoApplications.ts';
import { forgeEvent } from './demoForgery.ts';
import { createDemoPolicies, REPAIR_SECONDS } from './demoPolicies.ts';
import { type DemoScale, toDemoName } from './demoScale.ts';
import { type DemoReport, toDemoLines } from './demoText.ts';
import { findRecoveredAsset, readRedAssets } from './demoVerdicts.ts';
import { findPages } from './findPages.ts';
import type { PlannedEvent } from './plan.ts';
import { planDemo } from './planDemo.ts';
import { FAULT_TYPES } from './planDoor.ts';
import { type RecordedAsset, type RecordedDemo, type RecordedEvent, recordDemo } from './recordDemo.ts';

const SECOND_MS = 1_000;

/** The applications of a demo, and what was recorded. */
export interface OpenDemo {
  readonly apis: DemoApis;
  readonly demo: RecordedDemo;
}

const openRoot = (dataDir: string, server: DemoServer): DemoApi => {
  const issue = async (): Promise<string> =>
    (await runOperatorCommand<{ token: string }>(dataDir, 'token', { tenant: FIRST_TENANT, role: 'root' })).token;
  return createDemoApi(server, createTokenCache(issue).read);
};

const findEvent = (assets: readonly RecordedAsset[], isSought: (plan: PlannedEvent) => boolean): RecordedEvent =>
  assets.flatMap(({ events }) => events).findLast(({ plan }) => isSought(plan))!;

const readAcceptedMs = async (api: DemoApi, { identity }: RecordedEvent): Promise<number> =>
  Date.parse((await api.get<EventResource>(`/v2/${identity}`)).timestamp_accepted);

// Recorded at once, the limits of the policies would hold: their time is the server's.
const waitForLimits = async (api: DemoApi, { assets }: RecordedDemo): Promise<void> => {
  const doors = assets.filter(({ plan }) => plan.name === 'door-0');
  const fault = findEvent(doors, ({ type }) => type === FAULT_TYPES.opened);
  const late = assets.flatMap(({ plan }) => plan.events).find(({ isLate }) => isLate)!;
  const { arc_correlation_id } = late.eventAttributes;
  const begun = findEvent(assets, ({ eventAttributes }) => eventAttributes.arc_correlation_id === arc_correlation_id);
  const sinceMs = Math.max(await readAcceptedMs(api, fault), await readAcceptedMs(api, begun));
  const restMs = sinceMs + (REPAIR_SECONDS + 1) * SECOND_MS - Date.now();
  if (restMs <= 0) return;
  console.error(`waiting ${Math.ceil(restMs / SECOND_MS)} s, until a fault and a lift have lasted too long`);
  await setTimeout(restMs);
};

const saveCertificate = async ({ files }: RecordedDemo, directory: string): Promise<string> => {
  const path = join(directory, 'certificate.pdf');
  await writeFile(path, files[0]!.bytes);
  return path;
};

const toReport = async (
  server: RunningServer,
  { root, demo, directory }: { root: DemoApi; demo: RecordedDemo; directory: string },
): Promise<DemoReport> => {
  const policyNames = await createDemoPolicies(root, demo.name);
  const forged = findEvent(demo.assets, ({ isForged }) => isForged ?? false);
  return {
    server,
    demo,
    red: await readRedAssets(root, demo.assets, policyNames),
    recovered: await findRecoveredAsset(root, demo.assets),
    forgery: await forgeEvent(server, { api: root, identity: forged.identity, directory }),
    certificatePath: await saveCertificate(demo, directory),
    hasPages: await findPages(server),
  };
};

/**
 * Runs the demo against the running server of the data directory (DATA_DIR), or repeats it, which records nothing, and
 * prints where to look. Its files are in `demo/` of that directory.
 * @throws Error when no server is running, when it refuses a request, or when the check on the contract has an
 * unexpected result.
 */
export const runDemo = async (scale: DemoScale): Promise<OpenDemo> => {
  const plans = planDemo(scale);
  const { dataDir } = readConfig();
  const server = await findServer(dataDir);
  const api = { baseUrl: `${server.url}/archivist`, fetch: server.fetch };
  const root = openRoot(dataDir, api);
  const paths = dataPaths(dataDir);
  const apis = await openDemoApplications(root, api, join(paths.demo, 'applications.json'));
  const demo = await recordDemo(apis, toDemoName(scale), plans, createProgress());
  await waitForLimits(root, demo);
  await demo.recordLate();
  const directory = join(paths.demo, demo.name);
  await mkdir(directory, { recursive: true });
  console.log(...toDemoLines(await toReport(server, { root, demo, directory })));
  return { apis, demo };
};
