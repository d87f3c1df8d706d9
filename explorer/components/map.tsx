// Positions on an outline of the land. No tiles are loaded: the outline is a part of the explorer.
import { type GeoPermissibleObjects, geoEquirectangular, geoGraticule10, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import land from 'world-atlas/land-110m.json';
import { type GeoPosition, toMiddle } from '../text/positions.ts';

const WIDTH = 720;
const HEIGHT = 360;
const MARGIN = 24;
/** One position, and a route within one town, are shown with this much land around them, in degrees. */
const LEAST_DEGREES = 12;

const topology = land as unknown as Topology<{ land: GeometryCollection }>;
const outline = feature(topology, topology.objects.land);

/** A position with what it is called. */
export interface Marked extends GeoPosition {
  readonly title: string;
}

const toPoint = ({ longitude, latitude }: GeoPosition): [number, number] => [longitude, latitude];

// The frame of the map: all positions, and some land around them.
const toFrame = (positions: readonly GeoPosition[]): GeoPermissibleObjects => {
  const around = positions.flatMap(({ latitude, longitude }) =>
    [-1, 1].map((side): [number, number] => [
      longitude + side * LEAST_DEGREES,
      Math.max(-85, Math.min(85, latitude + (side * LEAST_DEGREES) / 2)),
    ]),
  );
  return { type: 'MultiPoint', coordinates: around };
};

const toLabel = (count: number): string => `Map of ${count} ${count === 1 ? 'position' : 'positions'}`;

/** A map of positions, oldest first; as a route, with lines between them. */
const PositionMap = ({ positions, isRoute }: { positions: readonly Marked[]; isRoute: boolean }) => {
  const middle = toMiddle(positions);
  const projection = geoEquirectangular()
    .rotate([-middle, 0])
    .fitExtent(
      [
        [MARGIN, MARGIN],
        [WIDTH - MARGIN, HEIGHT - MARGIN],
      ],
      toFrame(positions),
    );
  projection.clipExtent([
    [0, 0],
    [WIDTH, HEIGHT],
  ]);
  const path = geoPath(projection);
  const route: GeoPermissibleObjects = { type: 'LineString', coordinates: positions.map(toPoint) };
  return (
    <svg class="map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={toLabel(positions.length)}>
      <path class="graticule" d={path(geoGraticule10()) ?? ''} />
      <path class="land" d={path(outline) ?? ''} />
      {isRoute ? <path class="route" d={path(route) ?? ''} /> : null}
      {positions.map((position, index) => {
        const [x, y] = projection(toPoint(position)) ?? [0, 0];
        const isLast = isRoute && index === positions.length - 1;
        return (
          <circle key={`${position.title} ${index}`} class={isLast ? 'last' : ''} cx={x} cy={y} r={isLast ? 6 : 3.5}>
            <title>{position.title}</title>
          </circle>
        );
      })}
    </svg>
  );
};

export default PositionMap;
