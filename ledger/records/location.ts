// The record of one version of a location. The newest version in the stream holds; all of them stay on the ledger.

import { isCoordinate } from '../encoding/coordinate.ts';
import { isTimestamp } from '../encoding/timestamp.ts';
import { toStreamIdentityOf } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { isJsonObject } from './attributes.ts';
import { type Checks, hasFields, isVersionOf } from './fieldChecks.ts';

/** What a client says of a location. */
export interface LocationContent {
  readonly display_name: string;
  readonly description: string;
  /** Decimal degrees, exactly as precise as they came. */
  readonly latitude: string;
  readonly longitude: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface LocationRecord extends LocationContent {
  readonly type: 'location';
  /** `locations/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const isString = (value: unknown): boolean => typeof value === 'string';

const CHECKS: Checks<LocationRecord> = {
  type: (value) => value === 'location',
  identity: isVersionOf('locations/'),
  display_name: isString,
  description: isString,
  latitude: (value) => isCoordinate(value, 'latitude'),
  longitude: (value) => isCoordinate(value, 'longitude'),
  attributes: (value) => isJsonObject(value) && Object.values(value).every(isString),
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether a value from outside is a version of a location, with all of its fields and no others. */
export const isLocationRecord = (value: unknown): value is LocationRecord => hasFields(value, CHECKS);

export interface LocationResource extends LocationContent {
  readonly identity: string;
}

/** The location as the API shows it. */
export const toLocationResource = (record: LocationRecord): LocationResource => ({
  identity: toStreamIdentityOf(record),
  display_name: record.display_name,
  description: record.description,
  latitude: record.latitude,
  longitude: record.longitude,
  attributes: record.attributes,
});
