// The story of a run as text: virtual time, actor, sentence, in columns.
import { styleText } from 'node:util';
import type { Violation } from '../plan/plan.ts';
import type { Note } from '../world/world.ts';
import type { RunReport } from './messages.ts';
import { toReplayCommand } from './planChange.ts';

/** Paints text; the identity function where the output is no terminal. */
export type Paint = (format: 'dim' | 'bold' | 'red', text: string) => string;

const ESCAPE_FREE: Paint = (_, text) => text;

/** Paints for a terminal, unless the user's settings refuse colours. */
export const paintFor = (stream: NodeJS.WriteStream): Paint =>
  stream.isTTY ? (format, text) => styleText(format, text, { stream }) : ESCAPE_FREE;

const COLUMNS = 120;
const TIME_COLUMNS = 11;
/** Virtual milliseconds without an event that the story mentions. */
const PAUSE_MS = 5_000;

const toSeconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;

const UUID = /\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const HASH = /\b(0x[0-9a-f]{8})[0-9a-f]{56}\b/g;

// In one run, the first digits identify a UUID or a hash.
const shorten = (text: string): string => text.replace(UUID, '$1').replace(HASH, '$1');

const wrap = (text: string, columns: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

interface Columns {
  readonly time: string;
  readonly actor: string;
  readonly text: string;
}

// A time or an actor that the line before has too is left out, so that what belongs together is seen.
const toColumns = (note: Note, before: Note | undefined): Columns => {
  const time = toSeconds(note.atMs);
  const isSameTime = before !== undefined && toSeconds(before.atMs) === time;
  return {
    time: isSameTime ? '' : time,
    actor: isSameTime && before.actor === note.actor ? '' : note.actor,
    text: shorten(note.text),
  };
};

const toPause = (note: Note, before: Note | undefined): string[] => {
  const ms = note.atMs - (before?.atMs ?? 0);
  return ms < PAUSE_MS ? [] : [`${' '.repeat(TIME_COLUMNS)}  ... ${Math.round(ms / 1000)} s later`];
};

/** The lines of a story. */
export const formatStory = (notes: readonly Note[], paint: Paint = ESCAPE_FREE): string[] => {
  const actorColumns = Math.max(0, ...notes.map(({ actor }) => actor.length));
  const margin = TIME_COLUMNS + 2 + actorColumns + 2;
  return notes.flatMap((note, at) => {
    const { time, actor, text } = toColumns(note, notes[at - 1]);
    const [first = '', ...others] = wrap(text, COLUMNS - margin);
    return [
      ...toPause(note, notes[at - 1]).map((line) => paint('dim', line)),
      `${paint('dim', time.padStart(TIME_COLUMNS))}  ${paint('bold', actor.padEnd(actorColumns))}  ${first}`,
      ...others.map((line) => `${' '.repeat(margin)}${line}`),
    ];
  });
};

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const toTitle = ({ task, plan }: RunReport): string => {
  if (plan === undefined) return `Seed ${task.seed}`;
  const { chain, requests, faults } = plan;
  return `Seed ${task.seed}: the ${chain} chain, ${count(requests.length, 'request')}, ${count(faults.length, 'fault')}`;
};

// With their positions in the seed's complete plan, which `--keep` names.
const formatFaults = ({ task, plan }: RunReport): string[] =>
  (plan?.faults ?? []).map(({ kind, atMs, ...parameters }, at) => {
    const position = task.change.faults?.[at] ?? at;
    const texts = Object.entries(parameters).map(([name, value]) => `${name} ${value}`);
    return `  ${[`fault ${position}`, `${kind} from ${toSeconds(atMs)}`, ...texts].join('  ')}`;
  });

/** The lines of violations. */
export const formatViolations = (violations: readonly Violation[], paint: Paint = ESCAPE_FREE): string[] =>
  violations.flatMap(({ check, text }) => {
    const [first = '', ...others] = text.split('\n').flatMap((line) => wrap(line, COLUMNS - 4));
    return [`  ${paint('red', check)}`, `    ${first}`, ...others.map((line) => `    ${line}`)];
  });

/** A run as text: its plan, its story, what failed, and how to run it again. */
export const formatRun = (report: RunReport, defect?: string, paint: Paint = ESCAPE_FREE): string => {
  const { task, story, violations, virtualMs } = report;
  const result = violations.length === 0 ? 'Every check passes.' : `${count(violations.length, 'violation')}:`;
  return [
    paint('bold', toTitle(report)),
    ...formatFaults(report),
    '',
    ...formatStory(story, paint),
    '',
    `${result} (${toSeconds(virtualMs)} of virtual time)`,
    ...formatViolations(violations, paint),
    '',
    `To run it again: ${toReplayCommand(task, defect)}`,
  ].join('\n');
};
