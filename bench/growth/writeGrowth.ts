// The writing process of bench:growth: opens a ledger and writes events through its writer, without HTTP.
import { type Ledger, openLedger } from '../../host/openLedger.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { createProgress } from '../../host/operator/progress.ts';
import { CHAIN_ID, LEDGER_LIMITS } from '../../host/settings/installationLimits.ts';
import { createTenant, FIRST_TENANT } from '../../host/tenants.ts';
import { reportProblem } from '../../host/watching/reports.ts';
import { readCost } from '../reads/cost.ts';
import { createBenchTenant } from '../reads/readsLedger.ts';
import type { GrowthCost, GrowthOrder } from './growthOrder.ts';

/** Records that wait for their answers at once: as many as several of the largest batches have. */
const CONCURRENT_RECORDS = 1_000;

/** Nothing is PENDING, also on a loaded machine: a record waits for as many others. */
const COMMIT_WAIT_MS = 600_000;

const open = (dataDir: string): Promise<Ledger> =>
  openLedger({
    dataDir,
    chainId: CHAIN_ID,
    limits: { ...LEDGER_LIMITS, commitWaitMs: COMMIT_WAIT_MS },
    now: Date.now,
    onStep: createProgress(),
    onProblem: reportProblem,
  });

const findTenant = async (ledger: Ledger): Promise<string> =>
  (await ledger.view.readTenantIdentity(FIRST_TENANT)) ??
  (await createTenant(ledger, { name: FIRST_TENANT }, ledger.now())).identity;

const takeBenchTenant = ({ from, total }: GrowthOrder) => {
  const tenant = createBenchTenant(1, total);
  // The first record is the tenant's own, and this ledger has created its own tenant.
  tenant.take(1 + from);
  return tenant;
};

const createWrite = async (ledger: Ledger, order: GrowthOrder) => {
  const tenantIdentity = await findTenant(ledger);
  const source = takeBenchTenant(order);
  const onStep = createProgress();
  const title = `writing events to ${order.to}`;
  let done = order.from;
  return async (until: number): Promise<void> => {
    while (done < until) {
      const records = source.take(Math.min(CONCURRENT_RECORDS, until - done));
      const answers = await Promise.all(records.map((record) => ledger.writer.append(tenantIdentity, record)));
      const refused = answers.filter((answer) => answer.confirmation_status !== 'CONFIRMED').length;
      if (refused > 0) throw new Error(`${refused} records were not CONFIRMED`);
      done += records.length;
      onStep({ title, unit: 'events', done, total: order.to });
    }
  };
};

const grow = async (order: GrowthOrder): Promise<GrowthCost> => {
  const ledger = await open(order.dataDir);
  try {
    const write = await createWrite(ledger, order);
    const measuredFrom = order.from + Math.ceil((order.to - order.from) / 10);
    await write(measuredFrom);
    const [before, memoryBefore] = [readCost(), process.memoryUsage.rss()];
    await write(order.to);
    const events = order.to - measuredFrom;
    const mainThreadCpuUs = ((readCost().cpuMs - before.cpuMs) * 1_000) / events;
    const memoryBytes = (process.memoryUsage.rss() - memoryBefore) / events;
    const token = createOperatorCommands(ledger).token!({ tenant: FIRST_TENANT, role: 'root' });
    return { mainThreadCpuUs, memoryBytes, ...((await token) as { token: string }) };
  } finally {
    await ledger.close();
  }
};

process.once('message', (order: GrowthOrder) => {
  grow(order).then(
    (cost) => process.send!(cost, () => process.disconnect()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
