// Starts whose index lacks the newest blocks, as after a kill under load: it gets them from the logs that the copy of
// the newest blocks has, before the chain is replayed.
import { cp, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { Level } from 'level';
import { encodeBlockLogs, encodeLogsKey } from '../../chain/embedded/journal/blockLogs.ts';
import { openJournal } from '../../chain/embedded/journal/journal.ts';
import { openRecentBlocks } from '../../chain/embedded/journal/recentBlocks.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { inspectIndex } from '../../host/files/indexFiles.ts';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { useDirectories } from '../support/directories.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { serveDuringReplay, waitsForReplay } from '../support/stalledReplay.ts';
import { openTestLedger, send, serveTestLedger } from '../support/testLedger.ts';

const EVENTS = 30;
/** Blocks that an index lacks. */
const LACKING = 5;
const CLIENTS = 8;
const ANSWERS = 300;

const listEvents = async (url: string, asset: string, token: string) =>
  send<{ events: { identity: string }[] }>(`${url}/archivist/v2/${asset}/events?page_size=1000`, token);

const readHeads = async (dataDir: string) => {
  const { chain, recentBlocks, index } = dataPaths(dataDir);
  const journal = await openJournal(chain);
  const copy = await openRecentBlocks(recentBlocks);
  const head = (await journal.readBlock(await journal.readLastNumber()))!;
  const hasLogs = (await copy.readLogs(head)) !== undefined;
  await Promise.all([journal.close(), copy.close()]);
  return { head, hasLogs, indexed: (await inspectIndex(index, () => undefined)).cursor!.blockNumber };
};

const openCopy = (dataDir: string) =>
  new Level<Uint8Array, Uint8Array>(dataPaths(dataDir).recentBlocks, { keyEncoding: 'view', valueEncoding: 'view' });

// Changes the logs of a block that the copy has, with a right checksum.
const putLogs = async (dataDir: string, number: number, bytes: Uint8Array): Promise<void> => {
  const copy = openCopy(dataDir);
  const key = encodeLogsKey(number);
  const entry = Buffer.concat([bytes, Buffer.alloc(4)]);
  entry.writeUInt32BE(crc32(bytes, crc32(key)), bytes.length);
  await copy.put(key, entry);
  await copy.close();
};

const changeEntry = async (
  dataDir: string,
  number: number,
  change: (entry: Uint8Array) => Uint8Array | undefined,
): Promise<void> => {
  const copy = openCopy(dataDir);
  const key = encodeLogsKey(number);
  const changed = change((await copy.get(key))!);
  await (changed === undefined ? copy.del(key) : copy.put(key, changed));
  await copy.close();
};

describe('a start whose index lacks the newest blocks', () => {
  const makeDirectory = useDirectories();
  let behind: string;
  let tenant: FixtureTenant;
  let asset: AssetResource;

  const copyOf = async (directory: string): Promise<string> => {
    const dataDir = await makeDirectory();
    // A killed server leaves its socket.
    await cp(directory, dataDir, { recursive: true, filter: (path) => !path.endsWith('/socket') });
    return dataDir;
  };

  const write = async (dataDir: string, events: number): Promise<void> => {
    const ledger = await openTestLedger(dataDir);
    const server = await serveTestLedger(ledger);
    tenant ??= await createFixtureTenant(ledger, server, 'alpha');
    asset ??= await tenant.createAsset();
    const base = `${server.url}/archivist/v2/${asset.identity}/events`;
    for (let event = 0; event < events; event += 1) {
      const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note: `event ${event}` } };
      expect((await send(base, tenant.token, { body })).status).to.equal(200);
    }
    await server.close();
    await ledger.close();
  };

  before(async () => {
    behind = await makeDirectory();
    await write(behind, EVENTS);
    const older = await copyOf(behind);
    await write(behind, LACKING);
    await rm(dataPaths(behind).index, { recursive: true });
    await cp(dataPaths(older).index, dataPaths(behind).index, { recursive: true });
    const { head, hasLogs, indexed } = await readHeads(behind);
    expect(head.number - indexed).to.equal(LACKING);
    expect(hasLogs).to.equal(true);
  });

  const rebuildFrom = async (dataDir: string): Promise<string> => {
    const rebuilt = await copyOf(dataDir);
    const { index, recentBlocks } = dataPaths(rebuilt);
    await rm(index, { recursive: true });
    await rm(recentBlocks, { recursive: true });
    await (await openTestLedger(rebuilt)).close();
    return rebuilt;
  };

  const expectSameIndex = async (dataDir: string): Promise<void> => {
    const rebuilt = await rebuildFrom(dataDir);
    expect(await dumpDirectory(dataPaths(dataDir).index)).to.deep.equal(await dumpDirectory(dataPaths(rebuilt).index));
  };

  it('answers reads with everything before the replay, and has the index of a rebuild', async () => {
    const dataDir = await copyOf(behind);
    const problems: string[] = [];
    await serveDuringReplay(dataDir, { problems }, async ({ ledger, server, go }) => {
      const before = await listEvents(server.url, asset.identity, tenant.token);
      expect(before.body.events).to.have.length(EVENTS + LACKING + 1);
      go();
      await ledger.completion.completed;
      expect((await listEvents(server.url, asset.identity, tenant.token)).body).to.deep.equal(before.body);
    });
    expect(problems).to.deep.equal([]);
    await expectSameIndex(dataDir);
  });

  it('answers reads before the replay after SIGKILL under load', async () => {
    const dataDir = await makeDirectory();
    const setUp = async () => {
      const server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'warn' });
      const input = { tenant: FIRST_TENANT, role: 'root' };
      const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input);
      return { server, token };
    };
    let killed: { identity: string; token: string; answered: Set<string> } | undefined;
    const answered = new Set<string>();
    let identity: string | undefined;
    const killUnderLoad = async (): Promise<void> => {
      const { server, token } = await setUp();
      const base = `${server.url}/archivist/v2`;
      identity ??= (await send<AssetResource>(`${base}/assets`, token, { body: {} })).body.identity;
      const first = answered.size;
      const postUntilKilled = async (): Promise<void> => {
        for (;;) {
          const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note: 'load' } };
          const answer = await send<{ identity: string }>(`${base}/${identity}/events`, token, { body });
          expect(answer.status).to.equal(200);
          answered.add(answer.body.identity);
          if (answered.size === first + ANSWERS) server.process.kill('SIGKILL');
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: CLIENTS }, postUntilKilled));
      await server.stop('SIGKILL');
      for (const end of ends) expect((end as PromiseRejectedResult).reason).to.be.instanceOf(TypeError);
      killed = { identity: identity!, token, answered };
    };
    // A kill may come before the index lacks a block, or just before the copy has the newest one.
    for (let lacks = false; !lacks; ) {
      await killUnderLoad();
      const { head, hasLogs, indexed } = await readHeads(await copyOf(dataDir));
      lacks = hasLogs && indexed < head.number;
    }
    const problems: string[] = [];
    await serveDuringReplay(dataDir, { problems }, async ({ ledger, server, go }) => {
      const { token } = killed!;
      const listed = new Set<string>();
      let query = 'page_size=500';
      do {
        const { body } = await send<{ events: { identity: string }[]; next_page_token: string }>(
          `${server.url}/archivist/v2/${identity}/events?${query}`,
          token,
        );
        for (const event of body.events) listed.add(event.identity);
        query = body.next_page_token === '' ? '' : `page_token=${encodeURIComponent(body.next_page_token)}`;
      } while (query !== '');
      for (const event of answered) expect(listed.has(event), event).to.equal(true);
      go();
      await ledger.completion.completed;
    });
    expect(problems).to.deep.equal([]);
    await expectSameIndex(dataDir);
  });

  const makeUnusable: Readonly<Record<string, (dataDir: string, head: number) => Promise<void>>> = {
    'the logs are damaged': (dataDir, head) =>
      changeEntry(dataDir, head, (entry) => {
        const damaged = Buffer.from(entry);
        damaged[100]! ^= 1;
        return damaged;
      }),
    'the logs belong to a block with another hash': (dataDir, head) =>
      putLogs(dataDir, head, encodeBlockLogs(`0x${'11'.repeat(32)}`, [])),
    'the logs of a block are missing': (dataDir, head) => changeEntry(dataDir, head - 1, () => undefined),
    'there is no copy': async (dataDir) => rm(dataPaths(dataDir).recentBlocks, { recursive: true }),
  };
  for (const [reason, act] of Object.entries(makeUnusable))
    it(`waits for the replay when ${reason}`, async () => {
      const dataDir = await copyOf(behind);
      await act(dataDir, (await readHeads(await copyOf(dataDir))).head.number);
      expect(await waitsForReplay(dataDir)).to.equal(true);
      await expectSameIndex(dataDir);
    });

  it('refuses everything when the logs differ from those of the replayed chain, also at the next start', async () => {
    const dataDir = await copyOf(behind);
    const { head } = await readHeads(await copyOf(dataDir));
    await putLogs(dataDir, head.number, encodeBlockLogs(head.hash, []));
    // The second start has an index that lacks nothing, built from these logs.
    for (let start = 0; start < 2; start += 1)
      await serveDuringReplay(dataDir, {}, async ({ ledger, server, go }) => {
        const { body } = await listEvents(server.url, asset.identity, tenant.token);
        expect(body.events).to.have.length(EVENTS + LACKING);
        go();
        const error = await ledger.completion.completed.catch((cause: unknown) => cause);
        expect(error).to.include({ code: 'CHAIN_CORRUPT' });
        expect((error as Error).message).to.match(new RegExp(`logs of block ${head.number} .*npm run rebuild`));
        expect((await listEvents(server.url, asset.identity, tenant.token)).status).to.equal(503);
      });
    const { index, recentBlocks } = dataPaths(dataDir);
    for (const path of [index, recentBlocks]) await rm(path, { recursive: true });
    const ledger = await openTestLedger(dataDir);
    const server = await serveTestLedger(ledger);
    const { body } = await listEvents(server.url, asset.identity, tenant.token);
    expect(body.events).to.have.length(EVENTS + LACKING + 1);
    await server.close();
    await ledger.close();
  });
});
