// The log of requests on standard output: short lines for people at a terminal, one JSON object a line elsewhere. It is
// written in the background, so that a slow reader of the log slows no request; what can't be written within 16 MiB is
// dropped.
import { styleText } from 'node:util';
import { pino } from 'pino';
import { toVisibleJson, toVisibleLine } from '../../ledger/encoding/visible.ts';
import type { AnsweredRequest } from '../../server/http/requestObserver.ts';
import type { Config } from '../settings/config.ts';
import { createLogOutput } from './logOutput.ts';

export interface RequestLog {
  readonly onAnswered: (answered: AnsweredRequest) => void;
  /** Resolves when the lines that are still in memory are written, or their reader takes none. */
  close(): Promise<void>;
}

const STANDARD_OUTPUT = 1;
const UNWRITTEN_LENGTH_MAX = 16 * 2 ** 20;
const PROBES: readonly (string | undefined)[] = ['healthz', 'readyz'];
const MICROSECONDS = 1000;

const toLevel = ({ status, operationId }: AnsweredRequest): 'error' | 'warn' | 'info' | 'debug' => {
  if (PROBES.includes(operationId)) return 'debug';
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
};

const toFields = (answered: AnsweredRequest): object => ({
  request_id: answered.requestId,
  method: answered.method,
  path: answered.path,
  operation: answered.operationId,
  status: answered.status,
  ms: Math.round(answered.durationMs * MICROSECONDS) / MICROSECONDS,
  tenant: answered.tenantIdentity,
  subject: answered.subject,
  address: answered.address,
  reason: answered.refusal,
});

const toMessage = ({ isComplete }: AnsweredRequest): string => (isComplete ? 'answered' : 'the client disconnected');

type Color = 'green' | 'cyan' | 'yellow' | 'red';

const COLORS: readonly [fromStatus: number, color: Color][] = [
  [500, 'red'],
  [400, 'yellow'],
  [300, 'cyan'],
  [0, 'green'],
];

const UUID = /\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

const shortenUuids = (text: string): string => text.replaceAll(UUID, '$1…');

/**
 * A request as one short line, without the time: method, status, path, milliseconds and the tenant where there is one.
 * Of each UUID it has the first 8 characters, so that the line fits a terminal.
 */
export const toRequestLine = (answered: AnsweredRequest, hasColors: boolean): string => {
  const { method, path, status, durationMs, tenantIdentity, isComplete, refusal } = answered;
  const [, color] = COLORS.find(([from]) => status >= from)!;
  const paint = (style: Color | 'dim', text: string) =>
    hasColors ? styleText(style, text, { validateStream: false }) : text;
  const rest = [
    `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`,
    ...(tenantIdentity === undefined ? [] : [shortenUuids(tenantIdentity.replace('tenant/', ''))]),
    ...(refusal === undefined ? [] : [refusal]),
    ...(isComplete ? [] : [toMessage(answered)]),
  ];
  const [shownPath, shownRest] = [shortenUuids(path), rest.join('  ')].map(toVisibleLine) as [string, string];
  return `${method.padEnd(6)} ${paint(color, String(status))} ${shownPath} ${paint('dim', shownRest)}`;
};

const isPretty = (format: Config['logFormat']): boolean =>
  format === 'auto' ? process.stdout.isTTY === true : format === 'pretty';

// NO_COLOR and the terminal's own abilities are known to Node.
const findColors = (): boolean => process.stdout.isTTY === true && process.stdout.hasColors();

const toTime = (): string => new Date().toISOString().slice('yyyy-mm-dd'.length + 1, -'.000Z'.length);

/** Opens the log with the level and the format of the settings. */
export const openRequestLog = ({ logLevel: level, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): RequestLog => {
  const destination = createLogOutput(STANDARD_OUTPUT, UNWRITTEN_LENGTH_MAX);
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, { write: (line) => destination.write(toVisibleJson(line)) });
  const hasColors = findColors();
  const write = isPretty(logFormat)
    ? (answered: AnsweredRequest) => destination.write(`${toTime()} ${toRequestLine(answered, hasColors)}\n`)
    : (answered: AnsweredRequest) => log[toLevel(answered)](toFields(answered), toMessage(answered));
  return {
    onAnswered: (answered) => {
      if (log.isLevelEnabled(toLevel(answered))) write(answered);
    },
    close: destination.close,
  };
};
