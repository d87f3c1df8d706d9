// Downloads a whole list as CSV, page by page.
import { useEffect, useRef, useState } from 'preact/hooks';
import { saveFile } from '../state/saveFile.ts';
import { createTabTurns } from '../state/turns.ts';
import { ErrorNote } from './states.tsx';

/** A file with more rows opens in no common spreadsheet without loss of speed; filters make the list shorter. */
const RECORDS_MAX = 100_000;

/** A page of a list. */
export interface ListPage {
  readonly records: readonly object[];
  /** Token of the next page; empty on the last one. */
  readonly next: string;
}

type FetchPage = (pageToken: string, signal: AbortSignal) => Promise<ListPage>;

interface CsvDownloadProps {
  /** Name of the file, without `.csv`. */
  readonly name: string;
  /** Reads a page of the list; the first one with an empty token. */
  readonly fetchPage: FetchPage;
}

interface State {
  /** How many records are read; undefined: no download is under way. */
  readonly read?: number;
  readonly error?: Error;
  readonly isCut?: boolean;
}

const fetchAll = async (fetchPage: FetchPage, signal: AbortSignal, onRead: (read: number) => void) => {
  const records: object[] = [];
  let next = '';
  do {
    const page = await fetchPage(next, signal);
    records.push(...page.records);
    next = page.next;
    onRead(records.length);
  } while (next !== '' && records.length < RECORDS_MAX);
  return { records, isCut: next !== '' };
};

const toNote = ({ read, isCut }: State): string => {
  if (read !== undefined) return `${read.toLocaleString()} records read`;
  return isCut === true ? `The file has the first ${RECORDS_MAX.toLocaleString()} records. Filter the list.` : '';
};

/** The button, and while it reads a button that stops. */
export const CsvDownload = ({ name, fetchPage }: CsvDownloadProps) => {
  const [state, setState] = useState<State>({});
  const reading = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const download = async (): Promise<void> => {
    const controller = new AbortController();
    reading.current = controller;
    setState({ read: 0 });
    try {
      const { records, isCut } = await fetchAll(fetchPage, controller.signal, (read) => setState({ read }));
      const { toCsv } = await import('../text/csv.ts');
      const lines = await toCsv(records, createTabTurns(controller.signal));
      saveFile(new Blob(lines, { type: 'text/csv' }), `${name}.csv`);
      setState({ isCut });
    } catch (error) {
      setState(controller.signal.aborted ? {} : { error: error as Error });
    }
  };
  const isReading = state.read !== undefined;
  return (
    <div class="download">
      <button type="button" onClick={isReading ? () => reading.current?.abort() : download}>
        {isReading ? 'Stop' : 'Download as CSV'}
      </button>{' '}
      <span class="hint" role="status">
        {toNote(state)}
      </span>
      {state.error === undefined ? null : <ErrorNote error={state.error} onRetry={download} />}
    </div>
  );
};
