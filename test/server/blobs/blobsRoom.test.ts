// How much room files may take: of the disk, and of one tenant's quota.
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { createByteQuota } from '../../../server/blobs/byteQuota.ts';
import { createDiskReserve, readDiskSpace } from '../../../server/blobs/diskReserve.ts';
import { useDirectories } from '../../support/directories.ts';
import { NOT_REFUSED, rejectionOf } from '../../support/refusals.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import { beginUpload, listFiles, readHead, toBody, toStatus, upload } from '../support/uploads.ts';

const MIB = 2 ** 20;
const TENANT = 'tenant/0b7f3bd4-9d3c-4c12-8f3a-1f6b1d7c2e90';

describe('createDiskReserve', () => {
  /** A disk that loses what is written, and counts how often it is asked. */
  const createDisk = (freeBytes: number) => {
    const disk = { freeBytes, asked: 0 };
    const readSpace = async () => {
      disk.asked += 1;
      return { freeBytes: disk.freeBytes, totalBytes: 100 * MIB };
    };
    return { disk, readSpace };
  };

  it('lets many uploads at once not pass the reserve, and asks the disk once a MiB', async () => {
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
    expect(disk.asked).to.be.at.most(64 * 6);
    expect(await rejectionOf(reserve.open())).to.equal(disk.freeBytes >= 21 * MIB ? 'NOT_REFUSED' : 'STORAGE_RESERVED');
  });

  it('keeps 5 % of a small disk, and gives back what was not written', async () => {
    const { readSpace } = createDisk(6 * MIB);
    const reserve = createDiskReserve(undefined, readSpace);
    const grant = await reserve.open();
    expect(await rejectionOf(reserve.open())).to.equal('UPLOADS_BUSY');
    expect(await rejectionOf(reserve.open(MIB + 1))).to.equal('STORAGE_RESERVED');
    grant.end();
    await reserve.open();
  });

  it('grants an upload all that is expected of it, and asks the disk once', async () => {
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
    expect(disk.asked).to.equal(4);
    expect(await rejectionOf(reserve.open(1))).to.equal('STORAGE_RESERVED');
    expect(await rejectionOf(grants[0]!.take(1))).to.equal('STORAGE_RESERVED');
  });

  it('keeps 1 GiB of a large disk', async () => {
    const space = { freeBytes: 2 ** 30 + MIB - 1, totalBytes: 2 ** 40 };
    const reserve = createDiskReserve(undefined, async () => space);
    expect(await rejectionOf(reserve.open())).to.equal('STORAGE_RESERVED');
    space.freeBytes += 1;
    await reserve.open();
  });
});

describe('createByteQuota', () => {
  it('counts what comes in, what is shown and what was kept once each', async () => {
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

  it('has the earlier uploads finish, and claims no more than what came in', async () => {
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

  it('lets uploads at once not pass the quota, however slowly the total is read', async () => {
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

  it('has an upload that was refused in the end count no more', async () => {
    const quota = createByteQuota(10, async () => 0);
    const [refused, other] = [await quota.open(TENANT), await quota.open(TENANT)];
    await refused.add(9);
    expect(await rejectionOf(other.add(2))).to.equal('UPLOADS_BUSY');
    refused.end();
    await other.add(8);
    expect(await rejectionOf(other.add(1))).to.equal('BLOB_QUOTA_REACHED');
  });

  it('refuses nobody with 0', async () => {
    const quota = createByteQuota(0, () => Promise.reject(new LedgerError('CHAIN_UNAVAILABLE')));
    await (await quota.open(TENANT)).add(Number.MAX_SAFE_INTEGER);
  });
});

describe('an upload', () => {
  const makeDirectory = useDirectories();
  let server: TestServer;
  afterEach(() => server.close());

  it('is refused with 402 past the quota of its tenant, to the byte, also among many at once', async () => {
    server = await startTestServer({}, { tenantBytesMax: 1_000 });
    const contents = Array.from({ length: 10 }, (_, byte) => new Uint8Array(300).fill(byte));
    const answers = await Promise.all(contents.map((content) => upload(server, content)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.slice(0, 3)).to.deep.equal([200, 200, 200]);
    for (const status of statuses.slice(3)) expect(status).to.be.oneOf([402, 503]);
    expectProblem(await upload(server, new Uint8Array(101)), 402, 'BLOB_QUOTA_REACHED', 'file');
    expect((await upload(server, new Uint8Array(100))).status).to.equal(200);
    expectProblem(await upload(server, 'x'), 402, 'BLOB_QUOTA_REACHED', 'file');
    expect((await listFiles(server.directory)).length).to.equal(4);
  });

  // Sends the bodies in small pieces by turns, so that all are under way together.
  const uploadByTurns = async (bodies: readonly Buffer[], pieceBytes: number): Promise<string[]> => {
    const sockets = await Promise.all(bodies.map((body) => beginUpload(server, body.length, new Uint8Array())));
    const answers = sockets.map(readHead);
    for (let at = 0; at < bodies[0]!.length; at += pieceBytes)
      for (const [index, socket] of sockets.entries())
        await new Promise((resolve) => socket.write(bodies[index]!.subarray(at, at + pieceBytes), resolve));
    return Promise.all(answers);
  };

  it('is not refused because of later ones that come in at the same time', async () => {
    server = await startTestServer({}, { tenantBytesMax: 1_000_000 });
    const bodies = Array.from({ length: 10 }, (_, byte) => toBody(new Uint8Array(300_000).fill(byte)));
    const answers = (await uploadByTurns(bodies, 30_000)).sort();
    expect(answers.slice(0, 3).map(toStatus)).to.deep.equal([200, 200, 200]);
    for (const answer of answers.slice(3)) {
      expect(toStatus(answer)).to.be.oneOf([402, 503]);
      if (toStatus(answer) === 503) expect(answer.toLowerCase()).to.include('\r\nretry-after: ');
    }
    expectProblem(await upload(server, new Uint8Array(100_001)), 402, 'BLOB_QUOTA_REACHED', 'file');
    expect((await upload(server, new Uint8Array(100_000))).status).to.equal(200);
  });

  it('is refused with 507 where it would touch the reserve, and leaves nothing; records are taken', async () => {
    const { freeBytes } = await readDiskSpace(await makeDirectory());
    server = await startTestServer({}, { reserveBytes: 2 * freeBytes });
    expectProblem(await upload(server, 'hello'), 507, 'STORAGE_RESERVED');
    expect(await listFiles(server.directory)).to.deep.equal([]);
    const created = await server.request('POST', '/svc/v2/assets', { json: {} });
    expect(created.status).to.equal(200);
  });
});
