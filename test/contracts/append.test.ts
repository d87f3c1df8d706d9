// Direct writing: the author is the sender of the transaction.
import { expect } from 'chai';
import { fetchAppended } from './support/appended.ts';
import { aRecord } from './support/aRecord.ts';
import { behavesAsAppender } from './support/behavesAsAppender.ts';
import { loadLedger } from './support/ledgerFixture.ts';
import { deployOwnedWallet } from './support/wallets.ts';

describe('append', () => {
  behavesAsAppender(({ ledger, tenant }, author, records) => ledger.connect(author).append(tenant, records));

  it('a contract that is a writer can append', async () => {
    const fixture = await loadLedger();
    const { ledger, tenant, thirdParty } = fixture;
    const wallet = await deployOwnedWallet(fixture, thirdParty);
    const call = ledger.interface.encodeFunctionData('append', [tenant, [aRecord()]]);
    const [log] = await fetchAppended(ledger, await wallet.execute(ledger, call));
    expect(log!.author).to.equal(await wallet.getAddress());
  });
});
