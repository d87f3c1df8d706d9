// Roles: the ledger's administrator admits tenants and a tenant's administrator adds writers. Neither has other rights.
import { expect } from 'chai';
import { ZeroAddress } from 'ethers';
import { keyOf } from './support/aRecord.ts';
import { connection, deployContract, loadLedger } from './support/ledgerFixture.ts';

describe('administration: deployment', () => {
  it('the ledger belongs to the administrator that it was created for', async () => {
    const { ledger, owner } = await loadLedger();
    expect(await ledger.owner()).to.equal(owner.address);
  });

  it('a ledger without an administrator cannot be created', async () => {
    const { ledger } = await loadLedger();
    await expect(deployContract(connection, ZeroAddress))
      .to.be.revertedWithCustomError(ledger, 'OwnableInvalidOwner')
      .withArgs(ZeroAddress);
  });
});

describe('administration: admitTenant', () => {
  const tenant = keyOf('tenant/three');

  it('a tenant is admitted with its administrator', async () => {
    const { ledger, thirdParty } = await loadLedger();
    await expect(ledger.admitTenant(tenant, thirdParty))
      .to.emit(ledger, 'TenantAdmitted')
      .withArgs(tenant, thirdParty.address);
    expect(await ledger.administratorOf(tenant)).to.equal(thirdParty.address);
    expect(await ledger.successorOf(tenant)).to.equal(ZeroAddress);
    expect(await ledger.isWriter(tenant, thirdParty)).to.equal(false);
  });

  it('a tenant that was not admitted has no administrator', async () => {
    const { ledger } = await loadLedger();
    expect(await ledger.administratorOf(tenant)).to.equal(ZeroAddress);
  });

  it("only the ledger's administrator admits", async () => {
    const { ledger, administrator } = await loadLedger();
    await expect(ledger.connect(administrator).admitTenant(tenant, administrator))
      .to.be.revertedWithCustomError(ledger, 'OwnableUnauthorizedAccount')
      .withArgs(administrator.address);
  });

  it('a tenant is admitted once', async () => {
    const { ledger, tenant: admitted, administrator, thirdParty } = await loadLedger();
    await expect(ledger.admitTenant(admitted, thirdParty))
      .to.be.revertedWithCustomError(ledger, 'LedgerTenantExists')
      .withArgs(admitted);
    expect(await ledger.administratorOf(admitted)).to.equal(administrator.address);
  });

  it('the zero address cannot be an administrator', async () => {
    const { ledger } = await loadLedger();
    await expect(ledger.admitTenant(tenant, ZeroAddress))
      .to.be.revertedWithCustomError(ledger, 'LedgerInvalidAccount')
      .withArgs(ZeroAddress);
  });

  it("the ledger's administration passes in two steps", async () => {
    const { ledger, owner, thirdParty } = await loadLedger();
    await ledger.transferOwnership(thirdParty);
    expect(await ledger.owner()).to.equal(owner.address);
    await ledger.connect(thirdParty).acceptOwnership();
    await ledger.connect(thirdParty).admitTenant(tenant, thirdParty);
    await expect(ledger.connect(owner).admitTenant(keyOf('tenant/four'), owner))
      .to.be.revertedWithCustomError(ledger, 'OwnableUnauthorizedAccount')
      .withArgs(owner.address);
  });

  it('a ledger whose administrator renounced works on, and admits no tenant', async () => {
    const { ledger, tenant: admitted, owner, administrator, thirdParty } = await loadLedger();
    await ledger.renounceOwnership();
    await ledger.connect(administrator).addWriter(admitted, thirdParty);
    await expect(ledger.admitTenant(tenant, thirdParty))
      .to.be.revertedWithCustomError(ledger, 'OwnableUnauthorizedAccount')
      .withArgs(owner.address);
  });
});

describe('administration: hand-over of a tenant', () => {
  it('the hand-over begins with naming a successor, who is not administrator yet', async () => {
    const { ledger, tenant, administrator, thirdParty } = await loadLedger();
    await expect(ledger.connect(administrator).transferTenantAdministration(tenant, thirdParty))
      .to.emit(ledger, 'TenantAdministrationTransferStarted')
      .withArgs(tenant, administrator.address, thirdParty.address);
    expect(await ledger.successorOf(tenant)).to.equal(thirdParty.address);
    expect(await ledger.administratorOf(tenant)).to.equal(administrator.address);
  });

  it('the successor completes the hand-over', async () => {
    const { ledger, tenant, administrator, thirdParty, relayer } = await loadLedger();
    await ledger.connect(administrator).transferTenantAdministration(tenant, thirdParty);
    await expect(ledger.connect(thirdParty).acceptTenantAdministration(tenant))
      .to.emit(ledger, 'TenantAdministrationTransferred')
      .withArgs(tenant, administrator.address, thirdParty.address);
    expect(await ledger.administratorOf(tenant)).to.equal(thirdParty.address);
    expect(await ledger.successorOf(tenant)).to.equal(ZeroAddress);
    await ledger.connect(thirdParty).addWriter(tenant, relayer);
    await expect(ledger.connect(administrator).removeWriter(tenant, relayer))
      .to.be.revertedWithCustomError(ledger, 'LedgerNotTenantAdministrator')
      .withArgs(tenant, administrator.address);
  });

  it('a cancelled hand-over cannot be completed', async () => {
    const { ledger, tenant, administrator, thirdParty } = await loadLedger();
    await ledger.connect(administrator).transferTenantAdministration(tenant, thirdParty);
    await expect(ledger.connect(administrator).transferTenantAdministration(tenant, ZeroAddress))
      .to.emit(ledger, 'TenantAdministrationTransferStarted')
      .withArgs(tenant, administrator.address, ZeroAddress);
    await expect(ledger.connect(thirdParty).acceptTenantAdministration(tenant))
      .to.be.revertedWithCustomError(ledger, 'LedgerNotTenantSuccessor')
      .withArgs(tenant, thirdParty.address);
  });

  it('a hand-over is completed once', async () => {
    const { ledger, tenant, administrator, thirdParty } = await loadLedger();
    await ledger.connect(administrator).transferTenantAdministration(tenant, thirdParty);
    await ledger.connect(thirdParty).acceptTenantAdministration(tenant);
    await ledger.connect(thirdParty).transferTenantAdministration(tenant, administrator);
    await ledger.connect(administrator).acceptTenantAdministration(tenant);
    await expect(ledger.connect(thirdParty).acceptTenantAdministration(tenant))
      .to.be.revertedWithCustomError(ledger, 'LedgerNotTenantSuccessor')
      .withArgs(tenant, thirdParty.address);
  });

  for (const role of ['owner', 'administrator', 'writer', 'thirdParty'] as const) {
    it(`only the successor completes the hand-over: ${role} does not`, async () => {
      const fixture = await loadLedger();
      const { ledger, tenant, administrator, relayer } = fixture;
      await ledger.connect(administrator).transferTenantAdministration(tenant, relayer);
      await expect(ledger.connect(fixture[role]).acceptTenantAdministration(tenant))
        .to.be.revertedWithCustomError(ledger, 'LedgerNotTenantSuccessor')
        .withArgs(tenant, fixture[role].address);
    });
  }

  it('a tenant that was not admitted has no successor', async () => {
    const { ledger, thirdParty } = await loadLedger();
    const tenant = keyOf('tenant/three');
    await expect(ledger.connect(thirdParty).acceptTenantAdministration(tenant))
      .to.be.revertedWithCustomError(ledger, 'LedgerNotTenantSuccessor')
      .withArgs(tenant, thirdParty.address);
  });
});

describe('administration: writers', () => {
  it('a writer is added', async () => {
    const { ledger, tenant, otherTenant, administrator, thirdParty } = await loadLedger();
    await expect(ledger.connect(administrator).addWriter(tenant, thirdParty))
      .to.emit(ledger, 'WriterAdded')
      .withArgs(tenant, thirdParty.address);
    expect(await ledger.isWriter(tenant, thirdParty)).to.equal(true);
    expect(await ledger.isWriter(otherTenant, thirdParty)).to.equal(false);
  });

  it('adding a writer again changes nothing and emits nothing', async () => {
    const { ledger, tenant, administrator, writer } = await loadLedger();
    await expect(ledger.connect(administrator).addWriter(tenant, writer)).not.to.emit(ledger, 'WriterAdded');
    expect(await ledger.isWriter(tenant, writer)).to.equal(true);
  });

  it('the zero address cannot be a writer', async () => {
    const { ledger, tenant, administrator } = await loadLedger();
    await expect(ledger.connect(administrator).addWriter(tenant, ZeroAddress))
      .to.be.revertedWithCustomError(ledger, 'LedgerInvalidAccount')
      .withArgs(ZeroAddress);
  });

  it('a writer is removed', async () => {
    const { ledger, tenant, administrator, writer } = await loadLedger();
    await expect(ledger.connect(administrator).removeWriter(tenant, writer))
      .to.emit(ledger, 'WriterRemoved')
      .withArgs(tenant, writer.address);
    expect(await ledger.isWriter(tenant, writer)).to.equal(false);
  });

  it('removing an account that is no writer changes nothing and emits nothing', async () => {
    const { ledger, tenant, administrator, thirdParty } = await loadLedger();
    await expect(ledger.connect(administrator).removeWriter(tenant, thirdParty)).not.to.emit(ledger, 'WriterRemoved');
  });

  it("a tenant's administrator is no writer", async () => {
    const { ledger, tenant, administrator } = await loadLedger();
    expect(await ledger.isWriter(tenant, administrator)).to.equal(false);
  });
});

describe("administration: another's tenant", () => {
  for (const role of ['owner', 'writer', 'otherAdministrator', 'thirdParty'] as const) {
    for (const call of ['addWriter', 'removeWriter', 'transferTenantAdministration'] as const) {
      it(`${role} cannot ${call}`, async () => {
        const fixture = await loadLedger();
        const { ledger, tenant } = fixture;
        await expect(ledger.connect(fixture[role])[call](tenant, fixture[role]))
          .to.be.revertedWithCustomError(ledger, 'LedgerNotTenantAdministrator')
          .withArgs(tenant, fixture[role].address);
      });
    }
  }

  it('a tenant that was not admitted belongs to no account', async () => {
    const { ledger, thirdParty } = await loadLedger();
    const tenant = keyOf('tenant/three');
    await expect(ledger.connect(thirdParty).addWriter(tenant, thirdParty))
      .to.be.revertedWithCustomError(ledger, 'LedgerNotTenantAdministrator')
      .withArgs(tenant, thirdParty.address);
  });
});
