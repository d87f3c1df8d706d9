// A start that answers requests while the chain is replayed, and a replay that fails after the start has answered.
import { cp, rm } from 'node:fs/promises';
import { expect } from 'chai';
import { Level } from 'level';
import { decodeBlock, encodeBlock, encodeBlockKey } from '../../chain/embedded/journal/journalBlock.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openNodeReporter } from '../../host/openNodeReporter.ts';
import { readLedgerState } from '../../host/watching/ledgerState.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import { useDirectories } from '../support/directories.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { serveDuringReplay, waitsForReplay } from '../support/stalledReplay.ts';
import { openTestLedger, send, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const EVENTS = 30;
const WAIT_MS = 100;
/** The block whose hash a test changes. */
const DAMAGED = 20;

describe('a start during whose replay requests are answered', () => {
  const makeDirectory = useDirectories();
  let complete: string;
  let tenant: FixtureTenant;
  let asset: AssetResource;

  before(async () => {
    complete = await makeDirectory();
    const ledger = await openTestLedger(complete);
    const server = await serveTestLedger(ledger);
    tenant = await createFixtureTenant(ledger, server, 'alpha');
    asset = await tenant.createAsset();
    for (let event = 0; event < EVENTS; event += 1) await tenant.record(asset, `event ${event}`);
    await server.close();
    await ledger.close();
  });

  const copyComplete = async (): Promise<string> => {
    const dataDir = await makeDirectory();
    await cp(complete, dataDir, { recursive: true });
    return dataDir;
  };

  const readEvents = (url: string) =>
    send<{ events: unknown[] }>(`${url}/archivist/v2/${asset.identity}/events?page_size=500`, tenant.token);
  const postEvent = (url: string) =>
    send<Commitment & { identity: string }>(`${url}/archivist/v2/${asset.identity}/events`, tenant.token, {
      body: { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note: 'during the replay' } },
    });

  it('answers reads with everything, accepts records, and commits them after the replay', async () => {
    const limits = { commitWaitMs: WAIT_MS };
    await serveDuringReplay(await copyComplete(), { limits }, async ({ ledger, server, go }) => {
      expect((await readEvents(server.url)).body.events).to.have.length(EVENTS + 1);
      const posted = await postEvent(server.url);
      expect(posted.status).to.equal(200);
      expect(posted.body.confirmation_status).to.equal('PENDING');
      expect((await readEvents(server.url)).body.events).to.have.length(EVENTS + 2);
      go();
      await ledger.completion.completed;
      const read = async () =>
        (await send<Commitment>(`${server.url}/archivist/v2/${posted.body.identity}`, tenant.token)).body;
      await until(async () => (await read()).confirmation_status !== 'PENDING');
      expect(await read()).to.include({ confirmation_status: 'CONFIRMED' });
    });
  });

  it('is ready for a load balancer, and reports a node that is catching up', async () => {
    await serveDuringReplay(await copyComplete(), {}, async ({ ledger, go }) => {
      const { chainIssue, chainBlock, indexBlock } = await readLedgerState(ledger);
      expect([chainIssue, chainBlock]).to.deep.equal([undefined, indexBlock]);
      const [node] = (await (await openNodeReporter(ledger))()).nodes;
      expect(node!.status!.syncing).to.deep.equal({ startingBlock: 0, currentBlock: 0, highestBlock: chainBlock });
      go();
      await ledger.completion.completed;
      expect((await (await openNodeReporter(ledger))()).nodes[0]!.status!.syncing).to.equal(undefined);
    });
  });

  it('ends at a stop during the replay, and the next start has what it accepted', async () => {
    const dataDir = await copyComplete();
    const problems: string[] = [];
    await serveDuringReplay(dataDir, { limits: { commitWaitMs: 1 }, problems }, async ({ server }) => {
      expect((await postEvent(server.url)).body.confirmation_status).to.equal('PENDING');
    });
    expect(problems).to.deep.equal([]);
    const again = await openTestLedger(dataDir);
    const server = await serveTestLedger(again);
    expect((await readEvents(server.url)).body.events).to.have.length(EVENTS + 2);
    await server.close();
    await again.close();
  });

  it('waits for the replay when the index lacks a block', async () => {
    const dataDir = await copyComplete();
    await rm(dataPaths(dataDir).index, { recursive: true });
    expect(await waitsForReplay(dataDir)).to.equal(true);
    expect(await waitsForReplay(await copyComplete())).to.equal(false);
    const ledger = await openTestLedger(dataDir);
    expect(ledger.store.readCursor()!.blockNumber).to.equal((await ledger.chain.fetchFinalHead()).number);
    await ledger.close();
  });

  it('refuses everything when the replay fails', async () => {
    const dataDir = await copyComplete();
    const { chain, recentBlocks } = dataPaths(dataDir);
    // The journal's own checks accept the entry, and no copy contradicts it.
    const journal = new Level<Uint8Array, Uint8Array>(chain, { keyEncoding: 'view', valueEncoding: 'view' });
    const key = encodeBlockKey(DAMAGED);
    const block = decodeBlock(DAMAGED, (await journal.get(key))!);
    await journal.put(key, encodeBlock({ ...block, hash: `0x${'ab'.repeat(32)}` }));
    await journal.close();
    await rm(recentBlocks, { recursive: true });
    const problems: string[] = [];
    await serveDuringReplay(dataDir, { problems }, async ({ ledger, server, go }) => {
      expect((await readEvents(server.url)).status).to.equal(200);
      go();
      const error = await ledger.completion.completed.catch((cause: unknown) => cause);
      expect(error).to.include({ code: 'CHAIN_CORRUPT' });
      expect((error as Error).message).to.match(/block 20: its hash is .*npm run repair/);
      for (const answer of [await readEvents(server.url), await postEvent(server.url)]) {
        expect(answer.status).to.equal(503);
        expect(answer.headers.get('retry-after')).to.equal('1');
      }
      expect((await readLedgerState(ledger)).chainIssue).to.contain('block 20');
      expect(problems.filter((problem) => problem.startsWith('the start failed'))).to.have.length(1);
    });
  });
});
