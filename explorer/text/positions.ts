// Positions on the Earth, as attributes state them.
import type { AttributeMap } from '../api/client.ts';
import { readNumber } from './measurements.ts';

type Value = AttributeMap[string];

/** A position on the Earth, in decimal degrees. */
export interface GeoPosition {
  readonly latitude: number;
  readonly longitude: number;
}

interface Place {
  readonly display_name: string;
  readonly latitude: string;
  readonly longitude: string;
}

const toDegrees = (value: Value | undefined, most: number): number | undefined => {
  const degrees = readNumber(value);
  return degrees !== undefined && Math.abs(degrees) <= most ? degrees : undefined;
};

/** The position that attributes state; undefined if they state none that is on the Earth. */
export const readPosition = (attributes: AttributeMap): GeoPosition | undefined => {
  const latitude = toDegrees(attributes.arc_gis_lat, 90);
  const longitude = toDegrees(attributes.arc_gis_lng, 180);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
};

/** Places as a map has them; without those whose position isn't on the Earth. */
export const toMarkedPlaces = (places: readonly Place[]) =>
  places.flatMap(({ display_name: title, latitude, longitude }) => {
    const position = readPosition({ arc_gis_lat: latitude, arc_gis_lng: longitude });
    return position === undefined ? [] : [{ ...position, title }];
  });

/** The meridian opposite to the widest gap between positions: a route over the date line stays in one piece. */
export const toMiddle = (positions: readonly GeoPosition[]): number => {
  const sorted = positions.map(({ longitude }) => longitude).toSorted((one, other) => one - other);
  const gaps = sorted.map((longitude, at) => (sorted[at + 1] ?? sorted[0]! + 360) - longitude);
  const widest = gaps.indexOf(Math.max(...gaps));
  return sorted[widest]! + gaps[widest]! / 2 + 180;
};
