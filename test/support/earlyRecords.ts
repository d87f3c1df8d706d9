// Two tenants for which writers recorded something before the tenants' own records: by the contract a writer may, and
// it has no effect.
import type { Ledger } from '../../host/openLedger.ts';
import { toVersionIdentity } from '../../ledger/identity.ts';
import { toContribution } from '../../ledger/records/contribution.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { MEASURE, type Parties, shareAsset } from './contributedAsset.ts';
import {
  aBlobRecord,
  aCreation,
  anEvent,
  aPolicyRecord,
  assetOf,
  blobOf,
  eventOf,
  policyOf,
  uuidOf,
} from './records.ts';
import type { ListeningServer } from './testLedger.ts';

/** An asset to which both tenants recorded events, and one of its owner alone. */
export const [SHARED_ASSET, OWN_ASSET] = [assetOf(1), assetOf(2)];
/** The policy by which they are judged: that there is a recent measurement. */
export const JUDGED = policyOf(1);
/** An attachment of a blob that the owner has a record of, which has no effect. */
export const ATTACHED = { arc_attribute_type: 'arc_attachment', arc_blob_identity: blobOf(1) };

const judging = (number: number, event_display_type: string): LedgerRecord =>
  aPolicyRecord(1, {
    identity: toVersionIdentity(JUDGED, uuidOf(number)),
    follows: '',
    asset_filter: [],
    event_display_type,
    time_period_seconds: '999999999',
  });

const createAt = (asset: number, event: number): LedgerRecord => aCreation({ identity: eventOf(asset, event) });

/** A measurement of an asset. */
export const measureAt = (asset: number, event: number) => anEvent({ ...MEASURE, identity: eventOf(asset, event) });

const listOwners = (): LedgerRecord[] => [
  judging(1, 'Painting'),
  createAt(1, 1),
  measureAt(1, 2),
  createAt(2, 1),
  measureAt(2, 2),
  aBlobRecord(1),
];

// The first record that the ledger is asked to append for a tenant comes after these.
const recordBefore = (ledger: Ledger, toEarly: (tenantIdentity: string) => readonly LedgerRecord[]): Ledger => {
  const early = new Map<string, Promise<unknown>>();
  const appendEarly = async (tenantIdentity: string): Promise<void> => {
    for (const record of toEarly(tenantIdentity)) await ledger.writer.append(tenantIdentity, record);
  };
  const append: Ledger['writer']['append'] = async (tenantIdentity, record) => {
    if (!early.has(tenantIdentity)) early.set(tenantIdentity, appendEarly(tenantIdentity));
    await early.get(tenantIdentity);
    return ledger.writer.append(tenantIdentity, record);
  };
  return { ...ledger, writer: { ...ledger.writer, append } };
};

/** Creates both tenants, each with early records, and lets the second measure the shared asset of the first. */
export const shareAfterEarly = async (ledger: Ledger, server: ListeningServer): Promise<Parties> => {
  const tenants: string[] = [];
  const early = recordBefore(ledger, (tenantIdentity) => {
    const [owner] = tenants;
    tenants.push(tenantIdentity);
    return owner === undefined ? listOwners() : [toContribution(measureAt(1, 3), owner)];
  });
  const parties = await shareAsset(early, server, ['early owner', 'early writer']);
  for (const record of [createAt(1, 9), createAt(2, 9), judging(2, 'Measure')])
    await ledger.writer.append(parties.alpha.identity, record);
  return { ...parties, ledger, asset: { ...parties.asset, identity: SHARED_ASSET } };
};
