// The story of a run as text: virtual time, actor, sentence, in columns.
import { styleText } from 'node:util';
import { count } from '../../support/count.ts';
import type { Violation } from '../plan/plan.ts';
import { DATA_DIR } from '../server/settings.ts';
import type { Note } from '../world/world.ts';
import type { RunReport } from './messages.ts';
import { toReplayCommand } from './planChange.ts';
import { describeSettings } from './storySettings.ts';

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
const shorten = (text: string): string => text.replaceAll(`${DATA_DIR}/`, '').replace(UUID, '$1').replace(HASH, '$1');

/** Sentences whose repetition has no news: one within the time of a pause is only counted. */
const REPEATED =
  /: (?:refused with|no answer)|^reads .*: |^(?:lies about|has a faulty connection for|refuses|reports:) /;

interface Repeats {
  readonly note: Note;
  /** Virtual milliseconds since the event before, also when that is only counted. */
  readonly pauseMs: number;
  count: number;
  lastMs: number;
}

/** An event of a story, with its repetitions. */
type StoryEvent = Pick<Repeats, 'note' | 'pauseMs'>;

const toEvent = ({ note, pauseMs, count: repeats, lastMs }: Repeats): StoryEvent => {
  const times = repeats === 1 ? '' : ` (${repeats} times until ${toSeconds(lastMs)})`;
  return { note: { ...note, text: `${note.text}${times}` }, pauseMs };
};

// Leaves out repetitions, and adds their number to the first of them.
const collapse = (notes: readonly Note[]): StoryEvent[] => {
  const found: Repeats[] = [];
  const known = new Map<string, Repeats>();
  for (const [at, note] of notes.entries()) {
    const name = `${note.actor} ${note.text}`;
    const before = known.get(name);
    if (before !== undefined && note.atMs - before.lastMs < PAUSE_MS) {
      before.count += 1;
      before.lastMs = note.atMs;
    } else {
      const pauseMs = note.atMs - (notes[at - 1]?.atMs ?? 0);
      const first = { note, pauseMs, count: 1, lastMs: note.atMs };
      found.push(first);
      if (REPEATED.test(note.text)) known.set(name, first);
    }
  }
  return found.map(toEvent);
};

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

const toPause = ({ pauseMs }: StoryEvent): string[] =>
  pauseMs < PAUSE_MS ? [] : [`${' '.repeat(TIME_COLUMNS)}  ... ${Math.round(pauseMs / 1000)} s without an event`];

/** The lines of a story. */
export const formatStory = (story: readonly Note[], paint: Paint = ESCAPE_FREE): string[] => {
  const events = collapse(story);
  const actorColumns = Math.max(0, ...story.map(({ actor }) => actor.length));
  const margin = TIME_COLUMNS + 2 + actorColumns + 2;
  return events.flatMap((event, at) => {
    const { time, actor, text } = toColumns(event.note, events[at - 1]?.note);
    const [first = '', ...others] = wrap(text, COLUMNS - margin);
    return [
      ...toPause(event).map((line) => paint('dim', line)),
      `${paint('dim', time.padStart(TIME_COLUMNS))}  ${paint('bold', actor.padEnd(actorColumns))}  ${first}`,
      ...others.map((line) => `${' '.repeat(margin)}${line}`),
    ];
  });
};

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

const formatSettings = ({ plan }: RunReport): string[] => {
  const text = describeSettings(plan?.settings ?? {});
  return text === '' ? [] : wrap(text, COLUMNS - 2).map((line) => `  ${line}`);
};

const withoutRepeats = (violations: readonly Violation[]): Violation[] => [
  ...new Map(violations.map((violation) => [`${violation.check}\n${violation.text}`, violation])).values(),
];

// The lines of violations; equal ones have one entry.
const formatViolations = (violations: readonly Violation[], paint: Paint): string[] =>
  withoutRepeats(violations).flatMap(({ check, text }) => {
    const [first = '', ...others] = text.split('\n').flatMap((line) => wrap(line, COLUMNS - 4));
    return [`  ${paint('red', check)}`, `    ${first}`, ...others.map((line) => `    ${line}`)];
  });

/** A run as text: its plan, its story, what failed, and how to run it again. */
export const formatRun = (report: RunReport, defect?: string, paint: Paint = ESCAPE_FREE): string => {
  const { task, story, violations, virtualMs } = report;
  const different = withoutRepeats(violations).length;
  const result = different === 0 ? 'Every check passes.' : `${count(different, 'violation')}:`;
  return [
    paint('bold', toTitle(report)),
    ...formatSettings(report),
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
