// Variables of the environment that are probably misspelt settings. A setting that isn't read makes another ledger, or
// one without its limits, without a word; the environment also has many variables of other programs, which must not
// stop a start. So a name counts only if it is very close to that of a setting.
import { SETTINGS } from './settings.ts';

/** A variable, and the setting that it probably was meant to be. */
export interface Misspelt {
  readonly name: string;
  readonly meant: string;
}

// Other programs have such variables too, in all spellings (`LOGLEVEL`): only their own names count.
const COMMON: readonly string[] = ['PORT', 'HOST', 'LOG_LEVEL', 'LOG_FORMAT'];
/** The first words of settings with which other programs' variables begin, too. */
const COMMON_PREFIXES: readonly string[] = ['RATE_LIMIT'];

const KNOWN: ReadonlySet<string> = new Set(Object.values(SETTINGS).map(({ name }) => name));
const NAMES = [...KNOWN].filter((name) => !COMMON.includes(name));

// What Kubernetes sets for a Service of any name, and Docker for a link: `CHAIN_SERVICE_HOST`, `CHAIN_PORT_8545_TCP`.
const OF_SERVICES = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$|_ENV_\w+$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/** Whether a variable with this value is set by an orchestrator for a service, whatever its name. */
export const isOfService = (name: string, value: string): boolean =>
  OF_SERVICES.test(name) || (name.endsWith('_PORT') && SERVICE_ADDRESS.test(value));

/**
 * The smallest number of insertions, deletions, replacements and exchanges of neighbours that lead from one text to
 * another, no character being changed twice.
 */
const countEdits = (from: string, to: string): number => {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let at = 1; at <= from.length; at += 1) {
    const row = [at];
    for (let other = 1; other <= to.length; other += 1) {
      const isSame = from[at - 1] === to[other - 1];
      const isExchanged = from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1];
      row[other] = Math.min(row[other - 1]! + 1, last[other]! + 1, last[other - 1]! + Number(!isSame));
      if (isExchanged) row[other] = Math.min(row[other]!, beforeLast[other - 2]! + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length]!;
};

const squash = (name: string): string => name.toUpperCase().replaceAll(/[_-]/g, '');

/** Names with fewer letters have one wrong one, others two. */
const LONG_LETTERS = 12;
/** Shorter names are close to too many others. */
const SHORT_LETTERS = 6;

const isClose = (name: string, meant: string): boolean => {
  const [given, right] = [squash(name), squash(meant)];
  if (given === right || given === `${right}ES` || right === `${given}ES`) return true;
  if (Math.min(given.length, right.length) < SHORT_LETTERS) return false;
  return countEdits(given, right) <= (right.length < LONG_LETTERS ? 1 : 2);
};

// `CHAIN_URL` for `CHAIN_RPC_URL`: the first and last word, and perhaps some between them.
const leavesOutWords = (name: string, meant: string): boolean => {
  const [given, right] = [name.split('_'), meant.split('_')];
  if (given.length < 2 || given.length >= right.length || given.at(-1) !== right.at(-1) || given[0] !== right[0])
    return false;
  let at = 0;
  for (const word of right) if (word === given[at]) at += 1;
  return at === given.length;
};

// `CHAIN_RPC_ENDPOINT` for `CHAIN_RPC_URL`, and `DATA_DIR_PATH` for `DATA_DIR`.
const beginsAlike = (name: string, meant: string): boolean => {
  const words = meant.split('_');
  const prefix = words.slice(0, 2).join('_');
  return words.length > 1 && !COMMON_PREFIXES.includes(prefix) && name.startsWith(`${prefix}_`);
};

const RULES = [isClose, leavesOutWords, beginsAlike];

const findMeant = (name: string): string | undefined =>
  RULES.map((rule) => NAMES.find((meant) => rule(name, meant))).find((meant) => meant !== undefined);

/** The variables of an environment that are probably misspelt settings, those without a value left out. */
export const findMisspelt = (environment: Readonly<Record<string, string | undefined>>): Misspelt[] =>
  Object.entries(environment).flatMap(([name, value = '']) => {
    if (value === '' || KNOWN.has(name) || isOfService(name, value)) return [];
    const meant = findMeant(name);
    return meant === undefined ? [] : [{ name, meant }];
  });
