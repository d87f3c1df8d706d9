// Places in a JSON value, and values with another value at a place.
import type { Json } from '../support/mutations.ts';

/** Names and indexes from the outside in. */
export type Path = readonly (string | number)[];

const entriesOf = (value: Json): [string | number, Json][] => {
  if (Array.isArray(value)) return value.map((inner, at) => [at, inner]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
};

/** Every place in a value, the value itself first. */
export const pathsOf = (value: Json, at: Path = []): Path[] => [
  at,
  ...entriesOf(value).flatMap(([name, inner]) => pathsOf(inner, [...at, name])),
];

/** What is at a place; undefined where there is nothing. */
export const readAt = (value: Json, path: Path): Json | undefined => {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const found = entriesOf(value).find(([other]) => other === name);
  return found && readAt(found[1], rest);
};

/** A copy with another value at a place; undefined removes it. */
export const writeAt = (value: Json, path: Path, changed: Json | undefined): Json => {
  const [name, ...rest] = path;
  if (name === undefined) return changed ?? null;
  const write = (inner: Json): Json | undefined => (rest.length === 0 ? changed : writeAt(inner, rest, changed));
  const entries = entriesOf(value)
    .map(([other, inner]) => [other, other === name ? write(inner) : inner] as const)
    .filter(([, inner]) => inner !== undefined);
  if (!entries.some(([other]) => other === name) && changed !== undefined) entries.push([name, changed]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner!) : (Object.fromEntries(entries) as Json);
};
