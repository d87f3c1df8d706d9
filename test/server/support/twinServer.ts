// A second server whose ledger is that of a first one, except for what a tenant hides: other texts, other UUIDs, fewer
// records. A reader who may not see the difference must get the same answers from both, byte for byte.
import { randomUUID } from 'node:crypto';
import { toLocationIdentity, toVersionIdentity } from '../../../ledger/identity.ts';
import type { WrittenRecord } from '../../support/recordLogs.ts';
import { aLocationRecord, uuidOf } from '../../support/records.ts';
import { createFakeLedger, type FakeLedger } from './fakeLedger.ts';
import { startTestServer, type TestServer } from './testServer.ts';

const UUIDS = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/** What a tenant hides. */
export interface Hidden {
  readonly tenantIdentity: string;
  /** Parts of texts, hashes, or UUIDs of records that exist in both ledgers under different names. */
  readonly texts: readonly string[];
  /** Identities of records that the twin lacks, with all whose identities begin so. */
  readonly records: readonly string[];
}

/** All UUIDs in what a tenant has on the ledger, except these. */
export const uuidsOf = ({ mined }: FakeLedger, tenantIdentity: string, except: readonly string[]): string[] => {
  const own = mined.filter((written) => written.tenantIdentity === tenantIdentity);
  const found = own.flatMap(({ record }) => JSON.stringify(record).match(UUIDS) ?? []);
  return [...new Set(found)].filter((uuid) => !except.includes(uuid));
};

const invert = (digits: string): string =>
  [...digits].map((digit) => (15 - Number.parseInt(digit, 16)).toString(16)).join('');

// A UUID or a hash stays one; another text becomes longer.
const toOther = (text: string): string =>
  /^[\da-f]{8}/.test(text) ? `${invert(text.slice(0, 8))}${text.slice(8)}` : `${text.toUpperCase()} twice`;

const toTwin = (written: WrittenRecord, { tenantIdentity, texts, records }: Hidden): WrittenRecord => {
  if (written.tenantIdentity !== tenantIdentity) return written;
  const { identity } = written.record;
  if (records.some((hidden) => identity.startsWith(hidden))) {
    const other = toVersionIdentity(toLocationIdentity(randomUUID()), randomUUID());
    return { ...written, record: aLocationRecord(1, { identity: other }) };
  }
  const json = texts.reduce((text, each) => text.replaceAll(each, toOther(each)), JSON.stringify(written.record));
  return { ...written, record: JSON.parse(json) };
};

/** New UUIDs in a fixed order. */
export const countedUuids = (): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return uuidOf(0xc000 + count);
  };
};

/** Starts the twin of a server; it uses the bytes of that server's blobs, and its tokens. */
export const startTwin = async (server: TestServer, hidden: Hidden): Promise<TestServer> => {
  const ledger = await createFakeLedger();
  for (const written of server.ledger.mined) await ledger.mine(toTwin(written, hidden));
  const { tokens, blobs, limits } = server.deps;
  const { view, writer } = ledger;
  const twin = await startTestServer({ view, writer, tokens, blobs, limits, newUuid: countedUuids() });
  const close = async (): Promise<void> => {
    await twin.close();
    await ledger.close();
  };
  return { ...twin, ledger, close };
};
