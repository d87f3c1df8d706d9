// The commands by which organisations answer each other without a secret: what each prints is for another operator.
import { resolve } from 'node:path';
import { toFingerprint } from '../../ledger/tenancy/requestLine.ts';
import { console } from '../commandProcess.ts';
import { readConfig } from '../settings/config.ts';
import type { ListedTenant, TenantState } from '../tenancy/listTenants.ts';
import type { OwnersCall, RequestAnswer } from '../tenancy/tenantAnswers.ts';
import type { RequestedNewTenant, RequestedTenant } from '../tenancy/tenantRequests.ts';
import { reportLine } from '../watching/reports.ts';
import type { TenantOptions } from './addTenant.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';

const run = <T>(name: string, input: Record<string, unknown>): Promise<T> =>
  runOperatorCommand<T>(readConfig().dataDir, name, input, {
    mayJoin: true,
    mayLackFunds: true,
    onWaiting: () => reportLine('waiting until the transaction is final ...'),
  });

const toSecretLines = ({ clientSecret, secretFile }: RequestedNewTenant): string[] => {
  if (secretFile !== undefined) return [`  client_secret=(in ${secretFile})`, '  Only that file has the secret.'];
  return clientSecret === undefined
    ? ['  The secret was shown when the tenant was requested first.']
    : [`  client_secret=${clientSecret}`, '  The secret is shown only now.'];
};

const toFingerprintLines = (line: string): string[] => [
  `fingerprint ${toFingerprint(line)}`,
  'Tell the fingerprint by another way than the line, which could be replaced on its way.',
];

/** How a line is answered. */
export interface AnswerOptions {
  /** The fingerprint that came by another way; undefined: a person compares it. */
  readonly fingerprint?: string;
}

const toDigits = (fingerprint: string): string => fingerprint.replaceAll(/\s/g, '').toLowerCase();

// Before anything is sent.
const compareFingerprint = (line: string, { fingerprint }: AnswerOptions): void => {
  const found = toFingerprint(line);
  reportLine(`fingerprint ${found}`);
  if (fingerprint === undefined || toDigits(fingerprint) === toDigits(found)) return;
  throw new Error('the line has another fingerprint than the one that you named: nothing was sent');
};

/** Requests a tenant, and prints the line for the ledger's founder, and the credentials of its first application. */
export const requestTenantByCommand = async (name: string, { secretFile, ...root }: TenantOptions): Promise<void> => {
  const file = secretFile === undefined ? {} : { secretFile: resolve(secretFile) };
  const requested = await run<RequestedNewTenant>('requestTenant', { name, ...root, ...file });
  console.log(
    requested.line,
    `tenant ${name} (${requested.tenantIdentity}) is requested: send the line above to the ledger's founder, who runs`,
    '  npm run tenant -- admit LINE',
    ...toFingerprintLines(requested.line),
    'The server serves the tenant as soon as it is admitted. Its first application:',
    `  client_id=${requested.clientId}`,
    ...toSecretLines(requested),
  );
};

/** Requests that this server may write for a tenant, and prints the line for the tenant's administrator. */
export const joinTenantByCommand = async (tenant: string): Promise<void> => {
  const { line, tenantIdentity } = await run<RequestedTenant>('joinTenant', { tenant });
  console.log(
    line,
    `run on the server that has the administrator's key of ${tenantIdentity}:`,
    '  npm run tenant -- add-writer LINE',
    ...toFingerprintLines(line),
    'This server serves the tenant as soon as its key is registered.',
  );
};

const printCall = ({ owner, to, data, value, chainId }: OwnersCall, { tenantIdentity, account }: RequestAnswer): void =>
  console.log(
    `the ledger's administrator is ${owner}, whose key isn't here: send from there, on chain ${chainId},`,
    `  to     ${to}`,
    `  value  ${value}`,
    `  data   ${data}`,
    `which admits ${tenantIdentity} with the administrator ${account}, and nothing else`,
  );

const printAnswer = (answer: RequestAnswer, done: string, before: string): void => {
  const { tenantIdentity, account, outcome, call } = answer;
  if (call !== undefined) printCall(call, answer);
  else console.log(`${tenantIdentity}: ${account} ${outcome === 'done' ? done : before}`);
};

/** Admits the tenant of a line, and prints the result. */
export const admitTenantByCommand = async (line: string, options: AnswerOptions = {}): Promise<void> => {
  compareFingerprint(line, options);
  const answer = await run<RequestAnswer>('admitTenant', { line });
  printAnswer(answer, 'is its administrator: admitted', 'is its administrator: it was admitted before');
};

/** Registers the writer of a line, and prints the result. */
export const addWriterByCommand = async (line: string, options: AnswerOptions = {}): Promise<void> => {
  compareFingerprint(line, options);
  printAnswer(await run<RequestAnswer>('addWriter', { line }), 'is a writer now', 'was registered before');
};

/** Requests the administration of a tenant for a new key of this server, and prints the line. */
export const succeedTenantByCommand = async (tenant: string): Promise<void> => {
  const { line, tenantIdentity } = await run<RequestedTenant>('succeedTenant', { tenant });
  console.log(
    line,
    `run on the server that has the administrator's key of ${tenantIdentity}:`,
    '  npm run tenant -- hand-over LINE',
    'and then here:',
    `  npm run tenant -- accept ${tenantIdentity}`,
    ...toFingerprintLines(line),
  );
};

/** Names the next administrator of a tenant by a line, and prints the result. */
export const handOverByCommand = async (line: string, options: AnswerOptions = {}): Promise<void> => {
  compareFingerprint(line, options);
  const answer = await run<RequestAnswer>('handOverTenant', { line });
  printAnswer(answer, 'is named as the next administrator, and has to accept', 'was named before, and has to accept');
};

/** Accepts the administration of a tenant, and prints the result. */
export const acceptTenantByCommand = async (tenant: string): Promise<void> => {
  printAnswer(await run<RequestAnswer>('acceptTenant', { tenant }), 'is its administrator now', '');
};

/** Removes a writer, and prints from which tenants. */
export const removeWriterByCommand = async (address: string): Promise<void> => {
  for (const answer of await run<RequestAnswer[]>('removeWriter', { address }))
    printAnswer(answer, 'is no writer now', '');
};

const STATES: Readonly<Record<TenantState, string>> = {
  requested: "requested: waits until the ledger's founder admits it",
  joining: "joining: waits until the tenant's administrator registers this server's key",
  admitted: 'admitted: the server serves it in a moment',
  serving: 'serving',
  reading: 'read only: its key is not on this server',
  sharing: 'sharing: not served, indexed for what it shares',
  removed: "removed: this server's key is registered no more; reads continue",
};

const toLines = ({
  tenantIdentity,
  name,
  administrator,
  isAdministeredHere,
  writer,
  state,
}: ListedTenant): string[] => [
  `${name ?? (state === 'sharing' ? '(not served)' : '(not indexed)')} (${tenantIdentity})`,
  `  state          ${STATES[state]}`,
  `  administrator  ${administrator ?? 'none yet'}${isAdministeredHere ? ' (key here)' : ''}`,
  `  writer         ${writer ?? 'none here'}`,
];

/** Prints the tenants of this server. */
export const listTenantsByCommand = async (): Promise<void> => {
  const tenants = await run<ListedTenant[]>('listTenants', {});
  console.log(...(tenants.length === 0 ? ['this server has no tenant'] : tenants.flatMap(toLines)));
};
