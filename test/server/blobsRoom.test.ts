// How much room files may take: of the disk, and of one tenant's quota.
import { expect } from 'chai';
import { LedgerError } from '../../ledger/errors.ts';
import { createByteQuota } from '../../server/blobs/byteQuota.ts';
import { createDiskReserve, readDiskSpace } from '../../server/blobs/diskReserve.ts';
import { useDirectories } from '../support/directories.ts';
import { codeOf, rejectionOf } from '../support/refusals.ts';
import { expectProblem } from './support/expectProblem.ts';
import { startTestServer, type TestServer } from './support/testServer.ts';
import { listFiles, upload } from './support/uploads.ts';

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
    expect(new Set(refused)).to.deep.equal(new Set(['STORAGE_RESERVED']));
    expect(disk.freeBytes).to.be.at.least(20 * MIB);
    expect(disk.asked).to.be.at.most(64 * 6);
    expect(await rejectionOf(reserve.open())).to.equal(disk.freeBytes >= 21 * MIB ? 'NOT_REFUSED' : 'STORAGE_RESERVED');
  });

  it('keeps 5 % of a small disk, and gives back what was not written', async () => {
    const { readSpace } = createDisk(6 * MIB);
    const reserve = createDiskReserve(undefined, readSpace);
    const grant = await reserve.open();
    expect(await rejectionOf(reserve.open())).to.equal('STORAGE_RESERVED');
    grant.end();
    await reserve.open();
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
    kept.add(500);
    dropped.add(400);
    expect(codeOf(() => kept.add(1))).to.equal('BLOB_QUOTA_REACHED');
    shown += 500;
    kept.settle();
    const later = await quota.open(TENANT).catch((error: LedgerError) => error.code);
    expect(later).to.equal('BLOB_QUOTA_REACHED');
    expect(codeOf(() => dropped.add(1))).to.equal('BLOB_QUOTA_REACHED');
    dropped.end(false);
    kept.end(true);
    kept.end(false);
    const last = await quota.open(TENANT);
    last.add(400);
    expect(codeOf(() => last.add(1))).to.equal('BLOB_QUOTA_REACHED');
  });

  it('takes back what was shown and then refused', async () => {
    const quota = createByteQuota(10, async () => 0);
    const [refused, other] = [await quota.open(TENANT), await quota.open(TENANT)];
    refused.add(10);
    refused.settle();
    expect(codeOf(() => other.add(1))).to.equal('BLOB_QUOTA_REACHED');
    refused.end(false);
    other.add(10);
  });

  it('refuses nobody with 0', async () => {
    const quota = createByteQuota(0, () => Promise.reject(new LedgerError('CHAIN_UNAVAILABLE')));
    (await quota.open(TENANT)).add(Number.MAX_SAFE_INTEGER);
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
    expect(statuses).to.deep.equal([...Array(3).fill(200), ...Array(7).fill(402)]);
    expectProblem(await upload(server, new Uint8Array(101)), 402, 'BLOB_QUOTA_REACHED', 'file');
    expect((await upload(server, new Uint8Array(100))).status).to.equal(200);
    expectProblem(await upload(server, 'x'), 402, 'BLOB_QUOTA_REACHED', 'file');
    expect((await listFiles(server.directory)).length).to.equal(4);
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
