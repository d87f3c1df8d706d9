// The tenant's administrator removes a server's key from the writers while records of it wait for the chain.
import { expect } from 'chai';
import { admitTenant } from '../../chain/administration.ts';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { signTransaction } from '../../chain/writing/signTransaction.ts';
import { toAdministratorName } from '../../host/wallets/tenantWallets.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toUuid } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { eventually, type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import type { JsonAnswer } from '../support/testLedger.ts';

interface Problem {
  readonly details: readonly { readonly error: string }[];
}
const COUNT = 60;
const notes = Array.from({ length: COUNT }, (_, at) => String(at));

describe('a key that was removed as a writer while records wait', () => {
  let node: ExternalNode;
  let fixture: NetworkFixture;
  let beta: FixtureTenant;
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

  it('makes them FAILED with that reason, and harms no record of another tenant', async () => {
    const { alpha, ledger, problems } = fixture;
    const [ours, theirs] = [await alpha.createAsset(), await beta.createAsset()];
    await node.request('evm_setAutomine', [false]);
    const answers = notes.map((note) => alpha.record(ours, note));
    const others = notes.map((note) => beta.record(theirs, note));
    await eventually('all are accepted', () => ledger.outbox.pendingCount() === 2 * COUNT);
    await removeWriter();
    const before = Number(await node.request('eth_getTransactionCount', [ledger.relayer.address, 'latest']));
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    expect((await Promise.all(others)).map(statusOf)).to.deep.equal(others.map(() => 'CONFIRMED'));
    const statuses = (await Promise.all(answers)).map(statusOf);
    expect(new Set(statuses)).to.deep.equal(new Set(['FAILED']));
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
    const refused = await alpha.post<Problem>('assets', { attributes: {} });
    expect([refused.status, refused.body.details[0]!.error]).to.deep.equal([503, 'AUTHOR_UNAVAILABLE']);
    expect((await beta.createAsset()).confirmation_status).to.equal('CONFIRMED');
    const { body } = await alpha.get<{ events: EventResource[] }>('assets/-/events?page_size=100');
    const shown = body.events.filter((event) => event.confirmation_status === 'FAILED');
    expect(shown).to.have.length(ledger.outbox.failedCount());
  });

  it('accepts writes again when the key is a writer again', async () => {
    const { alpha, ledger } = fixture;
    const administrator = await openAdministrator();
    const wallets = { ledgerAdministrator: administrator, tenantAdministrator: administrator, writer: authorOfAlpha() };
    await admitTenant(ledger.chain, ledger.contract, alpha.identity, wallets, ledger.relayer);
    await eventually(
      'a write is accepted',
      async () => (await alpha.post('assets', { attributes: {} })).status === 200,
    );
  });
});
