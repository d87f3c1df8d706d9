// The log of requests: one JSON object a line on standard output. Written in the background, so that a slow reader of the log slows no
// request; what can't be written within 16 MiB is dropped.
import { pino } from 'pino';
import type { AnsweredRequest } from '../../server/http/requestObserver.ts';
import type { Config } from '../settings/config.ts';

export interface RequestLog {
  readonly onAnswered: (answered: AnsweredRequest) => void;
  /** Writes what is still in memory. */
  close(): void;
}

const STANDARD_OUTPUT = 1;
const UNWRITTEN_BYTES_MAX = 16 * 2 ** 20;
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
});

/** Opens the log. */
export const openRequestLog = (level: Config['logLevel']): RequestLog => {
  const destination = pino.destination({ dest: STANDARD_OUTPUT, sync: false, maxLength: UNWRITTEN_BYTES_MAX });
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, destination);
  return {
    onAnswered: (answered) => {
      const answeredLevel = toLevel(answered);
      if (log.isLevelEnabled(answeredLevel))
        log[answeredLevel](toFields(answered), answered.isComplete ? 'answered' : 'the client went away');
    },
    close: () => destination.flushSync(),
  };
};
