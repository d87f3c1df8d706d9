// Every planted defect.
import { boundDefects } from './boundDefects.ts';
import { chainDefects } from './chainDefects.ts';
import type { Defect } from './defect.ts';
import { indexDefects } from './indexDefects.ts';
import { lineDefects } from './lineDefects.ts';
import { networkDefects } from './networkDefects.ts';
import { nonceDefects } from './nonceDefects.ts';
import { outboxDefects } from './outboxDefects.ts';
import { readDefects } from './readDefects.ts';
import { serverDefects } from './serverDefects.ts';
import { sideBySideDefects } from './sideBySideDefects.ts';
import { storingDefects } from './storingDefects.ts';
import { writingDefects } from './writingDefects.ts';

/** In the order of a write: server, outbox, submission, chain, index; then those of reads and of limits. */
export const defects: readonly Defect[] = [
  ...serverDefects,
  ...lineDefects,
  ...outboxDefects,
  ...storingDefects,
  ...writingDefects,
  ...sideBySideDefects,
  ...nonceDefects,
  ...chainDefects,
  ...networkDefects,
  ...indexDefects,
  ...readDefects,
  ...boundDefects,
];

/**
 * The defect of a name.
 * @throws Error that lists all names when there is none.
 */
export const findDefect = (name: string): Defect => {
  const defect = defects.find((one) => one.name === name);
  if (defect !== undefined) return defect;
  throw new Error(`there is no defect ${name}; there are: ${defects.map((one) => one.name).join(', ')}`);
};
