// Uploads up to a tenant's quota of bytes, and down to the disk space that is reserved.
import { expect } from 'chai';
import { readDiskSpace } from '../../../server/blobs/diskReserve.ts';
import { useDirectories } from '../../support/directories.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import { beginUpload, listFiles, readHead, toBody, toStatus, upload } from '../support/uploads.ts';

describe('an upload', () => {
  const makeDirectory = useDirectories();
  let server: TestServer;
  afterEach(() => server.close());

  it('is refused with 402 beyond the quota of its tenant, to the byte, even among concurrent uploads', async () => {
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

  // Sends the bodies in small pieces by turns, so that all are in progress together.
  const uploadByTurns = async (bodies: readonly Buffer[], pieceBytes: number): Promise<string[]> => {
    const sockets = await Promise.all(bodies.map((body) => beginUpload(server, body.length, new Uint8Array())));
    const answers = sockets.map(readHead);
    for (let at = 0; at < bodies[0]!.length; at += pieceBytes)
      for (const [index, socket] of sockets.entries())
        await new Promise((resolve) => socket.write(bodies[index]!.subarray(at, at + pieceBytes), resolve));
    return Promise.all(answers);
  };

  it('is not refused because of later concurrent uploads', async () => {
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

  it('is refused with 507 when it would use the reserve, and leaves no file; records are accepted', async () => {
    const { freeBytes } = await readDiskSpace(await makeDirectory());
    server = await startTestServer({}, { reserveBytes: 2 * freeBytes });
    expectProblem(await upload(server, 'hello'), 507, 'STORAGE_RESERVED');
    expect(await listFiles(server.directory)).to.deep.equal([]);
    const created = await server.request('POST', '/svc/v2/assets', { json: {} });
    expect(created.status).to.equal(200);
  });
});
