// A server with one asset, and the files that a person could check of it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';

const LOG_KEY = fileURLToPath(new URL('../../scripts/logKey.ts', import.meta.url));
const POLL_MS = 200;
const SETTINGS = { LOG_LEVEL: 'warn', PUBLIC_RATE_LIMIT_PER_SECOND: '0', CHECKPOINT_SECONDS: '1' };
/** Of a file with a checkpoint of the log. */
const ANCHOR = '"anchors":[{';

/** What the pages are measured with. */
export interface ExplorerServer {
  readonly url: string;
  readonly token: string;
  /** JSON texts. */
  readonly event: string;
  readonly evidence: string;
  /** Roots of trust with the key of the log. */
  readonly trust: string;
}

const fetchText = async (url: string, token: string, path: string, body?: object): Promise<string> => {
  const answer = await fetch(`${url}/svc/v2/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} is answered ${answer.status}: ${await answer.text()}`);
  return answer.text();
};

// The record has to be in a block, and the block in a checkpoint.
const retry = async <T>(task: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await task().catch((error: Error) => {
      if (!error.message.includes('503')) throw error;
      return undefined;
    });
    if (found !== undefined) return found;
    await setTimeout(POLL_MS);
  }
};

const record = async (url: string, token: string): Promise<{ event: string; evidence: string }> => {
  const attributes = { arc_display_name: 'Container 7', arc_display_type: 'Container' };
  const asset = JSON.parse(await fetchText(url, token, 'assets', { attributes })) as { identity: string };
  const recorded = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: {}, asset_attributes: {} };
  const text = await fetchText(url, token, `${asset.identity}/events`, recorded);
  const { identity } = JSON.parse(text) as { identity: string };
  const fetchWith = (path: string, part: string) =>
    retry(async () => {
      const found = await fetchText(url, token, path);
      return found.includes(part) ? found : undefined;
    });
  const event = await fetchWith(identity, '"CONFIRMED"');
  return { event, evidence: await fetchWith(`${identity}:evidence`, ANCHOR) };
};

const readTrust = async (dataDir: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, [LOG_KEY, '--trust'], { env: { DATA_DIR: dataDir } })).stdout;

/** Runs a task with a server in a directory that is removed afterwards. */
export const withExplorerServer = async <T>(task: (server: ExplorerServer) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-explorer-'));
  const dataDir = join(directory, 'data');
  try {
    const server = await startServerProcess(dataDir, [], SETTINGS);
    try {
      const input = { tenant: FIRST_TENANT, role: 'root' };
      const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input);
      const recorded = await record(server.url, token);
      return await task({ url: server.url, token, ...recorded, trust: await readTrust(dataDir) });
    } finally {
      await server.stop('SIGTERM');
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
