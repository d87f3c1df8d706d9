// Transactions of tenants and their writers that the server doesn't send, on either kind of chain.
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import type { Wallet } from '../../../chain/wallet.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf, toVersionIdentity } from '../../../ledger/identity.ts';
import type { EventRecord } from '../../../ledger/records/event.ts';
import type { LocationRecord } from '../../../ledger/records/location.ts';
import { encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { aCreation, anEvent, eventOf, uuidOf } from '../../support/records.ts';
import type { FirstStreams } from '../clients/history.ts';
import type { Fault } from '../plan/plan.ts';

/** A tenant whose keys the run has. */
export interface TenantActor {
  readonly identity: string;
  /** The first version of its location, which is older than the run. */
  readonly location: LocationRecord;
  readonly administrator: Wallet;
  /** The wallet that signs the tenant's records. */
  readonly author: Wallet;
}

/** The accounts that faults use. */
export interface Actors {
  /** Address of the ledger contract. */
  readonly contract: Hex;
  readonly relayer: Wallet;
  readonly tenants: readonly TenantActor[];
}

/** A call of a third party. */
export interface ThirdPartyCall {
  readonly to: Hex;
  readonly data: Uint8Array;
  readonly gasLimit: number;
  /** Wei; 0 where it is left out. */
  readonly value?: bigint;
}

const TRANSACTION_GAS = 100_000;
const RECORD_GAS = 100_000;
const ROLE_GAS = 300_000;
const FOREIGN_ASSETS = 0xf00000;
const FOREIGN_LABEL = 'foreign';

// The events of a foreign writer: those of an asset of its own, by the number of the fault.
const toForeignRecords = (fault: number, count: number): EventRecord[] =>
  Array.from({ length: count }, (_, at) => {
    const identity = eventOf(FOREIGN_ASSETS + fault, at);
    return at === 0 ? aCreation({ identity }) : anEvent({ identity });
  });

/** Whether a record with this label is a version of a location by a foreign writer. */
export const isForeignVersion = ({ label }: { readonly label: string }): boolean => label.startsWith(FOREIGN_LABEL);

// A version that follows the first one. Unless another version follows that one earlier, it takes the place of what the
// server has accepted meanwhile. It keeps the name, by which lists may be sorted.
const toForeignVersion = (location: LocationRecord, fault: number): LocationRecord => ({
  ...location,
  identity: toVersionIdentity(toStreamIdentityOf(location), uuidOf(FOREIGN_ASSETS + fault)),
  follows: location.identity,
  attributes: { label: `${FOREIGN_LABEL} ${fault}` },
});

/** What a foreign writer appends: an asset of its own with events, and, by every other one, a version of a location. */
export const toForeignWrites = ({ location }: TenantActor, { number, records }: Fault): LedgerRecord[] => {
  const events = toForeignRecords(Number(number), Number(records));
  return Number(number) % 2 === 0 ? [toForeignVersion(location, Number(number)), ...events] : events;
};

const findForeignRecords = (faults: readonly Fault[]): EventRecord[] =>
  faults
    .filter(({ kind }) => kind === 'foreignWriter')
    .flatMap(({ number, records }) => toForeignRecords(Number(number), Number(records)));

/** The assets that the foreign writers of a plan create, by tenant. */
export const findForeignStreams = (faults: readonly Fault[], tenants: readonly string[]): FirstStreams[] =>
  tenants.map((tenantIdentity, at) => ({
    tenantIdentity,
    identities: findForeignRecords(faults.filter(({ tenant }) => tenant === at)).map(toStreamIdentityOf),
  }));

/** Keys of the events that the foreign writers of a plan append. */
export const findForeignKeys = (faults: readonly Fault[]): Set<string> =>
  new Set(findForeignRecords(faults).map(({ identity }) => toHex(toKey(identity))));

/** Kinds of the faults that remove a tenant's writer for some time. */
export const REMOVING_KINDS: readonly string[] = ['removeWriter', 'strayTransactions'];

/** When a plan begins to remove the writer of a tenant, in virtual milliseconds. */
export const findRemovals = (faults: readonly Fault[], tenants: readonly string[]): Map<string, number> =>
  new Map(
    faults
      .filter(({ kind }) => REMOVING_KINDS.includes(kind))
      .map(({ tenant, atMs }) => [tenants[Number(tenant) % tenants.length]!, atMs]),
  );

/** Tenants whose writer a plan removes for some time. */
export const findRefusedTenants = (faults: readonly Fault[], tenants: readonly string[]): Set<string> =>
  new Set(findRemovals(faults, tenants).keys());

/** The call that appends records directly, without a signature of the batch: the author's own transaction. */
export const toAppendCall = (
  contract: Hex,
  { identity }: TenantActor,
  records: readonly LedgerRecord[],
): ThirdPartyCall => {
  const tuples = records.map((record) => [
    toKey(toStreamIdentityOf(record)),
    toKey(record.identity),
    encodePayload(record),
  ]);
  const data = fromHex(ledgerInterface.encodeFunctionData('append', [toKey(identity), tuples]));
  return { to: contract, data, gasLimit: TRANSACTION_GAS + RECORD_GAS * records.length };
};

/** The call with which a tenant's administrator adds the tenant's author to the writers, or removes it. */
export const toRoleCall = (
  contract: Hex,
  { identity, author }: TenantActor,
  method: 'addWriter' | 'removeWriter',
): ThirdPartyCall => {
  const args = [toHex(toKey(identity)), author.address];
  return { to: contract, data: fromHex(ledgerInterface.encodeFunctionData(method, args)), gasLimit: ROLE_GAS };
};
