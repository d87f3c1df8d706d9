// The ports of the demo, and the routes between them.
import type { Position } from './greatCircle.ts';

/** A real port. */
export interface SeaPort extends Position {
  readonly name: string;
  /** UN/LOCODE. */
  readonly code: string;
}

const port = (name: string, code: string, latitude: number, longitude: number): SeaPort => ({
  name,
  code,
  latitude,
  longitude,
});

const auckland = port('Auckland', 'NZAKL', -36.84, 174.78);
const capeTown = port('Cape Town', 'ZACPT', -33.9, 18.43);
const colombo = port('Colombo', 'LKCMB', 6.95, 79.84);
const losAngeles = port('Los Angeles', 'USLAX', 33.74, -118.26);
const mombasa = port('Mombasa', 'KEMBA', -4.06, 39.63);
const santos = port('Santos', 'BRSSZ', -23.98, -46.29);
const singapore = port('Singapore', 'SGSIN', 1.26, 103.84);
const valparaiso = port('Valparaíso', 'CLVAP', -33.03, -71.63);
const yokohama = port('Yokohama', 'JPYOK', 35.45, 139.66);

/** The routes, each with its stops in order. */
export const ROUTES: readonly (readonly SeaPort[])[] = [
  [santos, capeTown],
  [yokohama, losAngeles],
  [valparaiso, auckland],
  [singapore, colombo, mombasa],
];

/** All ports. */
export const PORTS: readonly SeaPort[] = ROUTES.flat();
