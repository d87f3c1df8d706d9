// The tenant's administrator removes a server's key from the writers while records of it wait for the chain.
import { expect } from 'chai';
import { admitTenant } from '../../chain/administration.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { signTransaction } from '../../chain/writing/signTransaction.ts';
import { toAdministratorName } from '../../host/wallets/tenantWallets.ts';
import { readLedgerState } from '../../host/watching/ledgerState.ts';
import { createMetrics } from '../../host/watching/metrics.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toUuid } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { type JsonAnswer, openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

interface Problem {
  readonly details: readonly { readonly error: string }[];
}
const COUNT = 60;
const UUIDS = /[0-9a-f-]{36}/g;
const FAILED = { confirmation_status: 'FAILED', failure_reason: 'AUTHOR_UNAVAILABLE' };
const keyed = (key: string) => ({ 'Idempotency-Key': key });
const notes = Array.from({ length: COUNT }, (_, at) => String(at));

describe('a key that was removed as a writer while records wait', () => {
  let node: ExternalNode;
  let fixture: NetworkFixture;
  let beta: FixtureTenant;
  let refused: JsonAnswer<EventResource>[];
  before(async () => {
    node = await startNode(QUICK_NODE);
    fixture = await openNetworkFixture(node, toNetwork(node.url));
    beta = await createFixtureTenant(fixture.ledger, { url: fixture.url, close: async () => undefined }, 'beta');
  });
  after(async () => {
    await fixture.close();
    await node.kill();
  });

  const openAdministrator = async ({ identity }: FixtureTenant = fixture.alpha) => {
    const wallet = await fixture.ledger.keyring.openWallet(toAdministratorName(toUuid(identity)));
    await setBalance(node, wallet.address);
    return wallet;
  };
  const authorOf = ({ identity }: FixtureTenant = fixture.alpha) => fixture.ledger.wallets.authorOf(identity);
  // Its price makes it the first of its block.
  const removeWriter = async (tenant: FixtureTenant): Promise<void> => {
    const { chain, contract } = fixture.ledger;
    const administrator = await openAdministrator(tenant);
    const args = [toHex(toKey(tenant.identity)), authorOf(tenant).address];
    const transaction = {
      chainId: chain.chainId,
      nonce: await chain.fetchNonce(administrator.address),
      gasLimit: 300_000,
      fees: { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n },
      to: fromHex(contract),
      value: 0n,
      data: fromHex(ledgerInterface.encodeFunctionData('removeWriter', args)),
    };
    await node.request('eth_sendRawTransaction', [toHex(signTransaction(transaction, administrator))]);
  };
  const addWriter = async (tenant: FixtureTenant): Promise<void> => {
    const { chain, contract, relayer } = fixture.ledger;
    const administrator = await openAdministrator(tenant);
    const wallets = {
      ledgerAdministrator: administrator,
      tenantAdministrator: administrator,
      writer: authorOf(tenant),
    };
    await admitTenant(chain, contract, tenant.identity, wallets, relayer);
  };
  const readiness = async (): Promise<unknown[]> => {
    const answer = await fetch(`${fixture.url}/readyz`);
    const { status, troubles } = (await answer.json()) as { status: string; troubles: { name: string }[] };
    return [answer.status, status, troubles.map(({ name }) => name)];
  };
  const readMetric = async (): Promise<number> => {
    const metrics = createMetrics();
    metrics.watchLedger(() => readLedgerState(fixture.ledger));
    const [, value] = /^ledger_unavailable_authors (\d+)$/m.exec(await metrics.registry.metrics())!;
    return Number(value);
  };
  const statusOf = ({ body }: JsonAnswer<EventResource>): string => body.confirmation_status;
  const recordKeyed = ({ asset_identity }: Pick<EventResource, 'asset_identity'>, note: string) => {
    const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note } };
    return fixture.alpha.post<EventResource>(`${asset_identity}/events`, body, keyed(`note-${note}`));
  };
  const reasonOf = ({ body }: JsonAnswer<EventResource>) => body.failure_reason;

  it('makes them FAILED with that reason, and harms no record of another tenant', async () => {
    const { alpha, ledger, problems } = fixture;
    const [ours, theirs] = [await alpha.createAsset(), await beta.createAsset()];
    await node.request('evm_setAutomine', [false]);
    const creating = alpha.post<AssetResource>('assets', { attributes: {} }, keyed('asset'));
    const answers = notes.map((note) => recordKeyed({ asset_identity: ours.identity }, note));
    const others = notes.map((note) => beta.record(theirs, note));
    await until(() => ledger.outbox.pendingCount() === 2 * COUNT + 1);
    await removeWriter(alpha);
    const before = Number(await node.request('eth_getTransactionCount', [ledger.relayer.address, 'latest']));
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    expect((await Promise.all(others)).map(statusOf)).to.deep.equal(others.map(() => 'CONFIRMED'));
    // On a loaded machine some are answered PENDING before.
    const accepted = await Promise.all([creating, ...answers]);
    await until(() => ledger.outbox.pendingCount() === 0);
    const [created, ...events] = await Promise.all(accepted.map(({ body }) => alpha.get<EventResource>(body.identity)));
    expect(created!.body).to.include(FAILED);
    refused = events;
    expect(new Set(refused.map(statusOf))).to.deep.equal(new Set(['FAILED']));
    expect(new Set(refused.map(reasonOf))).to.deep.equal(new Set(['AUTHOR_UNAVAILABLE']));
    const failed = ledger.outbox.readEntries().filter(({ status }) => status === 'FAILED');
    const reason = `the key that signed this record, ${authorOf().address}, is no longer one of the tenant's writers`;
    expect(new Set(failed.map((entry) => entry.reason))).to.deep.equal(new Set([reason]));
    expect(problems.filter((line) => line.includes(reason))).to.have.length(failed.length);
    const after = Number(await node.request('eth_getTransactionCount', [ledger.relayer.address, 'latest']));
    expect(after - before).to.be.lessThan(20);
  });

  it('refuses later writes of the tenant with a code, and shows the failed records', async () => {
    const { alpha, ledger } = fixture;
    const answer = await alpha.post<Problem>('assets', { attributes: {} });
    expect([answer.status, answer.body.details[0]!.error]).to.deep.equal([503, 'AUTHOR_UNAVAILABLE']);
    expect((await beta.createAsset()).confirmation_status).to.equal('CONFIRMED');
    const { body } = await alpha.get<{ events: EventResource[] }>('assets/-/events?page_size=100');
    const shown = body.events.filter((event) => event.confirmation_status === 'FAILED');
    expect(shown).to.have.length(ledger.outbox.failedCount());
    expect(new Set(shown.map((event) => event.failure_reason))).to.deep.equal(new Set(['AUTHOR_UNAVAILABLE']));
    const others = body.events.filter((event) => event.confirmation_status !== 'FAILED');
    for (const event of others) expect(event).not.to.have.property('failure_reason');
    expect((await alpha.get(shown[0]!.identity)).body).to.include(FAILED);
    const { assets } = (await alpha.get<{ assets: AssetResource[] }>('assets')).body;
    expect(assets.map((asset) => asset.failure_reason)).to.deep.equal(['AUTHOR_UNAVAILABLE', undefined]);
    expect((await alpha.get(assets[0]!.identity)).body).to.include(FAILED);
  });

  it('accepts writes again when the key is a writer again, except under the Idempotency-Key of a failed one', async () => {
    const { alpha } = fixture;
    expect(await readiness()).to.deep.equal([200, 'ready', ['AUTHOR_UNAVAILABLE', 'RECORDS_FAILED']]);
    await addWriter(alpha);
    await until(async () => (await alpha.post('assets', { attributes: {} })).status === 200);
    expect([await readiness(), await readMetric()]).to.deep.equal([[200, 'ready', ['RECORDS_FAILED']], 0]);
    expect((await recordKeyed(refused[0]!.body, notes[0]!)).body).to.deep.equal(refused[0]!.body);
    expect((await alpha.post('assets', { attributes: {} }, keyed('asset'))).body).to.include(FAILED);
  });

  it('is noticed without a write, and /readyz names no tenant', async () => {
    const { ledger, url } = fixture;
    await removeWriter(beta);
    await until(async () => (await readMetric()) === 1);
    expect(await readiness()).to.deep.equal([200, 'ready', ['AUTHOR_UNAVAILABLE', 'RECORDS_FAILED']]);
    const text = await (await fetch(`${url}/readyz`)).text();
    for (const secret of [toUuid(beta.identity), 'beta', authorOf(beta).address]) expect(text).not.to.include(secret);
    expect((await beta.post('assets', { attributes: {} })).status).to.equal(503);
    expect(ledger.outbox.pendingCount()).to.equal(0);
    await addWriter(beta);
    await until(async () => (await readMetric()) === 0);
    expect((await beta.createAsset()).confirmation_status).to.equal('CONFIRMED');
  });

  it('are FAILED with that reason after a restart too', async () => {
    const { alpha, dataDir, stop } = fixture;
    await stop();
    const again = await openTestLedger(dataDir, { network: toNetwork(node.url) });
    const [assetUuid, eventUuid] = refused[0]!.body.identity.match(UUIDS)!;
    expect(await again.view.readEvent(alpha.identity, assetUuid!, eventUuid!)).to.deep.equal(refused[0]!.body);
    await again.close();
  });
});
