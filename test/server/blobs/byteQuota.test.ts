import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { createByteQuota } from '../../../server/blobs/byteQuota.ts';
import { NOT_REFUSED, rejectionOf } from '../../support/refusals.ts';

const TENANT = 'tenant/0b7f3bd4-9d3c-4c12-8f3a-1f6b1d7c2e90';

describe('createByteQuota', () => {
  it('counts received, shown and kept bytes once each', async () => {
    let shown = 100;
    const quota = createByteQuota(1_000, async () => shown);
    const [kept, dropped] = [await quota.open(TENANT), await quota.open(TENANT)];
    await kept.add(500);
    await dropped.add(400);
    expect(await rejectionOf(kept.add(1))).to.equal('UPLOADS_BUSY');
    shown += 500;
    kept.release();
    expect(await rejectionOf(quota.open(TENANT))).to.equal('UPLOADS_BUSY');
    expect(await rejectionOf(quota.open(TENANT, 401))).to.equal('BLOB_QUOTA_REACHED');
    expect(await rejectionOf(dropped.add(1))).to.equal('BLOB_QUOTA_REACHED');
    dropped.end();
    kept.end();
    kept.end();
    const last = await quota.open(TENANT);
    await last.add(400);
    expect(await rejectionOf(last.add(1))).to.equal('BLOB_QUOTA_REACHED');
  });

  it('lets earlier uploads finish, and claims no more than the received bytes', async () => {
    const quota = createByteQuota(1_000, async () => 0);
    const [first, second] = [await quota.open(TENANT, 500), await quota.open(TENANT, 500)];
    expect(await rejectionOf(quota.open(TENANT, 1))).to.equal('UPLOADS_BUSY');
    await first.add(490);
    first.complete();
    const third = await quota.open(TENANT, 10);
    for (const [claim, bytes] of [
      [second, 500],
      [third, 10],
    ] as const)
      await claim.add(bytes);
    expect(await rejectionOf(third.add(1))).to.equal('UPLOADS_BUSY');
  });

  it('keeps concurrent uploads within the quota, however slowly the total is read', async () => {
    const quota = createByteQuota(1_000, () => new Promise((resolve) => setImmediate(resolve, 0)));
    const opened = await Promise.all(Array.from({ length: 10 }, () => rejectionOf(quota.open(TENANT, 300))));
    expect(opened).to.deep.equal([...Array(3).fill(NOT_REFUSED), ...Array(7).fill('UPLOADS_BUSY')]);
  });

  it('counts a file once whose upload releases its claim while the total is read', async () => {
    let shown = 0;
    const quota = createByteQuota(1_000, async () => shown);
    const kept = await quota.open(TENANT, 500);
    const later = quota.open(TENANT, 500);
    shown = 500;
    kept.release();
    await later;
  });

  it('no longer counts an upload that was refused at its end', async () => {
    const quota = createByteQuota(10, async () => 0);
    const [refused, other] = [await quota.open(TENANT), await quota.open(TENANT)];
    await refused.add(9);
    expect(await rejectionOf(other.add(2))).to.equal('UPLOADS_BUSY');
    refused.end();
    await other.add(8);
    expect(await rejectionOf(other.add(1))).to.equal('BLOB_QUOTA_REACHED');
  });

  it('states the bytes that are left: those of uploads in progress are taken', async () => {
    let shown = 400;
    const quota = createByteQuota(1_000, async () => shown);
    expect(await quota.readLeft(TENANT)).to.equal(600);
    const claim = await quota.open(TENANT, 500);
    expect([await quota.readLeft(TENANT), await quota.readLeft('tenant/other')]).to.deep.equal([100, 600]);
    claim.end();
    shown = 2_000;
    expect(await quota.readLeft(TENANT)).to.equal(0);
    expect(await createByteQuota(0, async () => shown).readLeft(TENANT)).to.equal(undefined);
  });

  it('never refuses an upload with 0', async () => {
    const quota = createByteQuota(0, () => Promise.reject(new LedgerError('CHAIN_UNAVAILABLE')));
    await (await quota.open(TENANT)).add(Number.MAX_SAFE_INTEGER);
  });
});
