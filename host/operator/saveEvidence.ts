// Writes evidence files of the running server to the disk.
import { createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isLedgerIdentity, parseEventIdentity, parseTenantIdentity } from '../../ledger/identity.ts';
import { console } from '../commandProcess.ts';
import { toConnectionFailure } from '../connectionFailure.ts';
import { readConfig } from '../settings/config.ts';
import { toTenantChoice } from '../tenancy/chosenTenant.ts';
import { commandServer, findServer } from './controlClient.ts';
import { describeLag, describeReach, type EvidenceReach, readEvidenceReach } from './evidenceReach.ts';
import { writeJson } from './jsonOutput.ts';

/** What to prove, and where to write it. */
export interface EvidenceOptions {
  /** Name of the tenant; undefined: the first one, else the only one. */
  readonly tenant?: string;
  /** Path of a new file; undefined: standard output. */
  readonly out?: string;
  readonly from?: number;
  readonly to?: number;
  readonly records?: boolean;
  /** Whether the file shows the contract's code, too. */
  readonly code?: boolean;
  readonly absent?: boolean;
  /** Identity or UUID of a policy: the verdict on the asset. */
  readonly policy?: string;
  /** Time of the verdict, of RFC 3339; undefined: now. */
  readonly at?: string;
}

/** Options that change what a file is about; the others fit everything. */
type Meaning = Exclude<keyof EvidenceOptions, 'tenant' | 'out' | 'code'>;

const MEANINGS: readonly Meaning[] = ['from', 'to', 'records', 'absent', 'policy', 'at'];

/** The API's answer: an evidence file, or its second file. */
type Fetch = (path: string) => Promise<Response>;

/** Attempts while no checkpoint covers the records. */
const ATTEMPTS_MAX = 12;
const PENDING = 503;

const assertOnly = (options: EvidenceOptions, subject: string, allowed: readonly Meaning[]): void => {
  const other = MEANINGS.find((name) => options[name] !== undefined && !allowed.includes(name));
  if (other !== undefined) throw new Error(`--${other} doesn't fit ${subject}`);
};

const toQuery = (members: Readonly<Record<string, unknown>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, `${value}`);
  return query.size === 0 ? '' : `?${query}`;
};

const toAssetPath = (identity: string, options: EvidenceOptions): string => {
  const { from, to, records, policy, at, code } = options;
  if (policy !== undefined) {
    assertOnly(options, 'a verdict', ['policy', 'at']);
    // Each attempt asks about the same time, so that a later one finds what the ledger attested after an earlier one.
    const compliant_at = at ?? new Date().toISOString();
    return `v1/compliance/${identity}:evidence${toQuery({ policy, compliant_at, code })}`;
  }
  if (from !== undefined || to !== undefined) {
    assertOnly(options, 'a range, which always has its records', ['from', 'to']);
    if (to === undefined) throw new Error('--from needs --to');
  }
  assertOnly(options, 'an asset without --policy', ['from', 'to', 'records']);
  return `v2/${identity}:evidence${toQuery({ from, to, records, code })}`;
};

const toPath = (identity: string, options: EvidenceOptions): string => {
  const { code } = options;
  if (options.absent === true) {
    assertOnly(options, 'an absence', ['absent']);
    return `v1/absence:evidence${toQuery({ identity, code })}`;
  }
  if (isLedgerIdentity(identity) && /^assets\/[^/]+$/.test(identity)) return toAssetPath(identity, options);
  if (parseEventIdentity(identity) !== undefined) {
    assertOnly(options, 'an event', []);
    return `v2/${identity}:evidence${toQuery({ code })}`;
  }
  if (parseTenantIdentity(identity) === identity) {
    assertOnly(options, 'the list of a tenant', []);
    return `v1/tenancies/${identity.slice('tenant/'.length)}:evidence${toQuery({ code })}`;
  }
  throw new Error(`${identity} is no identity of an event, an asset or a tenant; with --absent, of anything else`);
};

interface Refusal {
  readonly error: Error;
  /** Whether the same request may succeed in a few seconds. */
  readonly isPending: boolean;
}

const toRefusal = async (response: Response): Promise<Refusal> => {
  const problem = (await response.json().catch(() => ({}))) as { message?: string; details?: { error: string }[] };
  const { message, details } = problem;
  const text = `the server answers ${response.status}${message === undefined ? '' : `, ${message}`}`;
  const isPending = response.status === PENDING && details?.[0]?.error !== 'CODE_UNPROVEN';
  return { error: new Error(text), isPending };
};

// A checkpoint may take longer than a request waits for it, and was not cancelled.
const fetchCovered = async (fetchOnce: Fetch, path: string): Promise<Response> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetchOnce(path).catch((cause: unknown) => {
      throw new Error(`${toConnectionFailure(cause)}. Run the command again`, { cause });
    });
    if (response.ok) return response;
    const { error, isPending } = await toRefusal(response);
    if (!isPending || attempt === ATTEMPTS_MAX) throw error;
    console.error(`${error.message}; asking again (${attempt + 1} of ${ATTEMPTS_MAX})`);
    await wait(Number(response.headers.get('retry-after') ?? 1) * 1_000);
  }
};

const refuseExisting = (path: string, cause?: unknown): Error =>
  new Error(`${path} exists; name a new file with --out`, { cause });

// A file that another process makes meanwhile is refused when it is written.
const assertNew = (paths: readonly string[]): void => {
  const existing = paths.find((path) => existsSync(path));
  if (existing !== undefined) throw refuseExisting(existing);
};

const write = async (parts: Iterable<string> | AsyncIterable<Uint8Array>, out: string | undefined): Promise<void> => {
  if (out === undefined) return writeJson(parts);
  const file = createWriteStream(out, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(Readable.from(parts), file);
  } catch (error) {
    // An existing file stays as it is.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw refuseExisting(out, error);
    await rm(out, { force: true });
    throw error;
  }
};

const toLeavesFile = (out: string): string => `${out}.leaves`;

// The leaves first: a file without its leaves is unreadable.
const saveTenant = async (text: string, out: string, fetchLeaves: () => Promise<Response>): Promise<void> => {
  const leavesFile = toLeavesFile(out);
  await write((await fetchLeaves()).body!, leavesFile);
  try {
    await write([text], out);
  } catch (error) {
    await rm(leavesFile, { force: true });
    throw error;
  }
};

// An event, a range or a verdict at a time doesn't lag.
const toNewestPath = (identity: string, { absent, to, policy }: EvidenceOptions): string | undefined => {
  if (policy !== undefined) return undefined;
  if (parseEventIdentity(identity) !== undefined && absent !== true) return undefined;
  const isHistory = absent !== true && identity.startsWith('assets/');
  if (isHistory && to !== undefined) return undefined;
  return `v2/${isHistory ? identity : 'assets/-'}/events?page_size=1&confirmation_status=CONFIRMED`;
};

const findLag = async (
  fetchOnce: Fetch,
  reach: EvidenceReach,
  newestPath: string | undefined,
): Promise<string | undefined> => {
  if (newestPath === undefined) return undefined;
  const response = await fetchOnce(newestPath);
  if (!response.ok)
    return `whether the server has newer records is unknown: ${(await toRefusal(response)).error.message}`;
  const { events } = (await response.json()) as { events: { block_number: number }[] };
  return describeLag(reach, events[0]?.block_number ?? 0);
};

/**
 * Writes the evidence of an identity of a tenant, as the running server makes it, and prints how far it reaches.
 * @throws Error when no server runs, when it refuses, or when the file exists.
 */
export const saveEvidence = async (identity: string, options: EvidenceOptions): Promise<void> => {
  const { dataDir } = readConfig();
  const { tenant, out } = options;
  const path = toPath(identity, options);
  const isTenant = path.startsWith('v1/tenancies/');
  if (isTenant && out === undefined) throw new Error('the list of a tenant is two files; name the first with --out');
  if (out !== undefined) assertNew(isTenant ? [out, toLeavesFile(out)] : [out]);
  const server = await findServer(dataDir);
  // Only root principals read the list of a tenant.
  const input = { ...toTenantChoice(tenant), role: isTenant ? 'root' : 'reader' };
  const { token } = await commandServer<{ token: string }>(dataDir, 'token', input);
  const headers = { authorization: `Bearer ${token}` };
  const fetchOnce: Fetch = (name) => server.fetch(`${server.url}/svc/${name}`, { headers });
  const text = await (await fetchCovered(fetchOnce, path)).text();
  const reach = readEvidenceReach(text);
  const fetchLeaves = () => fetchCovered(fetchOnce, `${path.split('?')[0]}?part=leaves&count=${reach.count}`);
  await (isTenant ? saveTenant(text, out!, fetchLeaves) : write([text], out));
  for (const sentence of describeReach(reach)) console.error(sentence);
  const lag = await findLag(fetchOnce, reach, toNewestPath(identity, options));
  if (lag !== undefined) console.error(lag);
  if (out !== undefined) console.error(`${out} is written; check it with: npm run verify -- ${out} --trust trust.json`);
};
