// The tenant's administrator removes a server's key from the writers while records of it wait for the chain.
import { expect } from 'chai';
import { admitTenant } from '../../chain/administration.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { signTransaction } from '../../chain/writing/signTransaction.ts';
import { toAdministratorName } from '../../host/wallets/tenantWallets.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toUuid } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { eventually, type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { type JsonAnswer, openTestLedger } from '../support/testLedger.ts';

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

  const openAdministrator = async () => {
    const wallet = await fixture.ledger.keyring.openWallet(toAdministratorName(toUuid(fixture.alpha.identity)));
    await setBalance(node, wallet.address);
    return wallet;
  };
  const authorOfAlpha = () => fixture.ledger.wallets.authorOf(fixture.alpha.identity);
  // Its price makes it the first of its block.
  const removeWriter = async (): Promise<void> => {
    const { chain, contract } = fixture.ledger;
    const administrator = await openAdministrator();
    const args = [toHex(toKey(fixture.alpha.identity)), authorOfAlpha().address];
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
    await eventually('all are accepted', () => ledger.outbox.pendingCount() === 2 * COUNT + 1);
    await removeWriter();
    const before = Number(await node.request('eth_getTransactionCount', [ledger.relayer.address, 'latest']));
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    expect((await Promise.all(others)).map(statusOf)).to.deep.equal(others.map(() => 'CONFIRMED'));
    refused = await Promise.all(answers);
    expect(new Set(refused.map(statusOf))).to.deep.equal(new Set(['FAILED']));
    expect(new Set(refused.map(reasonOf))).to.deep.equal(new Set(['AUTHOR_UNAVAILABLE']));
    expect((await creating).body).to.include(FAILED);
    const failed = ledger.outbox.readEntries().filter(({ status }) => status === 'FAILED');
    const reason = `the key that signed this record, ${authorOfAlpha().address}, is no longer one of the tenant's writers`;
    expect(new Set(failed.map((entry) => entry.reason))).to.deep.equal(new Set([reason]));
    expect(problems.filter((line) => line.includes(reason))).to.have.length(failed.length);
    expect(ledger.outbox.pendingCount()).to.equal(0);
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
    const { alpha, ledger } = fixture;
    const administrator = await openAdministrator();
    const wallets = { ledgerAdministrator: administrator, tenantAdministrator: administrator, writer: authorOfAlpha() };
    await admitTenant(ledger.chain, ledger.contract, alpha.identity, wallets, ledger.relayer);
    await eventually(
      'a write is accepted',
      async () => (await alpha.post('assets', { attributes: {} })).status === 200,
    );
    expect((await recordKeyed(refused[0]!.body, notes[0]!)).body).to.deep.equal(refused[0]!.body);
    expect((await alpha.post('assets', { attributes: {} }, keyed('asset'))).body).to.include(FAILED);
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
