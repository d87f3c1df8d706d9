// What files cost when they were last measured (npm run test:times), by which the dearest start first.
import { readFileSync } from 'node:fs';

/** The file of the list. */
export const RECORDED = new URL('times.json', import.meta.url);

/** Wall-clock milliseconds by file. */
export const readRecorded = (): Readonly<Record<string, number>> => JSON.parse(readFileSync(RECORDED, 'utf8'));
