// The record of one version of a location, or of its deletion. The newest version in the stream holds; all of them stay
// on the ledger.
import { isCoordinate } from '../encoding/coordinate.ts';
import { isTimestamp } from '../encoding/timestamp.ts';
import { toStreamIdentityOf } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { isJsonObject } from './attributes.ts';
import { type Checks, hasFields, isString, isVersionOf } from './fieldChecks.ts';
import { FOLLOWS_NONE, isFollows } from './version.ts';

/** The fields of a location that clients set. */
export interface LocationContent {
  readonly display_name: string;
  readonly description: string;
  /** Decimal degrees, with the precision that the client gave. */
  readonly latitude: string;
  readonly longitude: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** One version of a location. */
export interface LocationRecord extends LocationContent {
  readonly type: 'location';
  /** `locations/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  /** Identity of the version that it replaces; empty in the first one. Absent in records of 0.1. */
  readonly follows?: string;
  /** Whether this record deletes the location; its other fields repeat the content. Absent: it doesn't. */
  readonly is_deleted?: boolean;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const CHECKS: Checks<Required<LocationRecord>> = {
  type: (value) => value === 'location',
  identity: isVersionOf('locations/'),
  follows: isFollows('locations/'),
  display_name: isString,
  description: isString,
  latitude: (value) => isCoordinate(value, 'latitude'),
  longitude: (value) => isCoordinate(value, 'longitude'),
  attributes: (value) => isJsonObject(value) && Object.values(value).every(isString),
  is_deleted: (value) => typeof value === 'boolean',
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

const ABSENT = { follows: FOLLOWS_NONE, is_deleted: false };

/** Whether an untrusted value is a version of a location, with all of its fields, or those of 0.1, and no others. */
export const isLocationRecord = (value: unknown): value is LocationRecord =>
  isJsonObject(value) && hasFields({ ...ABSENT, ...value }, CHECKS);

/** A location as the API shows it. */
export interface LocationResource extends LocationContent {
  readonly identity: string;
}

/** The resource of a location record. */
export const toLocationResource = (record: LocationRecord): LocationResource => ({
  identity: toStreamIdentityOf(record),
  display_name: record.display_name,
  description: record.description,
  latitude: record.latitude,
  longitude: record.longitude,
  attributes: record.attributes,
});
