// Positions on great circles, the shortest lines on a sphere.

/** A position in degrees, north and east positive. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

type Vector = readonly [number, number, number];

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

const toVector = ({ latitude, longitude }: Position): Vector => {
  const [phi, lambda] = [toRadians(latitude), toRadians(longitude)];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
};

const toPosition = ([x, y, z]: Vector): Position => ({
  latitude: toDegrees(Math.atan2(z, Math.hypot(x, y))),
  longitude: toDegrees(Math.atan2(y, x)),
});

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** The angle between two positions, in radians. */
export const toAngle = (from: Position, to: Position): number =>
  Math.acos(Math.min(1, Math.max(-1, dot(toVector(from), toVector(to)))));

/**
 * The position at a fraction (0 to 1) of the great circle between two positions, which must be neither equal nor
 * opposite.
 */
export const interpolate = (from: Position, to: Position, fraction: number): Position => {
  const angle = toAngle(from, to);
  const [a, b] = [toVector(from), toVector(to)];
  const [ofA, ofB] = [Math.sin((1 - fraction) * angle) / Math.sin(angle), Math.sin(fraction * angle) / Math.sin(angle)];
  return toPosition([ofA * a[0] + ofB * b[0], ofA * a[1] + ofB * b[1], ofA * a[2] + ofB * b[2]]);
};

/** The position at a fraction (0 to 1) of the length of a route, a great circle between each two of its stops. */
export const interpolateRoute = (stops: readonly Position[], fraction: number): Position => {
  const legs = stops.slice(1).map((to, index) => ({ from: stops[index]!, to, angle: toAngle(stops[index]!, to) }));
  let rest = fraction * legs.reduce((sum, { angle }) => sum + angle, 0);
  for (const { from, to, angle } of legs) {
    if (rest <= angle) return interpolate(from, to, rest / angle);
    rest -= angle;
  }
  return stops.at(-1)!;
};
