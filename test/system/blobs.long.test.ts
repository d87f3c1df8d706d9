import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { listFiles } from '../server/support/uploads.ts';
import { useDirectories } from '../support/directories.ts';

const ROUNDS = 4;
const CLIENTS = 6;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Kept {
  readonly identity: string;
  readonly hash: { readonly value: string };
}

describe('a server that is killed during uploads', () => {
  const createDirectory = useDirectories();
  let server: ServerProcess | undefined;
  afterEach(() => server?.stop('SIGKILL'));

  const fetchOf = async (dataDir: string) => {
    const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', {
      tenant: 'default',
      role: 'root',
    });
    const { url } = server!;
    return (path: string, body?: FormData): Promise<Response> =>
      fetch(`${url}/svc/v1/${path}`, {
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
  };

  // Uploads until the server is killed. There are few distinct files, so that clients upload the same content.
  const uploadUntilGone = async (
    request: Awaited<ReturnType<typeof fetchOf>>,
    files: readonly Uint8Array<ArrayBuffer>[],
    kept: Kept[],
  ) => {
    for (;;) {
      const form = new FormData();
      form.append('file', new Blob([files[Math.floor(Math.random() * files.length)]!]), 'filename');
      try {
        const response = await request('blobs', form);
        kept.push((await response.json()) as Kept);
      } catch {
        return;
      }
    }
  };

  it('has every answered file, and no file without a record, after a restart', async () => {
    const dataDir = await createDirectory();
    const directory = dataPaths(dataDir).blobs;
    const kept: Kept[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      server = await startServerProcess(dataDir);
      const request = await fetchOf(dataDir);
      const files = Array.from({ length: 20 }, () => new Uint8Array(randomBytes(400_000)));
      const clients = Array.from({ length: CLIENTS }, () => uploadUntilGone(request, files, kept));
      const enough = kept.length + 5 + Math.floor(Math.random() * 20);
      while (kept.length < enough) await new Promise((resolve) => setImmediate(resolve));
      await server.stop('SIGKILL');
      await Promise.all(clients);
    }
    server = await startServerProcess(dataDir);
    const request = await fetchOf(dataDir);
    for (const { identity, hash } of kept) {
      const bytes = new Uint8Array(await (await request(identity)).arrayBuffer());
      expect(sha256(bytes)).to.equal(hash.value);
    }
    const files = await listFiles(directory);
    for (const path of files) {
      expect(path).to.match(/^content\//);
      const [, , prefix, rest] = path.split('/');
      const { blobs } = (await (await request(`blobs?hash=${prefix}${rest}`)).json()) as { blobs: unknown[] };
      expect([path, blobs.length > 0]).to.eql([path, true]);
    }
    expect(files.length).to.be.greaterThan(0);
    expect(join(directory, files[0]!)).to.include(dataDir);
  });
});
