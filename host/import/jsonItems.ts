// Finds the items of a file in its JSON texts, however these are formatted and put together: objects at the top, those
// of arrays, and those of the lists that an API answers with. Keeps only where they are.
import { setImmediate } from 'node:timers/promises';
import { createJsonReader, type JsonVisitor, type LinePlace, NoJson } from './jsonGrammar.ts';
import { NOT_JSON } from './sourceText.ts';

/** Where an item is. `to` is the offset after its last byte; `line` is that on which it begins. */
export interface ItemRange {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** What is found in a file, in its order. */
export interface ItemReports {
  readonly onItem: (item: ItemRange) => void;
  /** What is no item. */
  readonly onRefusal: (line: number, reason: string) => void;
  /** A list begins: the items until its end are its own, but for those of lists in it. */
  readonly onListBegin: () => void;
  readonly onListEnd: () => void;
  /** The number of items so far. */
  readonly count: () => number;
  /** Forgets all items but the first ones. */
  readonly keepFirst: (count: number) => void;
  /** What was reported since the last call is final: a whole text. */
  readonly onTextEnd: () => void;
  /** The text is none: what was reported since the last end of one is forgotten. */
  readonly onTextFailed: (line: number, reason: string) => void;
}

/** A file that is read in parts. */
export interface ItemFile {
  readonly size: number;
  readonly read: (from: number, to: number) => Buffer;
}

/** Members of an answer that are lists of items. */
const LISTS: readonly string[] = ['assets', 'events', 'locations', 'compliance_policies', 'blobs'];
/** Members of an object at most that are remembered; an item has less than 40. */
const MEMBERS_MAX = 1_000;
const NAME_BYTES_MAX = 1_024;
const CHUNK_BYTES = 2 ** 20;
/** Bytes that are read without a look at the time: a few milliseconds. */
const PART_BYTES = 2 ** 16;
/** Milliseconds of one turn of the event loop. */
const TURN_MS = 10;
const NEWLINE = 0x0a;

/** Pauses, if it is time to. */
type Rest = () => Promise<void>;

/** What is open: a list, an object that is an item or has lists, or a value of a member of such an object. */
type Frame = ListFrame | AnswerFrame | ValueFrame;
type MemberValue = 'list' | 'nothing' | 'other';
interface ListFrame {
  readonly kind: 'list';
}
interface ValueFrame {
  readonly kind: 'value';
  isEmpty: boolean;
}
interface AnswerFrame {
  readonly kind: 'answer';
  readonly from: number;
  readonly line: number;
  /** Items before it. */
  readonly before: number;
  /** Names with what their values are. */
  readonly members: Map<string, MemberValue>;
  name: string;
  repeated: string | undefined;
}

const isAnswer = ({ members }: AnswerFrame): boolean => [...members.values()].includes('list');

// Scalars describe the list, such as the token of its next page.
const toRefusals = ({ members }: AnswerFrame): string[] =>
  [...members]
    .filter(([, value]) => value === 'other')
    .map(([name]) => `its member ${JSON.stringify(name)} is ${LISTS.includes(name) ? 'no list' : 'not imported'}`);

const readName = (file: ItemFile, from: number, to: number): string => {
  const text = file.read(from, Math.min(to, from + NAME_BYTES_MAX)).toString();
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
};

const closeAnswer = (reports: ItemReports, frame: AnswerFrame, to: number): void => {
  const { from, line, before, repeated } = frame;
  if (!isAnswer(frame)) reports.onItem({ from, to, line });
  else if (repeated === undefined) for (const reason of toRefusals(frame)) reports.onRefusal(line, reason);
  else {
    reports.keepFirst(before);
    reports.onRefusal(line, `has the name ${JSON.stringify(repeated)} more than once in an object`);
  }
};

const setMember = (answer: AnswerFrame, value: MemberValue): void => {
  if (answer.members.size < MEMBERS_MAX) answer.members.set(answer.name, value);
};

const markFilled = (frame: Frame | undefined): void => {
  if (frame?.kind === 'value') frame.isEmpty = false;
};

const closeValue = (frame: ValueFrame, parent: Frame | undefined): void => {
  if (parent?.kind === 'answer' && frame.isEmpty) setMember(parent, 'nothing');
};

const createVisitor = (file: ItemFile, reports: ItemReports): JsonVisitor => {
  const frames: Frame[] = [];

  const openList = (): void => {
    frames.push({ kind: 'list' });
    reports.onListBegin();
  };

  const openMember = (answer: AnswerFrame, isArray: boolean): void => {
    const isList = isArray && LISTS.includes(answer.name);
    setMember(answer, isList ? 'list' : 'other');
    if (isList) openList();
    else frames.push({ kind: 'value', isEmpty: isArray });
  };

  return {
    open: (isArray, from, line) => {
      const parent = frames.at(-1);
      markFilled(parent);
      if (parent?.kind === 'value') frames.push({ kind: 'value', isEmpty: false });
      else if (parent?.kind === 'answer') openMember(parent, isArray);
      else if (isArray) openList();
      else
        frames.push({
          kind: 'answer',
          from,
          line,
          before: reports.count(),
          members: new Map(),
          name: '',
          repeated: undefined,
        });
    },
    close: (to) => {
      const frame = frames.pop()!;
      if (frame.kind === 'list') reports.onListEnd();
      else if (frame.kind === 'answer') closeAnswer(reports, frame, to);
      else closeValue(frame, frames.at(-1));
    },
    name: (from, to) => {
      const answer = frames.at(-1)!;
      if (answer.kind !== 'answer') return;
      answer.name = readName(file, from, to);
      if (answer.members.has(answer.name)) answer.repeated ??= answer.name;
    },
    scalar: (text, line) => {
      const parent = frames.at(-1);
      markFilled(parent);
      if (parent?.kind === 'answer')
        setMember(parent, LISTS.includes(parent.name) && text !== 'null' ? 'other' : 'nothing');
      else if (parent?.kind !== 'value') reports.onRefusal(line, 'is no JSON object');
    },
    end: reports.onTextEnd,
  };
};

/** A file, of which the chunk that was read last is kept: what goes on in it reads nothing again. */
interface ChunkedFile extends ItemFile {
  /** The bytes from here to the end of the chunk in which they are. */
  readonly readChunk: (from: number) => Buffer;
}

const createChunkedFile = (file: ItemFile): ChunkedFile => {
  let chunk: Buffer = Buffer.alloc(0);
  let begin = 0;
  const isKept = (from: number): boolean => from >= begin && from < begin + chunk.length;
  return {
    size: file.size,
    read: (from, to) =>
      isKept(from) && to <= begin + chunk.length ? chunk.subarray(from - begin, to - begin) : file.read(from, to),
    readChunk: (from) => {
      if (!isKept(from)) {
        begin = from - (from % CHUNK_BYTES);
        chunk = file.read(begin, Math.min(file.size, begin + CHUNK_BYTES));
      }
      return chunk.subarray(from - begin);
    },
  };
};

const CUT_OFF = 'is cut off: the file ends in it';

// A text that is none may be followed by others on the next lines.
const findNextLine = (file: ChunkedFile, { number, from }: LinePlace): LinePlace | undefined => {
  for (let at = from; at < file.size; ) {
    const chunk = file.readChunk(at);
    const index = chunk.indexOf(NEWLINE);
    if (index >= 0) return { number: number + 1, from: at + index + 1 };
    at += chunk.length;
  }
  return undefined;
};

// Where to go on after a text that is none; undefined at the end.
const findItemsFrom = async (
  file: ChunkedFile,
  { place, reports, rest }: { readonly place: LinePlace; readonly reports: ItemReports; readonly rest: Rest },
): Promise<LinePlace | undefined> => {
  const reader = createJsonReader(createVisitor(file, reports), place);
  try {
    for (let at = place.from; at < file.size; ) {
      const part = file.readChunk(at).subarray(0, PART_BYTES);
      reader.read(part, at);
      at += part.length;
      await rest();
    }
    reader.end(file.size);
    return undefined;
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    reports.onTextFailed(error.line.number, error.isCutOff ? CUT_OFF : NOT_JSON);
    return error.isCutOff ? undefined : findNextLine(file, error.line);
  }
};

// Ends the turn of the event loop when it has taken so long; a broken line is no reason for one.
const createRest = (): Rest => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await setImmediate();
    since = performance.now();
  };
};

/**
 * Reports the items of a file. Its texts may follow each other, on lines of their own or not. Signals and progress have
 * their turns meanwhile.
 */
export const findItems = async (file: ItemFile, reports: ItemReports): Promise<void> => {
  const chunked = createChunkedFile(file);
  const rest = createRest();
  let place: LinePlace | undefined = { number: 1, from: 0 };
  while (place !== undefined) {
    place = await findItemsFrom(chunked, { place, reports, rest });
    await rest();
  }
};
