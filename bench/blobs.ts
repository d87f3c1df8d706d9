// npm run bench:blobs: uploads one large file to a server process and downloads it again, while it samples the server's
// memory. This process generates and discards the bytes as a stream.
import { createHash, type Hash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { Command } from 'commander';
import { type ServerProcess, startServerProcess } from '../host/lifecycle/serverProcess.ts';
import { createProgress } from '../host/operator/progress.ts';
import { runOperatorCommand } from '../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../host/tenants.ts';
import { readResidentBytes } from './load/processUsage.ts';
import { toTable } from './table.ts';

const MEBIBYTE = 2 ** 20;
const WARM_UP_MEBIBYTES = 64;
const SAMPLE_MS = 50;
const BOUNDARY = 'provenance-benchmark';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="filename"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

type OnMebibytes = (done: number) => void;

/** One way of the file. */
interface BlobResult {
  readonly title: string;
  readonly mebibytes: number;
  readonly seconds: number;
  /** Resident memory of the server, in bytes. */
  readonly before: number;
  readonly peak: number;
  readonly after: number;
}

const measure = async (
  pid: number,
  { way, mebibytes }: { way: string; mebibytes: number },
  run: () => Promise<void>,
): Promise<BlobResult> => {
  const before = await readResidentBytes(pid);
  let peak = before;
  const sampling = setInterval(async () => {
    peak = Math.max(peak, await readResidentBytes(pid));
  }, SAMPLE_MS);
  const startMs = performance.now();
  try {
    await run();
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - startMs) / 1000;
  const after = await readResidentBytes(pid);
  return { title: `${way} of ${mebibytes} MiB`, mebibytes, seconds, before, peak, after };
};

// Each mebibyte is different: its number precedes the same random bytes.
const sendMebibytes = async (
  sent: ClientRequest,
  mebibytes: number,
  hash: Hash,
  onMebibytes: OnMebibytes,
): Promise<void> => {
  const template = randomFillSync(Buffer.alloc(MEBIBYTE));
  for (let number = 0; number < mebibytes; number += 1) {
    const block = Buffer.from(template);
    block.writeUInt32BE(number);
    hash.update(block);
    if (!sent.write(block)) await once(sent, 'drain');
    onMebibytes(number + 1);
  }
};

interface Client {
  readonly url: string;
  readonly token: string;
}

const upload = async ({ url, token }: Client, mebibytes: number, onMebibytes: OnMebibytes): Promise<string> => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': HEAD.length + mebibytes * MEBIBYTE + TAIL.length,
  };
  const sent = request(`${url}/v1/blobs`, { method: 'POST', headers });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const hash = createHash('sha256');
  sent.write(HEAD);
  await sendMebibytes(sent, mebibytes, hash, onMebibytes);
  sent.end(TAIL);
  const [response] = await answered;
  const blob = (await json(response)) as { identity: string; hash: { value: string } };
  if (response.statusCode !== 200)
    throw new Error(`the upload is answered ${response.statusCode}: ${JSON.stringify(blob)}`);
  if (blob.hash.value !== hash.digest('hex')) throw new Error('the server computed another hash');
  return blob.identity;
};

const download = async ({ url, token }: Client, identity: string, onMebibytes: OnMebibytes): Promise<void> => {
  const response = await fetch(`${url}/v1/${identity}`, { headers: { authorization: `Bearer ${token}` } });
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of response.body!) {
    hash.update(chunk);
    bytes += chunk.length;
    onMebibytes(Math.floor(bytes / MEBIBYTE));
  }
  if (response.headers.get('etag') !== `"${hash.digest('hex')}"`) throw new Error('the download has another hash');
};

const toMebibytes = (bytes: number): string => (bytes / MEBIBYTE).toFixed(0);

const toReport = (rows: readonly BlobResult[]): string =>
  toTable(
    ['', 'seconds', 'MiB/s', 'memory before, MiB', 'peak, MiB', 'after, MiB'],
    rows.map(({ title, mebibytes, seconds, before, peak, after }) => [
      title,
      seconds.toFixed(1),
      (mebibytes / seconds).toFixed(0),
      ...[before, peak, after].map(toMebibytes),
    ]),
  );

const bench = async (server: ServerProcess, client: Client, mebibytes: number): Promise<BlobResult[]> => {
  const onStep = createProgress();
  const report = (title: string) => (done: number) => onStep({ title, unit: 'MiB', done, total: mebibytes });
  const pid = server.process.pid!;
  let identity = '';
  const up = await measure(pid, { way: 'upload', mebibytes }, async () => {
    identity = await upload(client, mebibytes, report('uploading'));
  });
  const down = await measure(pid, { way: 'download', mebibytes }, () =>
    download(client, identity, report('downloading')),
  );
  return [up, down];
};

// A small file first, so that loading and compiling isn't measured.
const toSizes = (mebibytes: number): number[] =>
  mebibytes > WARM_UP_MEBIBYTES ? [WARM_UP_MEBIBYTES, mebibytes] : [mebibytes];

const run = async (options: { mib: string }): Promise<void> => {
  const mebibytes = Number(options.mib);
  if (!Number.isInteger(mebibytes) || mebibytes < 1) throw new Error('--mib is a whole number of mebibytes, 1 or more');
  const dataDir = await mkdtemp(join(tmpdir(), 'provenance-bench-'));
  let server: ServerProcess | undefined;
  try {
    server = await startServerProcess(dataDir, [], { BLOB_BYTES_MAX: String(mebibytes * MEBIBYTE) });
    const who = { tenant: FIRST_TENANT, role: 'root' };
    const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', who);
    const rows: BlobResult[] = [];
    for (const size of toSizes(mebibytes))
      rows.push(...(await bench(server, { url: `${server.url}/svc`, token }, size)));
    console.log(toReport(rows));
  } finally {
    await server?.stop('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
};

await new Command('bench:blobs')
  .description("Uploads a large file and downloads it again; prints pace and the server's memory")
  .option('--mib <n>', 'size of the file in mebibytes', '1024')
  .action(run)
  .parseAsync();
