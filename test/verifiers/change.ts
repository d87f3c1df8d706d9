import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { type Path, pathsOf, readAt, writeAt } from './jsonPaths.ts';
import type { Original } from './originals.ts';
import type { Case } from './pythonVerifier.ts';

/** Numbers of at least 0 and less than 1. */
export type Random = () => number;

/** A changed file. */
export interface Variant extends Case {
  /** Names the original and the change. */
  readonly name: string;
  readonly original: Original;
  /** Whether the caller names the block that the change made: then nothing says what it may hold. */
  readonly isOwnBlock?: boolean;
  /** Whether it may never be accepted. */
  readonly isForgery?: boolean;
}

/** Changes an original; undefined where it has nothing to change. */
export type Change = (original: Original, random: Random, others: readonly Original[]) => Partial<Variant> | undefined;

export const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
export const below = (random: Random, end: number): number => Math.floor(random() * end);

export const toCase = ({ file, trust }: Pick<Original, 'file' | 'trust'>): Case => ({
  file: JSON.stringify(file),
  trust: JSON.stringify(trust),
});

/** Changes one value of a kind, in the file or seldom in the roots. */
export const changeValue = (
  { file, trust }: Original,
  random: Random,
  isMeant: (value: Json, path: Path) => boolean,
  change: (value: Json, path: Path) => Json | undefined,
): Partial<Variant> | undefined => {
  const isTrust = below(random, 10) === 0;
  const value = isTrust ? trust : file;
  const paths = pathsOf(value).filter((path) => path.length > 0 && isMeant(readAt(value, path)!, path));
  if (paths.length === 0) return undefined;
  const path = pick(random, paths);
  const changed = writeAt(value, path, change(readAt(value, path)!, path)) as EvidenceFile;
  return { name: path.join('/'), ...toCase(isTrust ? { file, trust: changed } : { file: changed, trust }) };
};

const BYTES_MIN = 20;
/** Whether a value is the base64 of some bytes. */
export const isBase64 = (value: Json): boolean => {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64');
  return bytes.length >= BYTES_MIN && bytes.toString('base64') === value;
};
/** The bytes with one bit changed. */
export const flipByte = (bytes: Uint8Array, random: Random): Uint8Array => {
  const at = below(random, bytes.length);
  return bytes.with(at, bytes[at]! ^ (1 << below(random, 8)));
};
