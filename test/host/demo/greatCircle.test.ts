import { expect } from 'chai';
import { interpolate, interpolateRoute, type Position, toAngle } from '../../../host/demo/greatCircle.ts';

const at = (latitude: number, longitude: number): Position => ({ latitude, longitude });
const landsEnd = at(50 + 3 / 60 + 59 / 3_600, -(5 + 42 / 60 + 53 / 3_600));
const johnOGroats = at(58 + 38 / 60 + 38 / 3_600, -(3 + 4 / 60 + 12 / 3_600));
const yokohama = at(35.45, 139.66);
const losAngeles = at(33.74, -118.26);
const EARTH_KM = 6_371;

const expectNear = (found: Position, expected: Position, degrees: number): void => {
  expect(found.latitude).to.be.closeTo(expected.latitude, degrees);
  expect(found.longitude).to.be.closeTo(expected.longitude, degrees);
};

describe('a great circle', () => {
  it('has the published length and middle of an example', () => {
    expect(toAngle(landsEnd, johnOGroats) * EARTH_KM).to.be.closeTo(968.9, 0.1);
    const middle = at(54 + 21 / 60 + 44 / 3_600, -(4 + 31 / 60 + 50 / 3_600));
    expectNear(interpolate(landsEnd, johnOGroats, 0.5), middle, 0.001);
  });

  it('follows the equator and the meridians', () => {
    expectNear(interpolate(at(0, 10), at(0, 100), 1 / 3), at(0, 40), 1e-9);
    expectNear(interpolate(at(-30, 20), at(60, 20), 0.5), at(15, 20), 1e-9);
  });

  it('begins and ends at its ends', () => {
    expectNear(interpolate(yokohama, losAngeles, 0), yokohama, 1e-9);
    expectNear(interpolate(yokohama, losAngeles, 1), losAngeles, 1e-9);
  });

  it('is divided in proportion, and lies between its ends', () => {
    const whole = toAngle(yokohama, losAngeles);
    for (const fraction of [0.1, 0.25, 0.5, 0.9]) {
      const position = interpolate(yokohama, losAngeles, fraction);
      expect(toAngle(yokohama, position)).to.be.closeTo(fraction * whole, 1e-9);
      expect(toAngle(position, losAngeles)).to.be.closeTo((1 - fraction) * whole, 1e-9);
    }
  });

  it('crosses the date line', () => {
    expect(interpolate(yokohama, losAngeles, 0.2).longitude).to.be.greaterThan(139);
    expect(interpolate(yokohama, losAngeles, 0.8).longitude).to.be.lessThan(-118);
  });

  it('is divided over all legs of a route by their lengths', () => {
    const stops = [at(0, 0), at(0, 10), at(0, 40)];
    expectNear(interpolateRoute(stops, 0.125), at(0, 5), 1e-9);
    expectNear(interpolateRoute(stops, 0.25), at(0, 10), 1e-9);
    expectNear(interpolateRoute(stops, 0.5), at(0, 20), 1e-9);
    expectNear(interpolateRoute(stops, 1), at(0, 40), 1e-9);
  });
});
