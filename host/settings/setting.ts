// One setting of an installation.
import type { ReadText } from './settingReaders.ts';

/** A setting: an environment variable. */
export interface Setting<T> {
  readonly name: string;
  /** Its text when it isn't set or is empty; undefined: it has no default. */
  readonly fallback: string | undefined;
  /** Markdown of one line. */
  readonly description: string;
  readonly read: ReadText<T>;
}

/** A setting with a default. */
export const setting = <T>(
  name: string,
  fallback: string | number,
  read: ReadText<T>,
  description: string,
): Setting<T> => ({
  name,
  fallback: String(fallback),
  description,
  read,
});

/** A setting without a default. */
export const optional = <T>(name: string, read: ReadText<T>, description: string): Setting<T | undefined> => ({
  name,
  fallback: undefined,
  description,
  read,
});
