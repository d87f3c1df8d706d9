// What abstract-level passes to a database and takes from it: strings, or bytes.
import type { BatchOperation } from './batch.ts';
import { type NameRange, toName } from './rows.ts';

/** Encodings of an operation, as classic-level names them. */
export interface LevelOptions {
  readonly keyEncoding?: 'utf8' | 'buffer' | 'view';
  readonly valueEncoding?: 'utf8' | 'buffer' | 'view';
}

/** An operation of a batch after encoding. */
export interface LevelBatchOperation {
  readonly type: 'put' | 'del';
  readonly key: string | Uint8Array;
  readonly value?: string | Uint8Array;
}

type Bound = string | Uint8Array;

/** The bytes of a key or value. */
export const toBytes = (data: Bound): Buffer =>
  typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** A stored key or value in an encoding: a copy, as the original must not change. */
export const toOutput = (
  stored: Buffer | undefined,
  encoding: LevelOptions['valueEncoding'],
): string | Buffer | undefined => {
  if (stored === undefined) return undefined;
  return encoding === 'utf8' ? stored.toString('utf8') : Buffer.from(stored);
};

/** An operation of a batch in bytes. */
export const toOperation = ({ type, key, value }: LevelBatchOperation): BatchOperation => ({
  key: toBytes(key),
  value: type === 'put' ? toBytes(value!) : undefined,
});

/** A range whose bounds are strings or bytes. */
export const toRange = (options: object): NameRange => {
  const bounds = options as Partial<Record<keyof NameRange, Bound>>;
  const toBound = (bound: Bound | undefined) => (bound === undefined ? undefined : toName(toBytes(bound)));
  const { gt, gte, lt, lte } = bounds;
  return { gt: toBound(gt), gte: toBound(gte), lt: toBound(lt), lte: toBound(lte) };
};
