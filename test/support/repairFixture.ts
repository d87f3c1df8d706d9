// A data directory with the events of one tenant, and copies of it that tests damage and repair.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { type RepairReport, repairLedger } from '../../host/repair/repairLedger.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { type DirectoryCopy, useDirectoryCopies, withNewTenant } from './directoryCopies.ts';
import { type ListeningServer, openTestLedger, send, serveTestLedger } from './testLedger.ts';

export interface RepairFixture {
  /** The recorded events, oldest first. */
  readonly events: readonly EventResource[];
  /** Hashes of all blocks, from block 0 on. */
  readonly hashes: readonly Hex[];
  /** The identity of the tenant. */
  tenantIdentity(): string;
  /** Copies the undamaged directory. */
  copyUndamaged(): Promise<DirectoryCopy>;
  /** Opens a directory and reads its events, and the hashes of the blocks that the undamaged directory has. */
  readAll(dataDir: string): Promise<{ found: EventResource[]; blocks: (Hex | undefined)[] }>;
}

/** Repairs a directory; by default not as a dry run, and without accepting a loss. */
export const repair = (
  dataDir: string,
  options: { isDryRun?: boolean; acceptsLoss?: boolean } = {},
): Promise<RepairReport> =>
  repairLedger({ dataDir, isDryRun: false, acceptsLoss: false, now: Date.now, onStep: () => undefined, ...options });

const readHashes = async ({ chain }: Ledger, hashes: Hex[]): Promise<void> => {
  const { number } = await chain.fetchFinalHead();
  for (let block = 0; block <= number; block += 1) hashes.push((await chain.fetchBlockHash(block))!);
};

/** Registers mocha hooks for a directory with `eventCount` events; `beforeEvent` runs before each of them. */
export const useRepairFixture = (
  eventCount: number,
  beforeEvent: (event: number, ledger: Ledger, server: ListeningServer) => Promise<unknown> = async () => undefined,
): RepairFixture => {
  const events: EventResource[] = [];
  const hashes: Hex[] = [];
  let tenant: { identity: string; token: string };

  const { copyUndamaged } = useDirectoryCopies((path) =>
    withNewTenant(path, 'alpha', async ({ ledger, server, tenant: alpha }) => {
      tenant = alpha;
      const asset = await alpha.createAsset();
      for (let event = 0; event < eventCount; event += 1) {
        await beforeEvent(event, ledger, server);
        events.push((await alpha.record(asset, `event ${event} ${'x'.repeat(2_000)}`)).body);
      }
      await readHashes(ledger, hashes);
    }),
  );

  return {
    events,
    hashes,
    tenantIdentity: () => tenant.identity,
    copyUndamaged,
    readAll: async (dataDir) => {
      const ledger = await openTestLedger(dataDir);
      const server = await serveTestLedger(ledger);
      const url = `${server.url}/archivist/v2/${events[0]!.asset_identity}/events`;
      const { status, body } = await send<{ events: EventResource[] }>(url, tenant.token);
      expect(status, JSON.stringify(body)).to.equal(200);
      const blocks = await Promise.all(hashes.map((_, number) => ledger.chain.fetchBlockHash(number)));
      await server.close();
      await ledger.close();
      return { found: body.events.reverse().slice(1), blocks };
    },
  };
};
