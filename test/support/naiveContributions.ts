// Which contributions become events of another tenant's asset, and what these are: stated as plainly as possible, by
// looking at all records before each of them.
import type { RecordLog } from '../../chain/port.ts';
import { foldEvent } from '../../ledger/assets/asset.ts';
import { assertAssetFits } from '../../ledger/assets/assetSize.ts';
import { attachedBlobs } from '../../ledger/assets/attachments.ts';
import { assertEventAllowed } from '../../ledger/assets/behaviours.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { ContributionRecord } from '../../ledger/records/contribution.ts';
import type { EventRecord, EventResource } from '../../ledger/records/event.ts';
import { decodeKeyedPayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { toWalletAddress } from '../../ledger/records/subject.ts';
import { naiveAllowsWrite, naiveMatches } from './naiveGrants.ts';
import { takeVersion } from './naiveVersions.ts';

/** A log, and the tenant of its key. */
export interface NaiveLog {
  readonly tenantIdentity: string;
  readonly log: RecordLog;
}

/** An event of an asset that another tenant contributed. */
export interface NaiveContribution {
  readonly owner: string;
  readonly writer: string;
  readonly record: EventRecord;
  readonly contribution: NonNullable<EventResource['contribution']>;
}

interface Entry extends NaiveLog {
  readonly record: LedgerRecord;
}

const heldOf = <T extends LedgerRecord['type']>(before: readonly Entry[], owner: string, type: T) => {
  type R = Extract<LedgerRecord, { type: T }>;
  const held = new Map<string, R | undefined>();
  for (const { tenantIdentity, record } of before)
    if (tenantIdentity === owner && record.type === type) takeVersion(held, record as R, false);
  return [...held.values()].filter((record) => record !== undefined && !('is_deleted' in record && record.is_deleted));
};

const isAllowed = (state: Parameters<typeof assertAssetFits>[0], event: EventRecord): boolean => {
  try {
    assertEventAllowed(state.behaviours, event);
    assertAssetFits(state, event);
    return true;
  } catch {
    return false;
  }
};

const displayTypeOf = ({ event_attributes }: EventRecord): string | undefined => {
  const type = new Map(Object.entries(event_attributes)).get('arc_display_type');
  return typeof type === 'string' && type !== '' ? type : undefined;
};

const isKnown = (before: readonly Entry[], tenant: string): boolean =>
  before.some(
    ({ tenantIdentity, record }) =>
      tenantIdentity === tenant && record.type === 'tenant' && toStreamIdentityOf(record) === tenant,
  );

const toEvent = (record: ContributionRecord, log: RecordLog): EventRecord => {
  const { owner, ...fields } = record;
  return {
    ...fields,
    type: 'event',
    identity: record.identity.replace(`${owner}/`, ''),
    asset_settings: {},
    timestamp_accepted: new Date(log.blockTimestampSeconds * 1000).toISOString(),
  };
};

// The tenant of whose records one of the addresses is an author, if there is exactly one.
const standingFor = (logs: readonly NaiveLog[], walletKeys: readonly string[]): string | undefined => {
  const addresses: string[] = walletKeys.map(toWalletAddress);
  const tenants = new Set(logs.filter(({ log }) => addresses.includes(log.author)).map((each) => each.tenantIdentity));
  return tenants.size === 1 ? [...tenants][0] : undefined;
};

/** The contributions that count, by the position of their logs. */
export const findContributions = (logs: readonly NaiveLog[]): Map<number, NaiveContribution> => {
  const found = new Map<number, NaiveContribution>();
  const before: Entry[] = [];

  const ownersEvents = (owner: string): EventRecord[] => {
    const counting = before.slice(before.findIndex((each) => isKnown([each], owner)));
    return counting.flatMap(({ tenantIdentity, record, log }) => {
      const contributed = found.get(logs.findIndex((each) => each.log === log));
      if (contributed?.owner === owner) return [contributed.record];
      return tenantIdentity === owner && record.type === 'event' ? [record] : [];
    });
  };

  const isGranted = (until: readonly NaiveLog[], { owner }: ContributionRecord, writer: string, event: EventRecord) => {
    const stream = toStreamIdentityOf(event);
    const own = ownersEvents(owner);
    const state = own
      .filter((each) => toStreamIdentityOf(each) === stream)
      .reduce<ReturnType<typeof foldEvent>>((folded, each) => foldEvent(folded, each), undefined);
    const isPresent = before.some((each) => each.tenantIdentity === owner && each.record.identity === event.identity);
    const attached = new Set([...attachedBlobs(event.event_attributes), ...attachedBlobs(event.asset_attributes)]);
    const ofOwner = before.slice(before.findIndex((each) => isKnown([each], owner)));
    const attachesOwners = ofOwner.some(
      ({ tenantIdentity, record }) =>
        tenantIdentity === owner && record.type === 'blob' && attached.has(toStreamIdentityOf(record)),
    );
    if (attachesOwners || state === undefined || isPresent || own.some(({ identity }) => identity === event.identity))
      return false;
    const writers = heldOf(ofOwner, owner, 'subject').filter(
      (subject) => standingFor(until, subject!.wallet_pub_key) === writer,
    );
    const attributes = Object.keys(event.asset_attributes);
    const granted = { behaviour: event.behaviour, displayType: displayTypeOf(event), attributes };
    const isPermitted = heldOf(ofOwner, owner, 'access_policy').some((policy) =>
      policy!.access_permissions.some(
        (permission) =>
          naiveMatches(policy!.filters, state.attributes) &&
          naiveAllowsWrite(permission, granted) &&
          writers.some((subject) => permission.subjects.includes(toStreamIdentityOf(subject!))),
      ),
    );
    return isPermitted && isAllowed(state, event);
  };

  for (const [at, { tenantIdentity, log }] of logs.entries()) {
    const record = decodeKeyedPayload(log.payload, log);
    if (record?.type === 'contribution' && isKnown(before, tenantIdentity) && isKnown(before, record.owner)) {
      const event = toEvent(record, log);
      const isOther = record.owner !== tenantIdentity;
      if (isOther && isGranted(logs.slice(0, at + 1), record, tenantIdentity, event)) {
        const contribution = { owner: record.owner, timestamp_accepted: record.timestamp_accepted };
        found.set(at, { owner: record.owner, writer: tenantIdentity, record: event, contribution });
      }
    }
    if (record !== undefined) before.push({ tenantIdentity, log, record });
  }
  return found;
};
