// Records that were final, and that a network's chain no longer has: they are kept, named, and leave when the chain has
// them again.
import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openGoneRecords } from '../../host/gone/goneRecords.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { createMetrics } from '../../host/watching/metrics.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EarlierPlace } from '../../ledger/records/appendedAgain.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { check, hashOf } from '../support/checkedEvidence.ts';
import { filesIn, flipBit } from '../support/damagedFiles.ts';
import { useDirectories } from '../support/directories.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { tenantAt } from '../support/fixtureTenant.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { rejectionOf } from '../support/refusals.ts';
import { type Run, runScript } from '../support/runScript.ts';
import { runVerify } from '../support/runVerify.ts';
import { openTestLedger, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

interface Listed {
  readonly identity: string;
  readonly tenantIdentity: string;
  readonly blockNumber: number;
}

describe('records that the chain no longer has', () => {
  const makeDirectory = useDirectories();
  const closing: (() => Promise<unknown>)[] = [];
  let node: ExternalNode;
  let fixture: NetworkFixture;
  let kept: AssetResource;
  let lost: string[];
  let problems: string[];

  const network = () => toNetwork(node.url);
  const open = async (): Promise<Ledger> => {
    problems = [];
    const ledger = await openTestLedger(fixture.dataDir, { network: network(), problems });
    closing.push(ledger.close);
    return ledger;
  };
  const settings = () => ({ CHAIN_RPC_URL: node.url, CHAIN_CONFIRMATIONS: '1' });
  const run = (script: 'rebuild.ts' | 'tenant.ts', args: string[] = []): Promise<Run> =>
    runScript(script, fixture.dataDir, args, settings());
  const rebuild = async (): Promise<string> => {
    const { code, stderr } = await run('rebuild.ts');
    expect(code, stderr).to.equal(0);
    return stderr;
  };
  const listOf = async (ledger: Ledger): Promise<string[]> =>
    ((await createOperatorCommands(ledger).listGone!({})) as Listed[]).map(({ identity }) => identity);
  const noticesOf = async (ledger: Ledger): Promise<string[]> => {
    const find = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
    );
    return (await find()).map(({ name }) => name);
  };
  const metricOf = async (ledger: Ledger): Promise<string | undefined> => {
    const metrics = createMetrics();
    metrics.watchLedger(() => readLedgerState(ledger));
    return /^ledger_gone_records (.*)$/m.exec(await metrics.registry.metrics())?.[1];
  };
  const paths = () => dataPaths(fixture.dataDir);
  const namedIn = (text: string): string[] =>
    lost.filter((identity) => text.includes(`${identity} of ${fixture.alpha.identity}, of block`));

  beforeEach(async () => {
    node = await startNode(QUICK_NODE);
    fixture = await openNetworkFixture(node, network());
    closing.push(node.kill, fixture.close);
    kept = await fixture.alpha.createAsset();
    await fixture.alpha.record(kept, 'kept');
    const snapshot = await node.request('evm_snapshot', []);
    const asset = await fixture.alpha.createAsset({ arc_display_name: 'lost' });
    lost = [`${asset.identity}/events/`];
    for (const to of [asset, kept]) lost.push((await fixture.alpha.record(to, 'lost')).body.identity);
    const events = await fixture.alpha.get<{ events: { identity: string }[] }>(`${asset.identity}/events`);
    lost[0] = events.body.events.map(({ identity }) => identity).find((identity) => !lost.includes(identity))!;
    await fixture.stop();
    await node.request('evm_revert', [snapshot]);
    await node.request('anvil_mine', ['0x8']);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('are kept and named by a rebuild, said in readyz and metrics at each start, and listed', async () => {
    expect(await rejectionOf(open())).to.equal('CHAIN_REPLACED');
    const stderr = await rebuild();
    expect(namedIn(stderr)).to.deep.equal(lost);
    expect(await readdir(paths().gone)).to.have.length(lost.length);
    await rebuild();
    await rm(`${paths().index}.replaced-1`, { recursive: true });
    const ledger = await open();
    expect(await listOf(ledger)).to.deep.equal(lost);
    expect([await noticesOf(ledger), await metricOf(ledger)]).to.deep.equal([['RECORDS_GONE'], String(lost.length)]);
    await ledger.close();
    const { stdout } = await run('tenant.ts', ['gone']);
    expect(stdout.split('\n').filter((line) => lost.some((identity) => line.startsWith(`${identity} of `))))
      .to.have //
      .length(lost.length);
  });

  it('leave when the chain has them again', async () => {
    await rebuild();
    const ledger = await open();
    const [first, ...others] = ledger.gone.list();
    const { tenantIdentity, record } = (await ledger.gone.read(first!))!;
    await ledger.writer.append(tenantIdentity, record);
    await until(async () => ledger.gone.count() === others.length);
    expect(await listOf(ledger)).to.deep.equal(lost.slice(1));
    expect(await readdir(paths().gone)).to.have.length(others.length);
  });

  it('are kept by a start, each once, when the rebuild was killed before it had kept all of them', async () => {
    await rebuild();
    await rename(`${paths().index}.replaced-1`, `${paths().index}.unread-1`);
    const [one] = await readdir(paths().gone);
    await rm(join(paths().gone, one!));
    await writeFile(join(paths().gone, `${one}.tmp`), '{');
    const ledger = await open();
    expect(namedIn(problems.join('\n'))).to.deep.equal(lost);
    expect(await listOf(ledger)).to.deep.equal(lost);
    expect([existsSync(`${paths().index}.replaced-1`), existsSync(`${paths().index}.unread-1`)]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('are kept from a damaged index, whose other records are not said to be gone', async () => {
    await flipBit((await filesIn(paths().index, '.log'))[0]!, -5);
    expect(await rejectionOf(open())).to.equal('CHAIN_REPLACED');
    const stderr = await rebuild();
    expect(namedIn(stderr).length).to.be.at.least(1);
    const ledger = await open();
    for (const identity of await listOf(ledger)) expect(lost).to.include(identity);
    expect(existsSync(`${paths().index}.replaced-1`)).to.equal(true);
  });

  it('are appended again as records that say where they stood, once, and verify', async () => {
    await rebuild();
    const ledger = await open();
    const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    closing.push(checkpoints.close);
    const evidence = openEvidence({ ledger, checkpoints, waitMs: 30_000 });
    const server = await serveTestLedger(ledger, { nodeUrls: [node.url], evidence });
    closing.push(server.close);
    const maker = createEvidenceMaker(ledger);
    const directory = await makeDirectory();
    const verdictOf = async (event: object): Promise<number> => {
      const path = join(directory, 'event.json');
      await writeFile(path, JSON.stringify(event));
      return (await runVerify(path, '--rpc', node.url, '--contract', ledger.contract)).code;
    };
    const alpha = tenantAt(server, fixture.alpha, fixture.alpha.token);
    const { appendGone } = createOperatorCommands(ledger);
    const append = async (...identities: string[]): Promise<[string | undefined, string][]> => {
      const tenant = fixture.alpha.identity;
      const done = (await appendGone!({ tenant, identities })) as { status: string | undefined; identity: string }[];
      return done.map(({ status, identity }) => [status, identity]);
    };
    const places = new Map(ledger.gone.list().map(({ identity, place }) => [identity, place]));
    const confirmed = lost.map((identity) => ['CONFIRMED', identity]);
    expect(await append(lost[1]!)).to.deep.equal([[undefined, lost[1]]]);
    expect(await append()).to.deep.equal(confirmed);
    expect([await append(), ledger.gone.count(), await noticesOf(ledger)]).to.deep.equal([[], 0, []]);
    for (const identity of lost) {
      const { body: event } = await alpha.get<EventResource>(identity);
      const place = places.get(identity)!;
      expect(event.appended_again!.map((each) => [each.block_number, each.transaction_id])).to.deep.equal([
        [place.blockNumber, place.transactionHash],
      ]);
      const [asset] = identity.split('/events/');
      const listed = await alpha.get<{ events: EventResource[] }>(`${asset}/events`);
      expect(listed.body.events.filter((each) => each.identity === identity)).to.deep.equal([event]);
      expect(await verdictOf(event)).to.equal(0);
      const [{ block_number: number, ...rest }] = event.appended_again as [EarlierPlace];
      expect(await verdictOf({ ...event, appended_again: [{ ...rest, block_number: number + 1 }] })).to.equal(1);
      const { appended_again: _, ...without } = event;
      expect(await verdictOf(without)).to.equal(1);
      const { body: file } = await alpha.get<EvidenceFile>(`${identity}:evidence`);
      const trust = maker.trust({ blocks: [hashOf(file)] });
      expect((await check(file, trust)).exitCode).to.equal(0);
    }
  });

  it('stay one record when a kill came between the append and the removal', async () => {
    await rebuild();
    const copies = `${fixture.dataDir}.gone`;
    await cp(paths().gone, copies, { recursive: true });
    closing.push(() => rm(copies, { recursive: true }));
    const { code, stdout, stderr } = await run('tenant.ts', ['append-gone', fixture.alpha.identity]);
    expect(code, stdout + stderr).to.equal(0);
    const countOf = async (ledger: Ledger): Promise<number> => {
      const records = await ledger.chain.fetchRecordLogs({
        address: ledger.contract,
        fromBlock: 0,
        toBlock: (await ledger.chain.fetchFinalHead()).number,
      });
      return records.length;
    };
    let ledger = await open();
    const count = await countOf(ledger);
    await ledger.close();
    await cp(copies, paths().gone, { recursive: true });
    ledger = await open();
    expect([ledger.gone.count(), await countOf(ledger)]).to.deep.equal([0, count]);
    await ledger.close();
    await rm(paths().gone, { recursive: true });
    await cp(copies, paths().gone, { recursive: true });
    expect((await run('tenant.ts', ['append-gone', fixture.alpha.identity])).code).to.equal(0);
    ledger = await open();
    expect([ledger.gone.count(), await countOf(ledger)]).to.deep.equal([0, count]);
  });

  it('are forgotten by a command, all or some of a tenant, and a damaged file is named', async () => {
    await rebuild();
    expect((await run('tenant.ts', ['forget-gone', fixture.alpha.identity, `${lost[0]}0`])).code).to.equal(1);
    const one = await run('tenant.ts', ['forget-gone', fixture.alpha.identity, lost[0]!]);
    expect(one.stdout, one.stderr).to.include(lost[0]).and.not.include(lost[1]);
    const [damaged] = await filesIn(paths().gone, '.json');
    await flipBit(damaged!, 100);
    const found: string[] = [];
    const gone = await openGoneRecords(paths().gone, (message) => found.push(message));
    expect([gone.count(), found.filter((line) => line.includes(damaged!)).length]).to.deep.equal([1, 1]);
    expect((await run('tenant.ts', ['forget-gone', fixture.alpha.identity])).code).to.equal(0);
    expect(existsSync(damaged!)).to.equal(true);
  });
});
