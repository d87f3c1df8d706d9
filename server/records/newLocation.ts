// Converts a client's request to a version of a location (decision 32). Pure, like newEvent.ts.
import { toCoordinate } from '../../ledger/encoding/coordinate.ts';
import type { LocationContent, LocationRecord } from '../../ledger/records/location.ts';
import type { Version } from '../../ledger/records/version.ts';
import type { HandlerRequest } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';

/** What a client sends to create a location. */
export type NewLocation = HandlerRequest<'createLocation'>['body'];
/** What a client sends to change a location; a missing member stays as it is. */
export type LocationChanges = HandlerRequest<'updateLocation'>['body'];

/**
 * A location with some of its fields replaced; `attributes` is replaced as one.
 * @throws LedgerError COORDINATE_INVALID that names the coordinate.
 */
export const toChangedLocation = (content: LocationContent, changes: LocationChanges): LocationContent => {
  const { latitude, longitude } = changes;
  return {
    display_name: changes.display_name ?? content.display_name,
    description: changes.description ?? content.description,
    latitude: latitude === undefined ? content.latitude : toCoordinate(latitude, 'latitude'),
    longitude: longitude === undefined ? content.longitude : toCoordinate(longitude, 'longitude'),
    attributes: changes.attributes ?? content.attributes,
  };
};

/**
 * The content of a new location.
 * @throws LedgerError COORDINATE_INVALID that names the coordinate.
 */
export const toLocationContent = (intent: NewLocation): LocationContent => ({
  display_name: intent.display_name,
  description: intent.description ?? '',
  latitude: toCoordinate(intent.latitude, 'latitude'),
  longitude: toCoordinate(intent.longitude, 'longitude'),
  attributes: intent.attributes ?? {},
});

/** The record of one version of a location, which follows another one or none; `isDeleted`: of its deletion. */
export const toLocationRecord = (
  { display_name, description, latitude, longitude, attributes }: LocationContent,
  { identity, follows }: Required<Version>,
  acceptance: Acceptance,
  isDeleted = false,
): LocationRecord => ({
  type: 'location',
  identity,
  follows,
  display_name,
  description,
  latitude,
  longitude,
  attributes,
  ...(isDeleted ? { is_deleted: true } : {}),
  timestamp_accepted: acceptance.atTimestamp,
  principal_accepted: acceptance.principal,
});
