// The part of docs/measurements/simulation.md about planted defects.
import { readFile, writeFile } from 'node:fs/promises';
import { describeMachine } from '../../../bench/machine.ts';
import { type DefectResult, toDefectTable } from './defectRuns.ts';

const PAGE = new URL('../../../docs/measurements/simulation.md', import.meta.url);
const HEADING = '## Planted defects';
const SECTIONS = /\n(?=## )/;

/** The section about planted defects. */
export const toDefectSection = (results: readonly DefectResult[], firstSeed: number, seedsMax: number): string => {
  const found = results.filter(({ seeds }) => seeds !== undefined).length;
  return `${HEADING}

Written by \`npm run simulate -- --defects --record\`. Each defect is planted alone in the code; seeds from ${firstSeed} on are run
until a check fails that passes without the defect, ${seedsMax.toLocaleString('en-US')} seeds at most. ${found} of ${results.length} were found. "Without
faults" is the result of 5 seeds whose faults are left out: \`clean\` is a defect that the ordinary path survives.

Machine: ${describeMachine()}.

${toDefectTable(results)}
`;
};

/** The page with this section in place of the former one, or at the end. */
export const replaceSection = (page: string, section: string): string => {
  const sections = page.split(SECTIONS).map((text) => text.trim());
  const at = sections.findIndex((text) => text.startsWith(`${HEADING}\n`));
  sections[at === -1 ? sections.length : at] = section.trim();
  return `${sections.join('\n\n')}\n`;
};

/** Writes the section into the page. */
export const recordDefects = async (section: string): Promise<void> =>
  writeFile(PAGE, replaceSection(await readFile(PAGE, 'utf8'), section));
