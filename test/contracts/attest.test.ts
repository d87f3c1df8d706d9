// What `attest` logs: the contract's state, so that a receipt proves it.
import { expect } from 'chai';
import { type ContractTransactionResponse, sha256, ZeroAddress } from 'ethers';
import { aRecord, keyOf, someRecords } from './support/aRecord.ts';
import type { LedgerContract } from './support/ledgerContract.ts';
import { loadLedger } from './support/ledgerFixture.ts';
import { countStorageWrites } from './support/ledgerStorage.ts';
import { EMPTY_HEAD } from './support/streamModel.ts';

const fetchLogs = async (ledger: LedgerContract, transaction: ContractTransactionResponse) => {
  const receipt = await transaction.wait();
  return receipt!.logs.map((log) => {
    const { name, args } = ledger.interface.parseLog(log)!;
    return [name, ...args];
  });
};

const loadRecords = async () => {
  const fixture = await loadLedger();
  const { ledger, tenant, writer, thirdParty } = fixture;
  const records = someRecords(3);
  await ledger.connect(writer).append(tenant, records);
  return { ...fixture, ledger: ledger.connect(thirdParty), records };
};

const aTenant = (tenant: string) => ({ tenant, streams: [], ids: [], accounts: [] });

describe('attest', () => {
  it('anybody gets tree, streams, records and writers, in the order in which they are named', async () => {
    const { ledger, tenant, otherTenant, writer, otherWriter, records } = await loadRecords();
    const { stream, id } = records[1]!;
    const transaction = await ledger.attest([
      { tenant, streams: [stream], ids: [id, records[0]!.id], accounts: [writer, otherWriter] },
      { tenant: otherTenant, streams: [], ids: [], accounts: [otherWriter] },
    ]);
    const found = await ledger.recordOf(tenant, id);
    const first = await ledger.recordOf(tenant, records[0]!.id);
    expect(await fetchLogs(ledger, transaction)).to.deep.equal([
      ['TenantAttested', tenant, ...(await ledger.treeOf(tenant))],
      ['StreamAttested', tenant, stream, ...(await ledger.streamOf(tenant, stream))],
      ['RecordAttested', tenant, id, ...found],
      ['RecordAttested', tenant, records[0]!.id, ...first],
      ['WriterAttested', tenant, writer.address, true],
      ['WriterAttested', tenant, otherWriter.address, false],
      ['TenantAttested', otherTenant, 0n, sha256('0x')],
      ['WriterAttested', otherTenant, otherWriter.address, true],
    ]);
  });

  it('what is not there is logged as zeros', async () => {
    const { ledger, tenant, otherTenant, records } = await loadRecords();
    const none = keyOf('assets/none');
    const asked = { streams: [none, records[0]!.stream], ids: [none, records[0]!.id], accounts: [ZeroAddress] };
    const transaction = await ledger.attest([{ tenant: otherTenant, ...asked }, aTenant(none)]);
    expect(await fetchLogs(ledger, transaction)).to.deep.equal([
      ['TenantAttested', otherTenant, 0n, sha256('0x')],
      ['StreamAttested', otherTenant, none, EMPTY_HEAD, 0n],
      ['StreamAttested', otherTenant, records[0]!.stream, EMPTY_HEAD, 0n],
      ['RecordAttested', otherTenant, none, EMPTY_HEAD, 0n],
      ['RecordAttested', otherTenant, records[0]!.id, EMPTY_HEAD, 0n],
      ['WriterAttested', otherTenant, ZeroAddress, false],
      ['TenantAttested', none, 0n, sha256('0x')],
    ]);
    expect((await ledger.treeOf(tenant)).size).to.equal(3n);
  });

  it('a writer that was removed is logged as none', async () => {
    const { ledger, tenant, administrator, writer } = await loadRecords();
    await ledger.connect(administrator).removeWriter(tenant, writer);
    const transaction = await ledger.attest([{ ...aTenant(tenant), accounts: [writer] }]);
    expect((await fetchLogs(ledger, transaction)).at(-1)).to.deep.equal([
      'WriterAttested',
      tenant,
      writer.address,
      false,
    ]);
  });

  it('nothing is written', async () => {
    const { ledger, tenant, writer, records } = await loadRecords();
    const { stream } = records[0]!;
    const asked = { tenant, streams: [stream], ids: [aRecord().id], accounts: [writer] };
    expect(await countStorageWrites(await ledger.attest([asked]))).to.equal(0);
  });

  it('an empty list is refused', async () => {
    const { ledger } = await loadRecords();
    await expect(ledger.attest([])).to.be.revertedWithCustomError(ledger, 'LedgerNoAttestations');
  });
});
