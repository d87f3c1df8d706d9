// Decodes the values of a node's answers. A node is not trusted to follow the protocol: an answer that doesn't is a
// failed call.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { InvalidAnswer, type NamedNode } from './falseAnswer.ts';

const HASH = /^0x[0-9a-f]{64}$/;
const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,63})$/;
const BYTES = /^0x([0-9a-f]{2})*$/;
/** The end of the year 9999: RFC 3339 has no later time. */
const SECONDS_MAX = 253_402_300_799;

/** Any of the nodes, where it isn't known which one answered. */
export const ANY_NODE: NamedNode = { name: 'a node' };

/** CHAIN_UNAVAILABLE: the node lacks what it was asked for, or answers about another block, so the call failed. */
export const refuseAnswer = ({ name }: NamedNode, problem: string, cause?: unknown): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message: `${name} gave an invalid answer: ${problem}`, cause });

const expectText = (client: NamedNode, value: unknown, form: RegExp, what: string): Hex => {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!form.test(text)) throw new InvalidAnswer(client, what);
  return text as Hex;
};

/** @throws LedgerError CHAIN_UNAVAILABLE when the value is no JSON object. */
export const decodeObject = (client: NamedNode, value: unknown, what: string): Record<string, unknown> => {
  if (!isJsonObject(value)) throw new InvalidAnswer(client, what);
  return value;
};

/** A hash of 32 bytes, lower-case. `what` names the value in the error. */
export const decodeHash = (client: NamedNode, value: unknown, what: string): Hex =>
  expectText(client, value, HASH, what);

/** Bytes of any length in hexadecimal, lower-case. */
export const decodeBytes = (client: NamedNode, value: unknown, what: string): Hex =>
  expectText(client, value, BYTES, what);

/** A quantity of up to 32 bytes. */
export const decodeBigInt = (client: NamedNode, value: unknown, what: string): bigint =>
  BigInt(expectText(client, value, QUANTITY, what));

/** A quantity that must be a safe integer. */
export const decodeNumber = (client: NamedNode, value: unknown, what: string): number => {
  const number = Number(decodeBigInt(client, value, what));
  if (!Number.isSafeInteger(number)) throw new InvalidAnswer(client, what);
  return number;
};

/** The time of a block, in seconds since 1970, at most in the year 9999. */
export const decodeSeconds = (client: NamedNode, value: unknown, what: string): number => {
  const seconds = decodeNumber(client, value, what);
  if (seconds > SECONDS_MAX) throw new InvalidAnswer(client, what);
  return seconds;
};
