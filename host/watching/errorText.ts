// Texts of errors for an operator. Whatever was thrown has a text: reading an error runs code of what made it (a
// getter, a trap of a proxy, a library's own `inspect`), which may throw, or find a text without end.
import { inspect } from 'node:util';
import { toVisibleLine } from '../../ledger/encoding/visible.ts';

const MESSAGE_LENGTH_MAX = 2_000;
const FRAMES_LENGTH_MAX = 4_000;
const PROPERTY_LENGTH_MAX = 500;
const PROPERTIES_MAX = 20;
const CAUSES_MAX = 5;
const FIRST_FRAME = '\n    at ';
/** Without `inspect` methods of the value. */
const SHALLOW = { customInspect: false, depth: 1, maxArrayLength: 10, maxStringLength: 200, breakLength: Infinity };

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`;

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const readText = (error: unknown, name: 'message' | 'stack'): string | undefined =>
  asText(attempt(() => (error as Error)[name]));

const showValue = (value: unknown): string =>
  cut(attempt(() => inspect(value, SHALLOW)) ?? "a value that can't be shown", PROPERTY_LENGTH_MAX);

/** The message of what was thrown, or the value itself where it has none. Never throws. */
export const toErrorMessage = (error: unknown): string =>
  cut(asText(error) ?? readText(error, 'message') ?? showValue(error), MESSAGE_LENGTH_MAX);

const toHead = (error: unknown, show: (message: string) => string = String): string => {
  const stack = readText(error, 'stack');
  if (stack === undefined) return show(toErrorMessage(error));
  const at = stack.indexOf(FIRST_FRAME);
  if (at < 0) return show(cut(stack, MESSAGE_LENGTH_MAX));
  return show(cut(stack.slice(0, at), MESSAGE_LENGTH_MAX)) + cut(stack.slice(at), FRAMES_LENGTH_MAX);
};

const IN_HEAD = ['name', 'message', 'stack', 'cause'];

const listProperties = (error: unknown): readonly [name: string, value: unknown][] => {
  if (typeof error !== 'object' || error === null || readText(error, 'stack') === undefined) return [];
  const names = Object.getOwnPropertyNames(error).filter((name) => !IN_HEAD.includes(name));
  return names.slice(0, PROPERTIES_MAX).flatMap((name): [string, unknown][] => {
    const property = Object.getOwnPropertyDescriptor(error, name);
    return property !== undefined && 'value' in property && property.value !== undefined
      ? [[name, property.value]]
      : [];
  });
};

const toProperties = (error: unknown): string =>
  (attempt(() => listProperties(error)) ?? [])
    .map(([name, value]) => `\n  ${name}: ${toVisibleLine(showValue(value))}`)
    .join('');

/**
 * What was thrown, with its stack, its properties and its causes, in a bounded text of several lines: a message of
 * several lines is one of them. Never throws.
 */
export const toErrorReport = (error: unknown): string => {
  const parts: string[] = [];
  let cause: unknown = error;
  do {
    const current = cause as Error;
    parts.push(`${toHead(current, toVisibleLine)}${toProperties(current)}`);
    cause = attempt(() => current.cause);
  } while (cause !== undefined && parts.length < CAUSES_MAX);
  return parts.join('\ncaused by: ');
};

/** The same as one line, without properties. Never throws. */
export const toErrorLine = (error: unknown): string => toHead(error).replaceAll(/\s+/g, ' ');
