import { expect } from 'chai';
import type { LedgerError } from '../../../ledger/errors.ts';
import { createDiskReserve } from '../../../server/blobs/diskReserve.ts';
import { rejectionOf } from '../../support/refusals.ts';

const MIB = 2 ** 20;

describe('createDiskReserve', () => {
  /** A disk that loses the written bytes, and counts the readings of its free space. */
  const createDisk = (freeBytes: number) => {
    const disk = { freeBytes, requested: 0 };
    const readSpace = async () => {
      disk.requested += 1;
      return { freeBytes: disk.freeBytes, totalBytes: 100 * MIB };
    };
    return { disk, readSpace };
  };

  it('keeps concurrent uploads above the reserve, and reads the free space once per MiB', async () => {
    const { disk, readSpace } = createDisk(50 * MIB);
    const reserve = createDiskReserve(20 * MIB, readSpace);
    const write = async (): Promise<string> => {
      const grant = await reserve.open();
      try {
        for (let chunk = 0; chunk < 80; chunk += 1) {
          await grant.take(MIB / 16);
          disk.freeBytes -= MIB / 16;
          grant.wrote(MIB / 16);
        }
      } finally {
        grant.end();
      }
      return 'written';
    };
    const answers = await Promise.allSettled(Array.from({ length: 64 }, write));
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [(answer.reason as LedgerError).code] : [],
    );
    expect(refused).to.not.be.empty;
    for (const code of refused) expect(code).to.be.oneOf(['STORAGE_RESERVED', 'UPLOADS_BUSY']);
    expect(disk.freeBytes).to.be.at.least(20 * MIB);
    expect(disk.requested).to.be.at.most(64 * 6);
    expect(await rejectionOf(reserve.open())).to.equal(disk.freeBytes >= 21 * MIB ? 'NOT_REFUSED' : 'STORAGE_RESERVED');
  });

  it('reserves 5 % of a small disk, and frees granted bytes that were not written', async () => {
    const { readSpace } = createDisk(6 * MIB);
    const reserve = createDiskReserve(undefined, readSpace);
    const grant = await reserve.open();
    expect(await rejectionOf(reserve.open())).to.equal('UPLOADS_BUSY');
    expect(await rejectionOf(reserve.open(MIB + 1))).to.equal('STORAGE_RESERVED');
    grant.end();
    await reserve.open();
  });

  it('grants an upload all of its expected bytes, and reads the free space once', async () => {
    const { disk, readSpace } = createDisk(50 * MIB);
    const reserve = createDiskReserve(20 * MIB, readSpace);
    const grants = [await reserve.open(10 * MIB), await reserve.open(10 * MIB), await reserve.open(10 * MIB)];
    expect(await rejectionOf(reserve.open(1))).to.equal('UPLOADS_BUSY');
    for (let chunk = 0; chunk < 10; chunk += 1)
      for (const grant of grants) {
        await grant.take(MIB);
        disk.freeBytes -= MIB;
        grant.wrote(MIB);
      }
    expect(disk.requested).to.equal(4);
    expect(await rejectionOf(reserve.open(1))).to.equal('STORAGE_RESERVED');
    expect(await rejectionOf(grants[0]!.take(1))).to.equal('STORAGE_RESERVED');
  });

  it('reserves 1 GiB of a large disk', async () => {
    const space = { freeBytes: 2 ** 30 + MIB - 1, totalBytes: 2 ** 40 };
    const reserve = createDiskReserve(undefined, async () => space);
    expect(await rejectionOf(reserve.open())).to.equal('STORAGE_RESERVED');
    space.freeBytes += 1;
    await reserve.open();
  });
});
